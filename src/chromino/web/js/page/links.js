/** Links that change the page without a reload. */

import { h } from "../browser/dom.js";

/** @typedef {(path: string) => void} Go */

/**
 * @param {Go} go @param {string} path
 * @param {import("../browser/dom.js").Props} [props] @param {...(Node | string | null)} content
 */
export function linkTo(go, path, props = {}, ...content) {
  const link = h("a", { ...props, href: path }, ...content);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(link.getAttribute("href") ?? "/");
  });
  return link;
}

/**
 * A link as a card, with a title and a sentence about it.
 * @param {Go} go
 * @param {string} path
 * @param {string} title a catalog key
 * @param {string} about a catalog key
 */
export function linkCard(go, path, title, about) {
  return linkTo(go, path, { class: "way" }, h("strong", { t: title }), h("span", { t: about }));
}
