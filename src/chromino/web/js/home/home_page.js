/** The home page: a game in one click, and links to everything else. */

import { h, setAttribute, setText } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { frame } from "../page/frame.js";
import { face } from "../page/icons.js";
import { linkCard, linkTo } from "../page/links.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { myAccount, myGames } from "../server/api.js";
import { startGame } from "../server/dealing.js";
import { BOTS, quickGame } from "../start/quick_game.js";
import { tilePicture } from "../table/tile_art.js";
import { showNewRecoveryCode } from "./recovery.js";

const WORTH_KEEPING = 3; // Finished games.

/** @type {[path: string, title: string, about: string][]} */
const WAYS = [
  ["/new", "home.choose", "home.choose_about"],
  ["/new?together", "home.together", "home.together_about"],
  ["/new?friends", "home.friends", "home.friends_about"],
  ["/lobby", "lobby.title", "home.lobby_about"],
  ["/conundrums", "conundrum.title", "conundrum.about"],
  ["/games", "games.title", "home.games_about"],
  ["/ratings", "ratings.title", "home.ratings_about"],
  ["/learn", "home.learn", "home.learn_about"],
  ["/rules", "rules.title", "rules.about"],
  ["/practice", "practice.title", "practice.about"],
];

export class HomePage extends Page {
  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.problem = problemLine();
    this.playButton = h("button", {
      type: "button",
      class: "button primary big",
      t: "home.play",
      onclick: () => this.playNow(),
    });
    this.about = h("p", { class: "level-about" });
    this.onward = h("p", { class: "onward", hidden: true });
    this.offer = h(
      "p",
      { class: "offer", hidden: true },
      h("span", { t: "me.offer" }),
      h("button", { type: "button", class: "button", t: "me.recovery_make", onclick: () => this.makeRecovery() }),
      h("button", { type: "button", class: "button", t: "me.not_now", onclick: () => this.declineRecovery() }),
    );
    this.newcomer = h(
      "p",
      { class: "newcomer", hidden: true },
      linkTo(go, "/learn", { class: "button", t: "home.newcomer" }),
    );
    this.levels = h(
      "fieldset",
      { class: "levels" },
      h("legend", { t: "home.level" }),
      ...BOTS.map((bot, index) => this.levelChoice(bot, index + 1)),
    );
    this.content = frame(
      go,
      { looks: "home", isHome: true },
      logo(),
      h("h1", { t: "title" }),
      h("p", { class: "lead", t: "home.lead" }),
      this.onward,
      this.playButton,
      this.newcomer,
      this.levels,
      this.about,
      this.problem,
      this.offer,
      h(
        "nav",
        { class: "ways", tLabel: "home.ways" },
        ...WAYS.map(([path, title, about]) => linkCard(go, path, title, about)),
      ),
    );
  }

  /** @override */
  start() {
    this.show();
    void this.findGame();
  }

  /** @param {string} bot @param {number} level */
  levelChoice(bot, level) {
    const input = h("input", { type: "radio", name: "level", value: level, checked: settings.level === level });
    input.addEventListener("change", () => {
      change({ level });
      this.show();
    });
    return h("label", { class: "level" }, input, face({ bot, name: bot }), h("span", { t: `bot.${bot}` }));
  }

  /** @override */
  show() {
    setText(this.about, `bot.${BOTS[settings.level - 1] ?? "snail"}_about`);
  }

  async playNow() {
    setAttribute(this.playButton, "aria-busy", "true");
    try {
      this.go(`/game/${await startGame(quickGame())}`);
    } catch (error) {
      showProblem(this.problem, error);
    } finally {
      setAttribute(this.playButton, "aria-busy", null);
    }
  }

  /** Offer a recovery code to someone who'd lose something, until they answer. @param {number} played */
  async offerRecovery(played) {
    if (settings.recoveryOffered || played < WORTH_KEEPING) return;
    const account = await myAccount().catch(() => null);
    this.offer.hidden = account === null || account.recovery_made !== null;
  }

  async makeRecovery() {
    try {
      await showNewRecoveryCode();
      this.offer.hidden = true;
    } catch (error) {
      showProblem(this.problem, error);
    }
  }

  declineRecovery() {
    change({ recoveryOffered: true });
    this.offer.hidden = true;
    this.playButton.focus();
  }

  /** Link to a game that's still running. */
  async findGame() {
    const { games, wins } = await myGames().catch(() => ({ games: [], wins: [] }));
    void this.offerRecovery(wins.reduce((sum, { played }) => sum + played, 0));
    this.newcomer.hidden = games.length > 0;
    const waiting = games.find((game) => !game.over);
    this.onward.hidden = !waiting;
    if (!waiting) return;
    const link = linkTo(this.go, `/game/${waiting.game}`, { class: "button" });
    setText(link, "home.onward", { n: waiting.tiles });
    this.onward.replaceChildren(link);
  }
}

/** The name in tiles. */
function logo() {
  return h("div", { class: "logo", "aria-hidden": "true" }, ...["RGB", "Y*P", "BYR"].map((tile) => tilePicture(tile)));
}
