/** The lobby: gatherings that are open to anyone. */

import { h } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { limitWords, personName } from "../language/words.js";
import { frame } from "../page/frame.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemKey } from "../page/problem.js";
import { lobby } from "../server/api.js";

/** @typedef {import("../types.js").Gathering} Gathering */

const AGAIN = 5000; // Milliseconds between updates.

export class LobbyPage extends Page {
  /** @type {Gathering[] | null} */
  gatherings = null;

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.list = h("div", { class: "games", "aria-busy": "true" });
    const open = h("button", {
      type: "button",
      class: "button primary",
      t: "lobby.open",
      onclick: () => go("/new?friends"),
    });
    this.content = frame(go, {}, h("h1", { t: "lobby.title" }), this.list, open);
  }

  /** @override */
  start() {
    void this.load();
  }

  async load() {
    try {
      const gatherings = await lobby();
      // Don't render the same list again: that would lose the focus.
      if (JSON.stringify(gatherings) !== JSON.stringify(this.gatherings)) {
        this.gatherings = gatherings;
        this.show();
      }
    } catch (error) {
      this.list.replaceChildren(h("p", { class: "problem", t: problemKey(error) }));
      this.gatherings = null;
    }
    this.list.removeAttribute("aria-busy");
    this.after(AGAIN, () => void this.load());
  }

  /** @override */
  show() {
    if (!this.gatherings) return;
    const lines = this.gatherings.map((gathering) => h("li", {}, this.line(gathering)));
    this.list.replaceChildren(lines.length ? h("ul", { class: "game-list" }, ...lines) : h("p", { t: "lobby.none" }));
  }

  /** @param {Gathering} gathering */
  line({ game, chairs, preset, turn_limit, rated }) {
    const people = chairs.filter(({ kind }) => kind === "person").map(({ name, program }) => personName(name, program));
    const free = chairs.filter(({ kind }) => kind === "free").length;
    const facts = [t(preset ? `preset.${preset}` : "preset.custom"), t("join.waiting", { n: free })];
    if (rated) facts.push(t("game.rated"));
    if (turn_limit) facts.push(limitWords(turn_limit));
    return linkTo(this.go, `/join/${game}`, {}, h("strong", {}, listed(people)), h("span", {}, facts.join(" · ")));
  }
}
