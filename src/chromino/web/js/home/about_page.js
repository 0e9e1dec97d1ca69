/** The About page: what this site is, and who made the game. */

import { h } from "../browser/dom.js";
import { frame } from "../page/frame.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";

export class AboutPage extends Page {
  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.content = frame(
      go,
      { main: "about" },
      h("h1", { t: "about.title" }),
      h("p", { class: "lead", t: "about.game" }),
      h("p", { t: "about.credits" }),
      h("p", { t: "about.project" }),
      h("p", { t: "about.private" }),
      h(
        "p",
        { class: "buttons" },
        linkTo(go, "/rules", { class: "button", t: "rules.title" }),
        linkTo(go, "/learn", { class: "button", t: "home.learn" }),
      ),
    );
  }
}
