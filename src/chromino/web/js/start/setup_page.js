/** Setting up a game: seats and rules. The server says which choices go together. */

import { h, setAttribute, setText, setWords } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { limitWords } from "../language/words.js";
import { toggle } from "../page/controls.js";
import { frame } from "../page/frame.js";
import { icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { checkRules } from "../server/api.js";
import { gather, startGame } from "../server/dealing.js";
import { showPresets } from "./preset_cards.js";
import { LONGEST_RATED_TURN, whyNotRated } from "./rated_game.js";
import { showRuleChoices, unusualChoices } from "./rule_choices.js";
import { SeatPills } from "./seat_pills.js";

/** @typedef {import("../types.js").NewGame} NewGame */
/** @typedef {import("../types.js").Options} Options */

const LIMITS = [0, 30, 60, 180, 86400]; // Seconds; 0: none.
const RATED_LIMIT = 60;

export class SetupPage extends Page {
  /** @type {Options | null} */
  options = null;
  /** Counts requests: answers to older ones are dropped. */
  asked = 0;
  /** The number of seats that the rules were checked for. */
  askedFor = 0;
  /** The seat that goes first, or -1 for a random one. */
  first = -1;
  wantsRated = false;
  aids = settings.setup?.aids ?? true;
  pace = settings.setup?.pace ?? true;
  /** @type {import("../types.js").Friends} */
  friends = { watch: true, public: false, turn_limit: null };
  pills = new SeatPills(() => this.onSeats());

  // What's behind "More".
  choices = h("div", { class: "choices" });
  firstSelect = h("select", {});
  limit = h("select", {});
  limitChoice = labeled("setup.limit", this.limit);
  rated = toggle("setup.rated", false, (on) => this.setRated(on));
  ratedInput = /** @type {HTMLInputElement} */ (this.rated.querySelector("input"));
  ratedAbout = h("p", { class: "why-not", id: "rated-about" });
  aidsToggle = toggle("setup.aids", this.aids, (aids) => (this.aids = aids));
  over = h("fieldset", { class: "switches", hidden: true }, h("legend", { t: "setup.friends" }));

  /** @param {(path: string) => void} go @param {string} way "together" here, with "friends" over a link, or any */
  constructor(go, way) {
    super(go);
    const last = settings.setup;
    if (way) {
      this.pills.add("me", settings.name);
      this.pills.add(way === "friends" ? "free" : "here");
    } else if (last)
      for (const { kind, name, level, face } of last.seats) this.pills.add(kind, name, level ?? 1, face ?? null);
    else {
      this.pills.add("me", settings.name);
      this.pills.add("bot");
    }
    this.rules = { ...(way ? {} : last?.rules) };
    this.presets = h("div", { class: "preset-cards" });
    this.presetAbout = h("p", { class: "chosen-about", "aria-hidden": "true" });
    this.moreFacts = h("span", { class: "preset-about" });
    this.moreButton = h(
      "button",
      {
        type: "button",
        class: "preset more-opener",
        "aria-expanded": "false",
        "aria-controls": "more",
        onclick: () => this.toggleMore(),
      },
      h("span", { class: "preset-picture" }, icon("settings")),
      h("strong", { t: "setup.more" }),
      this.moreFacts,
    );
    this.more = this.makeMore();
    this.problem = problemLine();
    this.startButton = h("button", { type: "submit", class: "button primary big", t: "setup.start" });
    const form = h(
      "form",
      { class: "setup" },
      h("section", { class: "setup-seats" }, h("h2", { t: "setup.seats" }), this.pills.element),
      h(
        "fieldset",
        { class: "setup-rules" },
        h("legend", { t: "setup.rules" }),
        h("div", { class: "presets" }, this.presets, this.moreButton),
        this.presetAbout,
      ),
      this.more,
      h("div", { class: "setup-start" }, this.startButton, this.problem),
    );
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.create();
    });
    this.content = frame(go, { main: "set-up" }, h("h1", { t: "setup.title" }), form);
  }

  /** Everything that most people never change. */
  makeMore() {
    const { friends } = this;
    this.firstSelect.addEventListener("change", () => {
      this.first = Number(this.firstSelect.value);
      this.showFacts();
    });
    this.limit.addEventListener("change", () => {
      friends.turn_limit = Number(this.limit.value) || null;
      this.showFacts();
    });
    setAttribute(this.ratedInput, "aria-describedby", "rated-about");
    this.over.append(
      toggle("setup.watch", friends.watch, (on) => (friends.watch = on)),
      toggle("setup.public", friends.public, (on) => {
        friends.public = on;
        this.showFacts();
      }),
    );
    return h(
      "section",
      { class: "more", id: "more", hidden: true, tLabel: "setup.more" },
      this.choices,
      h(
        "div",
        { class: "choices" },
        labeled("setup.first", this.firstSelect),
        this.limitChoice,
        h(
          "div",
          { class: "switches" },
          h("div", {}, this.rated, this.ratedAbout),
          this.aidsToggle,
          toggle("settings.pace", this.pace, (pace) => (this.pace = pace)),
        ),
        this.over,
      ),
    );
  }

  /** @override */
  start() {
    this.show();
    void this.check();
  }

  /** @override */
  show() {
    this.pills.show();
    this.showFirst();
    this.showFriends();
    this.showOptions();
  }

  onSeats() {
    if (this.pills.seats.length !== this.askedFor) {
      this.first = -1;
      void this.check();
    }
    this.show();
  }

  toggleMore() {
    this.more.hidden = !this.more.hidden;
    setAttribute(this.moreButton, "aria-expanded", String(!this.more.hidden));
    if (!this.more.hidden) this.more.scrollIntoView({ block: "nearest" });
  }

  showFirst() {
    this.firstSelect.replaceChildren(
      h("option", { value: -1, selected: this.first < 0 }, t("setup.first_chance")),
      ...this.pills.names.map((name, index) => h("option", { value: index, selected: index === this.first }, name)),
    );
  }

  get isRated() {
    return this.wantsRated && this.whyNotRated === null;
  }

  get whyNotRated() {
    return whyNotRated(this.pills.seats, this.rules);
  }

  /** A rated game has a turn limit and no aids. @param {boolean} on */
  setRated(on) {
    this.wantsRated = on;
    const limit = this.friends.turn_limit;
    if (on && (limit === null || limit > LONGEST_RATED_TURN)) this.friends.turn_limit = RATED_LIMIT;
    this.showFriends();
  }

  showFriends() {
    const { withFriends } = this.pills;
    const { isRated, whyNotRated: why } = this;
    this.ratedInput.checked = isRated;
    this.ratedInput.disabled = why !== null;
    this.ratedAbout.hidden = !isRated && why === null;
    setText(this.ratedAbout, why === null ? "game.rated_about" : `setup.rated_${why}`);
    this.aidsToggle.hidden = isRated;
    this.limitChoice.hidden = !withFriends && !isRated;
    this.over.hidden = !withFriends;
    setText(this.startButton, withFriends ? "setup.invite" : "setup.start");
    this.limit.replaceChildren(
      ...LIMITS.filter((limit) => !isRated || (limit && limit <= LONGEST_RATED_TURN)).map((limit) =>
        h(
          "option",
          { value: limit, selected: limit === (this.friends.turn_limit ?? 0) },
          limit ? limitWords(limit) : t("limit.none"),
        ),
      ),
    );
    this.showFacts();
  }

  /** Ask the server what goes together now. */
  async check() {
    const number = ++this.asked;
    this.askedFor = this.pills.seats.length;
    try {
      const options = await checkRules(this.rules, this.askedFor);
      if (number !== this.asked) return;
      this.options = options;
      this.rules = options.rules;
      this.showOptions();
      this.showFriends();
    } catch (error) {
      showProblem(this.problem, error);
    }
  }

  showOptions() {
    const { options } = this;
    if (!options) return;
    showPresets(this.presets, Object.keys(options.presets), options.preset, (name) => {
      this.rules = { ...options.presets[name] };
      void this.check();
    });
    setText(this.presetAbout, options.preset ? `preset.${options.preset}_about` : "preset.custom");
    showRuleChoices(this.choices, options, (changes) => {
      this.rules = { ...this.rules, ...changes };
      void this.check();
    });
    this.problem.hidden = !options.why;
    if (options.why) setText(this.problem, `why.${options.why}`);
    setAttribute(this.startButton, "disabled", options.why !== null);
    this.showFacts();
  }

  /** What was chosen behind "More", so that nothing is hidden there. */
  showFacts() {
    const { options, isRated, friends, pills } = this;
    const isOwn = options?.preset === null;
    const limit = isRated || pills.withFriends ? friends.turn_limit : null;
    const facts = [
      ...(options && isOwn ? unusualChoices(options, "classic") : []),
      isRated && t("game.rated"),
      limit !== null && limitWords(limit),
      this.first >= 0 && t("setup.begins", { name: pills.names[this.first] ?? "" }),
      pills.withFriends && friends.public && t("setup.public"),
    ].filter(Boolean);
    this.moreButton.classList.toggle("chosen", isOwn);
    if (facts.length) setWords(this.moreFacts, facts.join(" · "));
    else setText(this.moreFacts, "setup.more_about");
  }

  async create() {
    const { chosen, seats, names, withFriends } = this.pills;
    const first = this.first < 0 ? null : this.first;
    const { rules, aids, pace, isRated } = this;
    const how = { rules, first, pace, aids: aids && !isRated, rated: isRated };
    const players = seats.map(({ kind, level }, index) => ({
      kind,
      name: names[index] ?? "",
      ...(kind === "bot" ? { level } : {}),
      ...(chosen[index] ? { face: chosen[index] } : {}),
    }));
    setAttribute(this.startButton, "aria-busy", "true");
    try {
      const game = withFriends
        ? await gather({ seats: players, ...this.friends, ...how })
        : await startGame({ seats: players, turn_limit: isRated ? this.friends.turn_limit : null, ...how });
      const kept = {
        seats: seats.map(({ kind, name, level, face }) => ({ kind, name, level, face })),
        rules,
        first,
        aids,
        pace,
      };
      change({ setup: kept, name: seats.find(({ kind }) => kind === "me")?.name.trim() ?? settings.name });
      this.go(`/${withFriends ? "join" : "game"}/${game}`);
    } catch (error) {
      showProblem(this.problem, error);
    } finally {
      setAttribute(this.startButton, "aria-busy", null);
    }
  }
}

/** A list with its name above. @param {string} key @param {HTMLSelectElement} select */
function labeled(key, select) {
  return h("div", { class: "choice" }, h("label", {}, h("span", { t: key }), select));
}
