/** What an address shows that leads nowhere. */

import { h } from "../browser/dom.js";
import { topBar } from "./header.js";

/** An address that leads nowhere. */
export class NotFoundPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go @param {string} why */
  constructor(root, go, why = "problem.no-such-page") {
    const home = h("button", { type: "button", class: "button primary", t: "nav.home", onclick: () => go("/") });
    const main = h("main", {}, h("h1", { t: "title" }), h("p", { t: why }), h("p", {}, home));
    root.replaceChildren(h("div", { class: "page" }, topBar(go, "title"), main));
  }

  close() {}
}
