/** The lobby: gatherings that are open to anyone. */

import { h } from "../browser/dom.js";
import { gameLine, waitsForMe } from "../home/game_line.js";
import { listed, t } from "../language/i18n.js";
import { limitWords, personName } from "../language/words.js";
import { facesOf } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { face, icon } from "../page/icons.js";
import { linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemKey, problemLine, showProblem } from "../page/problem.js";
import { lobby, myGames } from "../server/api.js";
import { BOTS } from "./quick_game.js";
import { openTable } from "./quick_table.js";

/** @typedef {import("../types.js").Gathering} Gathering */

const PAUSE = 5000; // Milliseconds between updates.
const MAX_MY_GAMES = 3; // How many of my games to show: this is a reminder, not the full list.

export class LobbyPage extends Page {
  /** @type {Gathering[] | null} */
  gatherings = null;

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.problem = problemLine();
    this.list = h("div", { class: "games", "aria-busy": "true" });
    const openButton = h("button", {
      type: "button",
      class: "button",
      t: "lobby.open",
      onclick: () => void this.openTable(),
    });
    /** @type {import("../types.js").Summary[]} Games in which it's my turn. */
    this.myTurns = [];
    this.mine = h("section", { class: "games", hidden: true });
    const seekLink = linkTo(go, "/play", { class: "button primary", t: "seek.title" });
    const buttons = h("div", { class: "buttons" }, seekLink, openButton);
    this.content = frame(go, {}, h("h1", { t: "lobby.title" }), this.mine, this.list, buttons, this.problem);
  }

  /** @override */
  start() {
    void this.load();
    void this.loadMyTurns().catch(() => {}); // If this fails, the rest of the page still works.
  }

  async openTable() {
    try {
      this.go(`/join/${await openTable({ public: true })}`);
    } catch (error) {
      showProblem(this.problem, error);
    }
  }

  async loadMyTurns() {
    const { games } = await myGames();
    this.myTurns = games.filter((game) => !game.over && waitsForMe(game)).slice(0, MAX_MY_GAMES);
    this.show();
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
    this.after(PAUSE, () => void this.load());
  }

  /** @override */
  show() {
    this.mine.hidden = !this.myTurns.length;
    if (this.myTurns.length)
      this.mine.replaceChildren(
        h("h2", { t: "games.your_turn" }),
        h("ul", { class: "game-list" }, ...this.myTurns.map((game) => h("li", {}, gameLine(this.go, game)))),
      );
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
    const isMine = chairs.some(({ mine }) => mine);
    return linkTo(
      this.go,
      `/join/${game}`,
      {},
      h("strong", {}, listed(people)),
      h("span", {}, facts.join(" · ")),
      h("span", { class: "game-foot" }, chairFaces(chairs), isMine && h("span", { class: "mark", t: "lobby.yours" })),
    );
  }
}

/** Everyone's face, and a plus sign for each free seat. @param {import("../types.js").Chair[]} chairs */
function chairFaces(chairs) {
  const faces = facesOf(chairs);
  const pictures = chairs.map(({ kind, name, level }, seat) =>
    kind === "free"
      ? h("span", { class: "free-chair" }, icon("plus"))
      : face({ bot: level ? (BOTS[level - 1] ?? null) : null, name, personFace: faces[seat] }),
  );
  return h("span", { class: "faces", "aria-hidden": "true" }, ...pictures);
}
