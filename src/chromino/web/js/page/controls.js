/** Buttons, switches and choices. */

import { h, setLabel } from "../browser/dom.js";
import { icon } from "./icons.js";

/**
 * A button with an icon.
 * @param {string} name of the icon @param {string} label a catalog key @param {() => void} press
 */
export function iconButton(name, label, press) {
  const button = h("button", { type: "button", class: "icon-button", onclick: press }, icon(name));
  setLabel(button, label);
  return button;
}

/**
 * A switch with a label.
 * @param {string} key in the catalog @param {boolean} on @param {(on: boolean) => void} set
 */
export function toggle(key, on, set) {
  const input = h("input", { type: "checkbox", role: "switch", checked: on });
  input.addEventListener("change", () => set(input.checked));
  return h("label", { class: "switch" }, h("span", { t: key }), input);
}

/**
 * A dropdown with a label.
 * @param {string} key
 * @param {string} value
 * @param {[string, string][]} options values and catalog keys
 * @param {(value: string) => void} set
 */
export function choice(key, value, options, set) {
  const select = h(
    "select",
    {},
    ...options.map(([option, words]) => h("option", { value: option, selected: option === value, t: words })),
  );
  select.addEventListener("change", () => set(select.value));
  return h("label", { class: "choice" }, h("span", { t: key }), select);
}

/**
 * A slider from 0 to 1, with a label.
 * @param {string} key @param {number} value from 0 to 1
 * @param {(value: number) => void} set called when the slider is released
 */
export function slider(key, value, set) {
  const input = h("input", { type: "range", min: 0, max: 100, step: 5, value: Math.round(100 * value) });
  input.addEventListener("change", () => set(Number(input.value) / 100));
  return h("label", { class: "choice" }, h("span", { t: key }), input);
}
