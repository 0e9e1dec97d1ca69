/** "My games", page by page: those that go on, and those that are over. */

import { ApiError, myGames } from "../server/api.js";
import { h, setText } from "../browser/dom.js";
import { winnerWords } from "../game/ending.js";
import { dated, listed, t } from "../language/i18n.js";
import { accountSection } from "./account.js";
import { seatName } from "../language/words.js";
import { topBar } from "../page/header.js";

/** @typedef {import("../types.js").Summary} Summary */

export class GamesPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.go = go;
    /** @type {import("../types.js").MyGames | null} All that was read so far. */
    this.mine = null;
    this.more = h("button", { type: "button", class: "button", t: "games.more", hidden: true, onclick: () => this.showMore() });
    this.lists = h("div", { class: "games", "aria-busy": "true" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.wins = h("div", {});
    root.replaceChildren(
      h("div", { class: "page" }, topBar(go, "games.title"), h("main", {}, h("h1", { t: "games.title" }), this.lists, this.problem, this.more, this.wins)),
    );
    root.querySelector("main")?.append(accountSection());
    this.onLanguage = () => this.show();
    document.addEventListener("language", this.onLanguage);
    void this.load();
  }

  close() {
    document.removeEventListener("language", this.onLanguage);
  }

  async load() {
    this.problem.hidden = true;
    try {
      const page = await myGames(this.mine?.next ?? undefined);
      const known = new Set(this.mine?.games.map(({ game }) => game));
      this.mine = { ...page, games: [...(this.mine?.games ?? []), ...page.games.filter(({ game }) => !known.has(game))] };
      this.show();
    } catch (error) {
      this.problem.hidden = false;
      setText(this.problem, `problem.${error instanceof ApiError ? error.code : "failed"}`);
    }
    this.lists.removeAttribute("aria-busy");
  }

  async showMore() {
    const before = this.mine?.games.length ?? 0;
    await this.load();
    /** @type {NodeListOf<HTMLElement>} */
    const links = this.lists.querySelectorAll("a:not(.button)");
    links.item(before)?.focus(); // The button may be gone by now.
  }

  show() {
    if (!this.mine) return;
    const { games, wins, next } = this.mine;
    this.more.hidden = next === null;
    const running = games.filter(({ over }) => !over).sort((a, b) => Number(waitsForMe(b)) - Number(waitsForMe(a)));
    const finished = games.filter(({ over }) => over);
    const parts = [];
    if (running.length) parts.push(h("h2", { t: "games.running" }), this.list(running));
    if (finished.length) parts.push(h("h2", { t: "games.finished" }), this.list(finished));
    this.wins.replaceChildren(...(wins.length ? [winsTable(wins)] : []));
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

/** How often I won, by rules. @param {import("../types.js").Wins[]} wins */
function winsTable(wins) {
  const rows = wins.map(({ preset, played, won }) =>
    h("tr", {}, h("th", { scope: "row" }, t(preset ? `preset.${preset}` : "preset.custom")), h("td", {}, String(played)), h("td", {}, String(won))),
  );
  const head = h("tr", {}, h("th", { scope: "col", t: "setup.rules" }), h("th", { scope: "col", t: "games.played" }), h("th", { scope: "col", t: "games.won" }));
  return h("table", { class: "wins" }, h("caption", { t: "games.wins" }), h("thead", {}, head), h("tbody", {}, ...rows));
}
