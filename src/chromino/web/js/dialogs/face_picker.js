/** A dozen faces to choose from: in the settings, and in a dialog when you sit down. */

import { h, setLabel } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { FACES, faceByName, PEOPLE } from "../page/faces.js";
import { drawnFace } from "../page/icons.js";
import { chooseFace } from "../server/api.js";
import { openDialog } from "./dialogs.js";

/** @typedef {import("../page/faces.js").Face} Face */

let groupCount = 0;

/** My face: the one I chose, or one based on my name, or on "Player 1". @param {string} [name] @returns {Face} */
export function myFace(name = settings.name) {
  return settings.face || faceByName(name.trim() || t("setup.player", { n: 1 }));
}

/** Set my face, on all my devices. @param {Face} face */
export function setMyFace(face) {
  changeSettings({ face });
  // The server refuses this if I haven't played yet. Then the face is sent when I sit down.
  void chooseFace(face).catch(() => {});
}

/** All faces as options, one of them chosen. @param {Face} chosen @param {(face: Face) => void} choose */
export function facePicker(chosen, choose) {
  const name = `face-${groupCount++}`;
  const options = FACES.map((face) => {
    const input = h("input", { type: "radio", name, value: face, checked: face === chosen, tLabel: `face.${face}` });
    input.addEventListener("change", () => choose(face));
    return h("label", { class: "face-option" }, input, drawnFace(PEOPLE[face]));
  });
  return h("div", { class: "face-picker", role: "radiogroup", tLabel: "face.title" }, ...options);
}

/**
 * A button that shows a face, and lets you choose another one.
 * @param {() => Face} current @param {(face: Face) => void} choose
 * @param {{key: string, values?: Record<string, any>}} [label]
 * @returns {{button: HTMLButtonElement, show: () => void}} call `show` if the face was changed elsewhere
 */
export function faceButton(current, choose, label = { key: "face.title" }) {
  const button = h("button", { type: "button", class: "face-button", onclick: open });

  function show() {
    const face = current();
    setLabel(button, label.key, label.values);
    if (button.dataset.face === face) return;
    button.dataset.face = face;
    button.replaceChildren(drawnFace(PEOPLE[face]));
  }

  function open() {
    const picker = facePicker(current(), (face) => {
      choose(face);
      show();
    });
    const dialog = openDialog("faces-dialog", "face.title", picker);
    /** @type {HTMLElement | null} */ (picker.querySelector(":checked"))?.focus();
    // Arrow keys only move from face to face; a click on a face or Enter closes the dialog.
    picker.addEventListener("click", ({ target, detail }) => {
      if (detail > 0 && /** @type {Element} */ (target).closest(".face-option")) setTimeout(() => dialog.close());
    });
    picker.addEventListener("keydown", (event) => event.key === "Enter" && dialog.close());
  }

  show();
  return { button, show };
}
