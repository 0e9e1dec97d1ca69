/** Makes and updates elements. */

import { t } from "../language/i18n.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, any>} Props attributes by name; `t` and `tLabel` are catalog keys, whose text is
 * translated again when the language changes; `on*` are listeners.
 */

/**
 * Make an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Node | string | null | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, props);
  element.append(...children.filter(Boolean).map((child) => /** @type {Node | string} */ (child)));
  return element;
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  assign(element, props);
  element.append(...children);
  return element;
}

/**
 * @param {Element} element
 * @param {Props} props
 */
function assign(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "t") setText(/** @type {HTMLElement} */ (element), value);
    else if (name === "tLabel") setLabel(/** @type {HTMLElement} */ (element), value);
    else setAttribute(element, name, value);
  }
}

/**
 * Set an attribute, or remove it if the value is null, undefined or false. If the attribute already has that value,
 * do nothing.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Set an element's text to the one with this key in the catalog. It's translated again when the language changes.
 * @param {HTMLElement} element
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function setText(element, key, values) {
  element.dataset.t = key;
  if (values) element.dataset.tValues = JSON.stringify(values);
  else delete element.dataset.tValues;
  const text = t(key, values);
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set an element's text directly, without a key. The caller must set it again when the language changes.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setPlainText(element, text) {
  delete element.dataset.t;
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set an element's accessible name to the text with this key in the catalog. A button also gets it as a tooltip. Both
 * are translated again when the language changes.
 * @param {HTMLElement} element
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function setLabel(element, key, values) {
  element.dataset.tLabel = key;
  if (values) element.dataset.tLabelValues = JSON.stringify(values);
  else delete element.dataset.tLabelValues;
  const text = t(key, values);
  setAttribute(element, "aria-label", text);
  if (element instanceof HTMLButtonElement) setAttribute(element, "title", text);
}

/** Retranslate everything that was set by key. */
export function retranslate() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-t]"))) {
    setText(element, element.dataset.t ?? "", parsed(element.dataset.tValues));
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-t-label]"))) {
    setLabel(element, element.dataset.tLabel ?? "", parsed(element.dataset.tLabelValues));
  }
}

/** @param {string | undefined} text */
function parsed(text) {
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Give a parent one child per item, in order. Children with the same key are reused, to keep focus and animations.
 * @template T
 * @template {Element} E
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => E} make
 * @param {(element: E, item: T, index: number) => void} update
 */
export function keyed(parent, items, key, make, update) {
  const old = new Map([...parent.children].map((child) => [child.getAttribute("data-key"), child]));
  /** @type {Element | null} */
  let before = null;
  items.forEach((item, index) => {
    const name = key(item);
    let element = /** @type {E | undefined} */ (old.get(name));
    if (element) old.delete(name);
    else {
      element = make(item);
      element.setAttribute("data-key", name);
    }
    update(element, item, index);
    const wanted = before ? before.nextElementSibling : parent.firstElementChild;
    if (wanted !== element) parent.insertBefore(element, wanted);
    before = element;
  });
  for (const element of old.values()) element.remove();
}

/** Does the user prefer reduced motion? */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
