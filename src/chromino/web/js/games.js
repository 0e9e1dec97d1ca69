/** "My games": those that go on, and those that are over. */

import { ApiError, myGames } from "./api.js";
import { h } from "./dom.js";
import { winnerWords } from "./ending.js";
import { topBar } from "./home.js";
import { dated, listed, t } from "./i18n.js";
import { myself } from "./myself.js";
import { seatName } from "./words.js";

/** @typedef {import("./types.js").Summary} Summary */

export class GamesPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.go = go;
    /** @type {Summary[] | null} */
    this.games = null;
    this.lists = h("div", { class: "games", "aria-busy": "true" });
    root.replaceChildren(
      h("div", { class: "page" }, topBar(go, "games.title"), h("main", {}, h("h1", { t: "games.title" }), this.lists)),
    );
    root.querySelector("main")?.append(myself());
    this.onLanguage = () => this.show();
    document.addEventListener("language", this.onLanguage);
    void this.load();
  }

  close() {
    document.removeEventListener("language", this.onLanguage);
  }

  async load() {
    try {
      this.games = await myGames();
      this.show();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "failed";
      this.lists.replaceChildren(h("p", { class: "problem", role: "alert", t: `problem.${code}` }));
    }
    this.lists.removeAttribute("aria-busy");
  }

  show() {
    if (!this.games) return;
    const running = this.games.filter(({ over }) => !over).sort((a, b) => Number(waitsForMe(b)) - Number(waitsForMe(a)));
    const finished = this.games.filter(({ over }) => over);
    const parts = [];
    if (running.length) parts.push(h("h2", { t: "games.running" }), this.list(running));
    if (finished.length) parts.push(h("h2", { t: "games.finished" }), this.list(finished), winsTable(finished));
    if (!parts.length) {
      const link = h("a", { href: "/", class: "button primary", t: "home.play" });
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.go("/");
      });
      parts.push(h("p", { t: "games.none" }), link);
    }
    this.lists.replaceChildren(...parts);
  }

  /** @param {Summary[]} games */
  list(games) {
    return h("ul", { class: "game-list" }, ...games.map((game) => h("li", {}, this.line(game), game.over && game.seats.length > 1 && this.reviewLink(game))));
  }

  /** @param {Summary} game */
  reviewLink({ game }) {
    const path = `/review/${game}`;
    const link = h("a", { class: "button", href: path, t: "end.review" });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.go(path);
    });
    return link;
  }

  /** @param {Summary} game */
  line(game) {
    const path = game.over ? `/replay/${game.game}` : `/game/${game.game}`;
    const names = game.seats.map((_, seat) => seatName(game.seats, seat));
    const winners = game.winners.map((seat) => names[seat] ?? "");
    const standing = game.over ? winnerWords(winners) : t("games.turn", { name: names[game.seat] });
    const link = h(
      "a",
      { href: path },
      h("strong", {}, listed(names)),
      h("span", {}, `${t(game.preset ? `preset.${game.preset}` : "preset.custom")} · ${t("games.tiles", { n: game.tiles })}`),
      h("span", { class: "standing" }, standing),
      h("time", { datetime: game.updated }, dated(game.updated)),
    );
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.go(path);
    });
    return link;
  }
}

/** @param {Summary} game */
function waitsForMe({ seats, seat }) {
  return Boolean(seats[seat]?.mine);
}

/** How often I won, by rules. @param {Summary[]} games that are over */
function winsTable(games) {
  /** @type {Map<string, {played: number, won: number}>} */
  const byRules = new Map();
  for (const { preset, seats, winners } of games) {
    const name = t(preset ? `preset.${preset}` : "preset.custom");
    const line = byRules.get(name) ?? { played: 0, won: 0 };
    line.played += 1;
    line.won += winners.some((seat) => seats[seat]?.mine) ? 1 : 0;
    byRules.set(name, line);
  }
  const rows = [...byRules].map(([name, { played, won }]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(played)), h("td", {}, String(won))),
  );
  const head = h("tr", {}, h("th", { scope: "col", t: "setup.rules" }), h("th", { scope: "col", t: "games.played" }), h("th", { scope: "col", t: "games.won" }));
  return h("table", { class: "wins" }, h("caption", { t: "games.wins" }), h("thead", {}, head), h("tbody", {}, ...rows));
}
