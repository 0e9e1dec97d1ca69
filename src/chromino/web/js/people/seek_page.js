/** "Find an opponent": look for someone who wants the same rules. After a while, you can play a bot instead. */

import { say } from "../browser/announce.js";
import { h, setText } from "../browser/dom.js";
import { changeSettings, settings } from "../browser/settings.js";
import { faceButton, myFace, setMyFace } from "../dialogs/face_picker.js";
import { t } from "../language/i18n.js";
import { limitWords } from "../language/words.js";
import { toggle } from "../page/controls.js";
import { PEOPLE } from "../page/faces.js";
import { frame } from "../page/frame.js";
import { drawnFace, face, icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { seek, stopSeeking } from "../server/api.js";
import { startGame, takePart } from "../server/dealing.js";
import { BOTS, quickGame } from "../start/quick_game.js";
import { Search } from "./search.js";

/** Only a few choices, so it's easy to find someone. @type {Record<string, Partial<import("../types.js").Rules>>} */
const RULES = { classic: {}, junior: { joining: "ends" }, expert: { scoring: "expert" } };
const TURN_LIMIT = 180; // Seconds. The server has the same limit.

/** The rules that this person last looked for. */
function chosenPreset() {
  return settings.seekRules in RULES ? settings.seekRules : "classic";
}

export class SeekPage extends Page {
  /** The last announcement. */
  announced = "";
  /** @type {unknown} Why the game against a bot couldn't start. */
  botProblem = null;

  /** @param {(path: string) => void} go */
  constructor(go) {
    super(go);
    this.problem = problemLine();
    this.name = h("input", { name: "name", maxlength: 40, autocomplete: "nickname", value: settings.name });
    this.face = faceButton(() => myFace(this.name.value), setMyFace);
    this.name.addEventListener("input", () => this.face.show());
    this.form = h(
      "form",
      { class: "sit" },
      this.face.button,
      h("label", {}, h("span", { t: "join.name" }), this.name),
      h("button", { type: "submit", class: "button primary", t: "seek.find" }),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    this.status = h("p", { class: "seek-status" });
    this.more = h("p", { class: "muted" });
    this.faces = h("div", { class: "seek-faces", "aria-hidden": "true" });
    this.botButton = h("button", { type: "button", class: "button primary", onclick: () => this.playBot() });
    this.bot = h("div", { class: "seek-bot", hidden: true }, h("p", { t: "seek.nobody" }), this.botButton);
    this.stopButton = h("button", { type: "button", class: "button", t: "seek.stop", onclick: () => this.stop() });
    this.searching = h(
      "section",
      { class: "seek", tLabel: "seek.title", hidden: true },
      this.faces,
      this.status,
      this.more,
      this.bot,
      this.stopButton,
    );
    this.rules = h(
      "select",
      {},
      ...Object.keys(RULES).map((name) =>
        h("option", { value: name, selected: name === chosenPreset(), t: `preset.${name}` }),
      ),
    );
    this.rules.addEventListener("change", () => this.choose({ seekRules: this.rules.value }));
    this.content = frame(
      go,
      { main: "gathering" },
      h("h1", { t: "seek.title" }),
      this.form,
      this.searching,
      this.problem,
      h(
        "div",
        { class: "seek-choices" },
        h("label", { class: "choice" }, h("span", { t: "setup.rules" }), this.rules),
        toggle("setup.rated", settings.seekRated, (seekRated) => this.choose({ seekRated })),
      ),
    );
    this.search = new Search({
      seek,
      stop: stopSeeking,
      takePart: (game, deal) => takePart(game, deal, true),
      after: (milliseconds, action) => this.after(milliseconds, action),
      changed: () => this.show(),
      started: (game) => go(`/game/${game}`),
    });
  }

  /** @override */
  start() {
    this.listen(window, "pagehide", () => this.search.stop());
    if (settings.name) this.begin();
    else this.name.focus();
  }

  /** @override */
  close() {
    super.close();
    this.search.stop();
  }

  /** @param {Partial<import("../browser/settings.js").Settings>} changes */
  choose(changes) {
    changeSettings(changes);
    this.search.change(this.criteria());
    this.show();
  }

  criteria() {
    const rules = RULES[chosenPreset()] ?? {};
    return { name: settings.name, face: settings.face || null, rules, rated: settings.seekRated };
  }

  begin() {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    changeSettings({ name });
    void this.search.begin(this.criteria());
    this.stopButton.focus();
  }

  stop() {
    this.search.stop();
    this.name.focus();
  }

  /** Play a bot instead, right away. */
  async playBot() {
    this.botProblem = null;
    try {
      const game = await startGame({ ...quickGame(), rules: RULES[chosenPreset()] ?? {} });
      this.search.stop();
      this.go(`/game/${game}`);
    } catch (error) {
      this.botProblem = error;
      this.show();
    }
  }

  /** @override */
  show() {
    const { phase, offersBot, missedOpponent, problem } = this.search;
    const isSearching = phase !== "idle";
    this.form.hidden = isSearching;
    this.searching.hidden = !isSearching;
    const shownProblem = problem ?? this.botProblem;
    this.problem.hidden = !shownProblem;
    if (shownProblem) showProblem(this.problem, shownProblem);
    if (!isSearching) this.announced = "";
    if (!isSearching || this.isClosed) return;
    const isFound = phase === "found";
    const key = isFound ? "seek.found" : missedOpponent ? "seek.lost" : "seek.looking";
    const preset = t(`preset.${chosenPreset()}`);
    setText(this.status, key, { preset });
    setText(this.more, settings.seekRated ? "seek.about_rated" : "seek.about", { limit: limitWords(TURN_LIMIT) });
    const bot = BOTS[settings.level - 1] ?? "snail";
    this.bot.hidden = !offersBot || isFound;
    this.botButton.replaceChildren(face({ bot, name: bot }), h("span", {}, t("seek.bot", { name: t(`bot.${bot}`) })));
    this.more.hidden = isFound;
    this.faces.classList.toggle("found", isFound);
    this.faces.replaceChildren(
      drawnFace(PEOPLE[myFace()]),
      h("span", { class: "seek-dots" }, h("i"), h("i"), h("i")),
      h("span", { class: "seek-other" }, icon(isFound ? "play" : "help")),
    );
    this.announce(isFound || !offersBot ? t(key, { preset }) : `${t("seek.nobody")} ${this.botButton.textContent}`);
  }

  /** Announce each change once, for people who can't see the screen. @param {string} words */
  announce(words) {
    if (words === this.announced) return;
    this.announced = words;
    say(words);
  }
}
