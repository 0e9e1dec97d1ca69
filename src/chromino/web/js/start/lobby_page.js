/** The lobby: tables that are open to anyone. */

import { ApiError, lobby } from "../server/api.js";
import { h } from "../browser/dom.js";
import { listed, t } from "../language/i18n.js";
import { limitWords } from "../language/words.js";
import { topBar } from "../page/header.js";

const AGAIN = 5000; // Milliseconds between two looks.

export class LobbyPage {
  life = new AbortController();
  /** @type {import("../types.js").Gathering[] | null} */
  tables = null;

  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.go = go;
    this.list = h("div", { class: "games", "aria-busy": "true" });
    const open = h("button", { type: "button", class: "button primary", t: "lobby.open", onclick: () => go("/new?friends") });
    root.replaceChildren(
      h("div", { class: "page" }, topBar(go, "lobby.title"), h("main", {}, h("h1", { t: "lobby.title" }), this.list, open)),
    );
    document.addEventListener("language", () => this.show(), { signal: this.life.signal });
    void this.load();
  }

  close() {
    this.life.abort();
  }

  async load() {
    if (this.life.signal.aborted) return;
    try {
      const tables = await lobby();
      // What is the same stays, and with it the focus.
      if (JSON.stringify(tables) !== JSON.stringify(this.tables)) {
        this.tables = tables;
        this.show();
      }
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "failed";
      this.list.replaceChildren(h("p", { class: "problem", t: `problem.${code}` }));
      this.tables = null;
    }
    this.list.removeAttribute("aria-busy");
    setTimeout(() => this.load(), AGAIN);
  }

  show() {
    if (!this.tables) return;
    const lines = this.tables.map((table) => h("li", {}, this.line(table)));
    this.list.replaceChildren(lines.length ? h("ul", { class: "game-list" }, ...lines) : h("p", { t: "lobby.none" }));
  }

  /** @param {import("../types.js").Gathering} table */
  line({ game, chairs, preset, turn_limit }) {
    const people = chairs.filter(({ kind }) => kind === "person").map(({ name }) => name);
    const free = chairs.filter(({ kind }) => kind === "free").length;
    const facts = [t(preset ? `preset.${preset}` : "preset.custom"), t("join.waiting", { n: free })];
    if (turn_limit) facts.push(limitWords(turn_limit));
    const link = h("a", { href: `/join/${game}` }, h("strong", {}, listed(people)), h("span", {}, facts.join(" · ")));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.go(`/join/${game}`);
    });
    return link;
  }
}
