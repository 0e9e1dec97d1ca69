/** Links that change the page without loading it anew. */

import { h } from "../browser/dom.js";

/** @param {string} path @param {string} title @param {string} about @param {(path: string) => void} go */
export function linkCard(path, title, about, go) {
  const link = linkTo(path, null, "way", go);
  link.append(h("strong", { t: title }), h("span", { t: about }));
  return link;
}

/** A link that changes the page without loading it anew. @param {string} path @param {string | null} words a key @param {string} looks @param {(path: string) => void} go */
export function linkTo(path, words, looks, go) {
  const link = h("a", { class: looks, href: path, ...(words ? { t: words } : {}) });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(path);
  });
  return link;
}
