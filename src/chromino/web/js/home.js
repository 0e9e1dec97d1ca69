/** The first page: a game in one click, or one's own choice. */

import { ApiError, myGames, startGame } from "./api.js";
import { face, icon, tilePicture } from "./art.js";
import { languageChoice, openHelp, openSettings } from "./dialogs.js";
import { h, setAttribute, setLabel, setText } from "./dom.js";
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";

export const BOTS = ["snail", "hedgehog", "fox", "owl", "dragon"];

/** The bar that all pages but the table share. @param {(path: string) => void} go @param {string} [title] a key */
export function topBar(go, title) {
  const home = h("button", { type: "button", class: "icon-button", onclick: () => go("/") }, icon("home"));
  setLabel(home, "nav.home");
  const set = h("button", { type: "button", class: "icon-button", onclick: () => openSettings() }, icon("settings"));
  setLabel(set, "settings.title");
  const help = h("button", { type: "button", class: "icon-button", onclick: () => openHelp() }, icon("help"));
  setLabel(help, "help.title");
  return h("header", { class: "bar" }, title ? home : null, h("span", { class: "bar-space" }), languageChoice(), set, help);
}

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
            way("/new", "home.choose", "home.choose_about", go),
            way("/new?together", "home.together", "home.together_about", go),
            way("/new?friends", "home.friends", "home.friends_about", go),
            way("/lobby", "lobby.title", "home.lobby_about", go),
            way("/conundrums", "conundrum.title", "conundrum.about", go),
            way("/games", "games.title", "home.games_about", go),
            way("/ratings", "ratings.title", "home.ratings_about", go),
            way("/learn", "home.learn", "home.learn_about", go),
            way("/rules", "rules.title", "rules.about", go),
            way("/practice", "practice.title", "practice.about", go),
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

/** An address that leads nowhere. */
export class NothingPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go @param {string} why */
  constructor(root, go, why = "problem.no-such-page") {
    const home = h("button", { type: "button", class: "button primary", t: "nav.home", onclick: () => go("/") });
    const main = h("main", {}, h("h1", { t: "title" }), h("p", { t: why }), h("p", {}, home));
    root.replaceChildren(h("div", { class: "page" }, topBar(go, "title"), main));
  }

  close() {}
}

/** One person against one bot, of the level that was last chosen unless told otherwise. @returns {import("./types.js").NewGame} */
export function quickGame(level = settings.level) {
  const bot = BOTS[level - 1] ?? "snail";
  return {
    seats: [
      { kind: "me", name: settings.name || t("setup.player", { n: 1 }) },
      { kind: "bot", name: t(`bot.${bot}`), level },
    ],
    rules: {},
    first: null,
    aids: true,
    pace: true,
  };
}

/** @param {string} path @param {string} title @param {string} about @param {(path: string) => void} go */
export function way(path, title, about, go) {
  const link = linkTo(path, null, "way", go);
  link.append(h("strong", { t: title }), h("span", { t: about }));
  return link;
}

/** A link that changes the page without loading it anew. @param {string} path @param {string | null} words a key @param {string} looks @param {(path: string) => void} go */
export function linkTo(path, words, looks, go) {
  const link = h("a", { class: looks, href: path, ...(words ? { t: words } : {}) });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(path);
  });
  return link;
}
