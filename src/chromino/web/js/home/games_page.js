/** "My games": first those in progress, then the finished ones. They're loaded page by page. */

import { h } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { frame } from "../page/frame.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { myGames } from "../server/api.js";
import { accountSection } from "./account.js";
import { gameLine, waitsForMe } from "./game_line.js";

/** @typedef {import("../types.js").Summary} Summary */

export class GamesPage extends Page {
  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    /** @type {import("../types.js").MyGames | null} Everything loaded so far. */
    this.mine = null;
    this.moreButton = h("button", {
      type: "button",
      class: "button",
      t: "games.more",
      hidden: true,
      onclick: () => this.showMore(),
    });
    this.lists = h("div", { class: "games", "aria-busy": "true" });
    this.problem = problemLine();
    this.wins = h("div", {});
    this.content = frame(
      go,
      {},
      h("h1", { t: "games.title" }),
      this.lists,
      this.problem,
      this.moreButton,
      this.wins,
      accountSection(),
    );
  }

  /** @override */
  start() {
    void this.load();
  }

  async load() {
    this.problem.hidden = true;
    try {
      const page = await myGames(this.mine?.next ?? undefined);
      const known = new Set(this.mine?.games.map(({ game }) => game));
      this.mine = {
        ...page,
        games: [...(this.mine?.games ?? []), ...page.games.filter(({ game }) => !known.has(game))],
      };
      this.show();
    } catch (error) {
      showProblem(this.problem, error);
    }
    this.lists.removeAttribute("aria-busy");
  }

  async showMore() {
    const previousCount = this.mine?.games.length ?? 0;
    await this.load();
    /** @type {NodeListOf<HTMLElement>} */
    const links = this.lists.querySelectorAll("a:not(.button)");
    links.item(previousCount)?.focus(); // The button that had the focus may be gone by now.
  }

  /** @override */
  show() {
    if (!this.mine) return;
    const { games, wins, next } = this.mine;
    this.moreButton.hidden = next === null;
    const running = games.filter(({ over }) => !over).sort((a, b) => Number(waitsForMe(b)) - Number(waitsForMe(a)));
    const finished = games.filter(({ over }) => over);
    const parts = [];
    if (running.length) parts.push(h("h2", { t: "games.running" }), this.list(running));
    if (finished.length) parts.push(h("h2", { t: "games.finished" }), this.list(finished));
    this.wins.replaceChildren(...(wins.length ? [winsTable(wins)] : []));
    if (!parts.length)
      parts.push(h("p", { t: "games.none" }), linkTo(this.go, "/", { class: "button primary", t: "home.play" }));
    this.lists.replaceChildren(...parts);
  }

  /** @param {Summary[]} games */
  list(games) {
    const items = games.map((game) => {
      const hasReview = game.over && game.seats.length > 1;
      return h(
        "li",
        {},
        gameLine(this.go, game),
        hasReview && linkTo(this.go, `/review/${game.game}`, { class: "button", t: "end.review" }),
      );
    });
    return h("ul", { class: "game-list" }, ...items);
  }
}

/** A table of my wins for each set of rules. @param {import("../types.js").Wins[]} wins */
function winsTable(wins) {
  const rows = wins.map(({ preset, played, won }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t(preset ? `preset.${preset}` : "preset.custom")),
      h("td", {}, String(played)),
      h("td", {}, String(won)),
    ),
  );
  const head = h(
    "tr",
    {},
    h("th", { scope: "col", t: "setup.rules" }),
    h("th", { scope: "col", t: "games.played" }),
    h("th", { scope: "col", t: "games.won" }),
  );
  return h(
    "table",
    { class: "wins" },
    h("caption", { t: "games.wins" }),
    h("thead", {}, head),
    h("tbody", {}, ...rows),
  );
}
