/** Setting up a game: seats and rules. The server says which choices go together. */

import { h, keyed, setAttribute, setLabel, setText } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { choiceWords, limitWords } from "../language/words.js";
import { toggle } from "../page/controls.js";
import { frame } from "../page/frame.js";
import { icon } from "../page/icons.js";
import { Page } from "../page/page.js";
import { problemLine, showProblem } from "../page/problem.js";
import { checkRules } from "../server/api.js";
import { gather, startGame } from "../server/dealing.js";
import { BOTS } from "./quick_game.js";

/** @typedef {import("../types.js").NewGame} NewGame */
/** @typedef {import("../types.js").Options} Options */
/** @typedef {{id: number, kind: "me" | "here" | "bot" | "free", name: string, level: number}} Row */

const MOST = 8;
const LIMITS = [0, 30, 60, 180, 86400]; // Seconds; 0: none.
const RATED_LIMIT = 60;
const LONGEST_RATED = 3600;

export class SetupPage extends Page {
  /** @type {Row[]} */
  rows = [];
  nextId = 0;
  /** @type {Options | null} */
  options = null;
  /** Counts requests: answers to older ones are dropped. */
  asked = 0;

  /** @param {(path: string) => void} go @param {string} way "together" here, with "friends" over a link, or any */
  constructor(go, way) {
    super(go);
    const last = settings.setup;
    const me = settings.name;
    if (way) {
      this.addRow("me", me);
      this.addRow(way === "friends" ? "free" : "here", "");
    } else if (last) for (const seat of last.seats) this.addRow(seat.kind, seat.name, seat.level ?? 1);
    else {
      this.addRow("me", me);
      this.addRow("bot", "", settings.level);
    }
    this.rules = { ...(way ? {} : last?.rules) };
    this.first = -1;
    this.aids = last?.aids ?? true;
    this.pace = last?.pace ?? true;
    /** @type {import("../types.js").Friends} */
    this.friends = { watch: true, public: false, turn_limit: null };
    this.list = h("ol", { class: "rows" });
    this.add = h("button", { type: "button", class: "button", t: "setup.add", onclick: () => this.onAdd() });
    this.presets = h("div", { class: "presets" });
    this.more = h("div", { class: "choices" });
    this.firstSelect = h("select", {});
    this.firstSelect.addEventListener("change", () => (this.first = Number(this.firstSelect.value)));
    const { friends } = this;
    this.limit = h("select", {});
    this.limit.addEventListener("change", () => (friends.turn_limit = Number(this.limit.value) || null));
    this.over = h(
      "fieldset",
      { class: "plain", hidden: true },
      h("legend", { t: "setup.friends" }),
      toggle("setup.watch", friends.watch, (on) => (friends.watch = on)),
      toggle("setup.public", friends.public, (on) => (friends.public = on)),
    );
    this.limitChoice = h("label", { class: "choice" }, h("span", { t: "setup.limit" }), this.limit);
    this.rated = toggle("setup.rated", false, (on) => this.setRated(on));
    this.aidsToggle = toggle("setup.aids", this.aids, (aids) => (this.aids = aids));
    this.isRated = false;
    this.ratedAbout = h("p", { class: "muted", t: "game.rated_about", hidden: true });
    this.problem = problemLine();
    this.startButton = h("button", { type: "submit", class: "button primary big", t: "setup.start" });
    const form = h(
      "form",
      { class: "setup" },
      h("section", {}, h("h2", { t: "setup.seats" }), this.list, this.add),
      this.over,
      this.rated,
      this.ratedAbout,
      this.limitChoice,
      h("fieldset", { class: "plain" }, h("legend", { t: "setup.rules" }), this.presets),
      h(
        "details",
        { class: "more" },
        h("summary", { t: "setup.more" }),
        this.more,
        h("label", { class: "choice" }, h("span", { t: "setup.first" }), this.firstSelect),
        this.aidsToggle,
        toggle("settings.pace", this.pace, (pace) => (this.pace = pace)),
      ),
      this.problem,
      this.startButton,
    );
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.create();
    });
    this.content = frame(go, {}, h("h1", { t: "setup.title" }), form);
  }

  /** @override */
  start() {
    this.show();
    void this.check();
  }

  /** @param {Row["kind"]} kind @param {string} name @param {number} [level] */
  addRow(kind, name, level = settings.level) {
    this.rows.push({ id: this.nextId++, kind, name, level });
  }

  /** @param {string} name */
  presetChoice(name) {
    const input = h("input", { type: "radio", name: "preset", value: name });
    input.addEventListener("change", () => {
      this.rules = { ...this.options?.presets[name] };
      void this.check();
    });
    return h(
      "label",
      { class: "preset" },
      input,
      h("strong", { t: `preset.${name}` }),
      h("span", { t: `preset.${name}_about` }),
    );
  }

  /** @override */
  show() {
    this.showRows();
    this.showFirst();
    this.showFriends();
    this.showOptions();
  }

  showRows() {
    keyed(
      this.list,
      this.rows,
      ({ id }) => String(id),
      (row) => this.makeRow(row),
      (item, row, index) => this.showRow(item, row, index),
    );
    this.add.hidden = this.rows.length >= MOST;
  }

  /** @param {Row} row */
  makeRow(row) {
    const kind = h("select", { class: "row-kind" });
    kind.append(h("option", { value: "me", t: "setup.me" }), h("option", { value: "here", t: "setup.here" }));
    kind.append(h("option", { value: "free", t: "setup.friend" }));
    for (const level of BOTS.keys()) kind.append(h("option", { value: `bot ${level + 1}` }));
    kind.addEventListener("change", () => this.onKind(row, kind.value));
    const name = h("input", { class: "row-name", maxlength: 40, autocomplete: "off" });
    name.addEventListener("input", () => {
      row.name = name.value;
      this.showFirst();
    });
    const remove = h(
      "button",
      { type: "button", class: "icon-button", onclick: () => this.onRemove(row) },
      icon("close"),
    );
    return h("li", { class: "row" }, kind, name, remove);
  }

  /** @param {HTMLElement} item @param {Row} row @param {number} index */
  showRow(item, row, index) {
    const [kind, name, remove] = /** @type {[HTMLSelectElement, HTMLInputElement, HTMLButtonElement]} */ (
      /** @type {unknown} */ ([...item.children])
    );
    const number = { n: index + 1 };
    setLabel(kind, "setup.seat", number);
    setLabel(remove, "setup.remove", number);
    setLabel(name, "setup.name", number);
    kind.value = row.kind === "bot" ? `bot ${row.level}` : row.kind;
    const taken = this.rows.some((other) => other !== row && other.kind === "me");
    for (const option of kind.options) {
      const [what, level] = option.value.split(" ");
      if (what === "me") option.disabled = taken;
      if (level) option.textContent = t("setup.bot", { name: t(`bot.${BOTS[Number(level) - 1]}`), n: Number(level) });
    }
    name.hidden = row.kind === "bot" || row.kind === "free";
    name.placeholder = this.defaultName(row, index);
    if (name.value !== row.name) name.value = row.name;
    remove.hidden = this.rows.length === 1;
  }

  /** @param {Row} row @param {number} index */
  defaultName(row, index) {
    if (row.kind === "bot") return t(`bot.${BOTS[row.level - 1]}`);
    if (row.kind === "free") return t("setup.friend");
    return t("setup.player", { n: index + 1 });
  }

  /** @param {Row} row @param {string} value */
  onKind(row, value) {
    const [kind, level] = value.split(" ");
    row.kind = /** @type {Row["kind"]} */ (kind);
    if (level) row.level = Number(level);
    this.show();
  }

  onAdd() {
    const last = this.rows[this.rows.length - 1];
    this.addRow(last?.kind === "me" ? "bot" : (last?.kind ?? "bot"), "", last?.level);
    this.show();
    this.focusRow(this.rows.length - 1);
    void this.check();
  }

  /** @param {Row} row */
  onRemove(row) {
    const index = this.rows.indexOf(row);
    this.rows.splice(index, 1);
    this.first = -1;
    this.show();
    this.focusRow(Math.min(index, this.rows.length - 1));
    void this.check();
  }

  /** Keep the focus where a row was added or removed. @param {number} index */
  focusRow(index) {
    this.list.children[index]?.querySelector("select")?.focus();
  }

  /** Is there a seat for somebody who gets the link? */
  withFriends() {
    return this.rows.some(({ kind }) => kind === "free");
  }

  showFirst() {
    const names = this.rows.map((row, index) => row.name.trim() || this.defaultName(row, index));
    this.firstSelect.replaceChildren(
      h("option", { value: -1, selected: this.first < 0 }, t("setup.first_chance")),
      ...names.map((name, index) => h("option", { value: index, selected: index === this.first }, name)),
    );
  }

  /** A rated game has a turn limit and no aids. @param {boolean} on */
  setRated(on) {
    this.isRated = on;
    const limit = this.friends.turn_limit;
    if (on && (limit === null || limit > LONGEST_RATED)) this.friends.turn_limit = RATED_LIMIT;
    this.showFriends();
  }

  showFriends() {
    const withFriends = this.withFriends();
    this.ratedAbout.hidden = !this.isRated;
    this.aidsToggle.hidden = this.isRated;
    this.limitChoice.hidden = !withFriends && !this.isRated;
    this.over.hidden = !withFriends;
    setText(this.startButton, withFriends ? "setup.invite" : "setup.start");
    this.limit.replaceChildren(
      ...LIMITS.filter((limit) => !this.isRated || (limit && limit <= LONGEST_RATED)).map((limit) =>
        h(
          "option",
          { value: limit, selected: limit === (this.friends.turn_limit ?? 0) },
          limit ? limitWords(limit) : t("limit.none"),
        ),
      ),
    );
  }

  /** Ask the server what goes together now. */
  async check() {
    const number = ++this.asked;
    try {
      const options = await checkRules(this.rules, this.rows.length);
      if (number !== this.asked) return;
      this.options = options;
      this.rules = options.rules;
      this.showOptions();
    } catch (error) {
      showProblem(this.problem, error);
    }
  }

  showOptions() {
    const { options } = this;
    if (!options) return;
    keyed(
      this.presets,
      Object.keys(options.presets),
      (name) => name,
      (name) => this.presetChoice(name),
      (label, name) => {
        /** @type {HTMLInputElement | null} */
        const input = label.querySelector("input");
        if (input) input.checked = name === options.preset;
      },
    );
    keyed(
      this.more,
      Object.keys(options.choices),
      (name) => name,
      (name) => this.makeChoice(name),
      (label, name) => this.showChoice(label, name, options),
    );
    this.problem.hidden = !options.why;
    if (options.why) setText(this.problem, `why.${options.why}`);
    setAttribute(this.startButton, "disabled", options.why !== null);
  }

  /** @param {string} name */
  makeChoice(name) {
    const select = h("select", { name });
    select.addEventListener("change", () => {
      const option = this.options?.choices[name]?.[select.selectedIndex];
      if (!option) return;
      this.rules = { ...this.rules, [name]: option.value, ...option.sets };
      void this.check();
    });
    return h("label", { class: "choice" }, h("span", { t: `rule.${name}` }), select);
  }

  /** @param {HTMLElement} label @param {string} name @param {Options} options */
  showChoice(label, name, options) {
    const select = /** @type {HTMLSelectElement} */ (label.querySelector("select"));
    const values = options.choices[name] ?? [];
    select.replaceChildren(
      ...values.map(({ value, fits, why }) => {
        const words = choiceWords(name, value);
        return h(
          "option",
          { disabled: !fits, selected: value === /** @type {any} */ (options.rules)[name] },
          fits ? words : t("setup.not_now", { words, why: t(`why.${why}`) }),
        );
      }),
    );
  }

  async create() {
    const seats = this.rows.map((row, index) => ({
      kind: row.kind,
      name: row.name.trim() || this.defaultName(row, index),
      ...(row.kind === "bot" ? { level: row.level } : {}),
      ...(row.kind === "me" ? { face: settings.face || null } : {}),
    }));
    const first = this.first < 0 ? null : this.first;
    /** @type {NewGame} */
    const setup = { seats, rules: this.rules, first, aids: this.aids, pace: this.pace };
    const withFriends = this.withFriends();
    const how = { aids: this.aids && !this.isRated, rated: this.isRated };
    const turn_limit = this.isRated ? this.friends.turn_limit : null;
    try {
      const game = withFriends
        ? await gather({ ...setup, ...this.friends, ...how })
        : await startGame({ ...setup, ...how, turn_limit });
      const kept = { ...setup, seats: this.rows.map(({ kind, name, level }) => ({ kind, name, level })) };
      change({ setup: kept, name: this.rows.find(({ kind }) => kind === "me")?.name.trim() ?? settings.name });
      this.go(`/${withFriends ? "join" : "game"}/${game}`);
    } catch (error) {
      showProblem(this.problem, error);
    }
  }
}
