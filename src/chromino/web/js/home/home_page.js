/** The first page: a game in one click, or one's own choice. */

import { ApiError, myGames, startGame } from "../server/api.js";
import { tilePicture } from "../table/tile_art.js";
import { h, setAttribute, setText } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { change, settings } from "../browser/settings.js";
import { topBar } from "../page/header.js";
import { face } from "../page/icons.js";
import { linkTo, linkCard } from "../page/links.js";
import { BOTS, quickGame } from "../start/quick_game.js";

/** The name in tiles. */
function logo() {
  return h(
    "div",
    { class: "logo", "aria-hidden": "true" },
    tilePicture("RGB"),
    tilePicture("Y*P"),
    tilePicture("BYR"),
  );
}

export class HomePage {
  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.go = go;
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.playButton = h("button", { type: "button", class: "button primary big", onclick: () => this.playNow() });
    this.about = h("p", { class: "level-about" });
    this.onward = h("p", { class: "onward", hidden: true });
    this.newcomer = h("p", { class: "newcomer", hidden: true }, linkTo("/learn", "home.newcomer", "button", go));
    this.levels = h(
      "fieldset",
      { class: "levels" },
      h("legend", { t: "home.level" }),
      ...BOTS.map((bot, index) => this.levelChoice(bot, index + 1)),
    );
    root.replaceChildren(
      h(
        "div",
        { class: "page home" },
        topBar(go),
        h(
          "main",
          {},
          logo(),
          h("h1", { t: "title" }),
          h("p", { class: "lead", t: "home.lead" }),
          this.onward,
          this.playButton,
          this.newcomer,
          this.levels,
          this.about,
          this.problem,
          h(
            "nav",
            { class: "ways", tLabel: "home.ways" },
            linkCard("/new", "home.choose", "home.choose_about", go),
            linkCard("/new?together", "home.together", "home.together_about", go),
            linkCard("/new?friends", "home.friends", "home.friends_about", go),
            linkCard("/lobby", "lobby.title", "home.lobby_about", go),
            linkCard("/conundrums", "conundrum.title", "conundrum.about", go),
            linkCard("/games", "games.title", "home.games_about", go),
            linkCard("/ratings", "ratings.title", "home.ratings_about", go),
            linkCard("/learn", "home.learn", "home.learn_about", go),
            linkCard("/rules", "rules.title", "rules.about", go),
            linkCard("/practice", "practice.title", "practice.about", go),
          ),
        ),
      ),
    );
    this.show();
    this.onLanguage = () => this.show();
    document.addEventListener("language", this.onLanguage);
    void this.findGame();
  }

  close() {
    document.removeEventListener("language", this.onLanguage);
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

  show() {
    const bot = BOTS[settings.level - 1] ?? "snail";
    setText(this.playButton, "home.play");
    setText(this.about, `bot.${bot}_about`);
  }

  async playNow() {
    setAttribute(this.playButton, "aria-busy", "true");
    try {
      this.go(`/game/${await startGame(quickGame())}`);
    } catch (error) {
      this.problem.hidden = false;
      setText(this.problem, `problem.${error instanceof ApiError ? error.code : "failed"}`);
    } finally {
      setAttribute(this.playButton, "aria-busy", null);
    }
  }

  /** A game that waits for us is one click away. */
  async findGame() {
    const { games } = await myGames().catch(() => ({ games: [] }));
    this.newcomer.hidden = games.length > 0;
    const waiting = games.find((game) => !game.over);
    this.onward.hidden = !waiting;
    if (!waiting) return;
    const link = linkTo(`/game/${waiting.game}`, "home.onward", "button", this.go);
    setText(link, "home.onward", { n: waiting.tiles });
    this.onward.replaceChildren(link);
  }
}
