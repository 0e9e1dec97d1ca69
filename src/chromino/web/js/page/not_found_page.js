/** Shown for addresses that don't exist, and for pages that can't be loaded. */

import { h } from "../browser/dom.js";
import { frame } from "./frame.js";
import { Page } from "./page.js";

export class NotFoundPage extends Page {
  /** @param {(path: string) => void} go @param {string} why a catalog key */
  constructor(go, why = "problem.no-such-page") {
    super(go);
    const home = h("button", { type: "button", class: "button primary", t: "nav.home", onclick: () => go("/") });
    this.content = frame(
      go,
      {},
      h("h1", { t: why === "problem.no-such-page" ? "title.not_found" : "title.no_server" }),
      h("p", { t: why }),
      h("p", {}, home),
    );
  }
}
