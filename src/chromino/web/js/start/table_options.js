/** What the host chooses at a table while people gather. Everyone sees each change right away. */

import { h } from "../browser/dom.js";
import { changeSettings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { toggle } from "../page/controls.js";
import { ApiError } from "../server/api.js";
import { GameOptions, labeled } from "./game_options.js";
import { seatChoices, whyTableNotRated } from "./gathering_words.js";

/** @typedef {import("../types.js").Gathering} Gathering */
/** @typedef {"watch" | "public" | "latecomers"} Switch */

/** @type {[Switch, string][]} Each switch, and the key of its label. */
const SWITCHES = [
  ["watch", "setup.watch"],
  ["latecomers", "setup.latecomers"],
  ["public", "setup.public"],
];

export class TableOptions {
  /** @type {Gathering | null} */
  #table = null;
  #seats = h("select", { name: "seats" });
  #switches = Object.fromEntries(
    SWITCHES.map(([name, labelKey]) => [name, toggle(labelKey, false, (on) => this.#send({ [name]: on }))]),
  );

  /**
   * @param {(choices: import("../types.js").Arrange) => void} arrange
   * @param {(error: unknown) => void} failed
   */
  constructor(arrange, failed) {
    this.arrange = arrange;
    this.#seats.addEventListener("change", () => this.#send({ seats: Number(this.#seats.value) }));
    this.options = new GameOptions(
      { rules: {}, aids: true, pace: true, turn_limit: null, rated: false },
      {
        players: () => this.#table?.chairs.length ?? 2,
        whyNotRated: (rules) => (this.#table ? whyTableNotRated(this.#table, rules) : null),
        hasLimit: () => true,
        facts: () => [this.#table?.public === true && t("setup.in_lobby")],
        changed: (isPossible) => (isPossible ? this.#send({}) : failed(new ApiError("bad-rules"))),
        failed,
        choices: [],
        switches: Object.values(this.#switches),
      },
    );
    this.element = h(
      "section",
      { class: "setup table-options", tLabel: "join.options" },
      labeled("setup.seats", this.#seats),
      this.options.rules,
      this.options.more,
    );
  }

  /** @param {Gathering} table */
  show(table) {
    this.#table = table;
    const { rules, aids, pace, turn_limit, rated } = table;
    void this.options.adopt({ rules, aids: aids || rated, pace, turn_limit, rated });
    this.#render(table);
  }

  /** @param {Gathering} table */
  #render(table) {
    this.#seats.replaceChildren(
      ...seatChoices(table).map(({ n, fits }) =>
        h("option", { value: n, disabled: !fits, selected: n === table.chairs.length }, t("join.seats", { n })),
      ),
    );
    for (const [name] of SWITCHES) {
      const input = /** @type {HTMLInputElement} */ (this.#switches[name]?.querySelector("input"));
      const isPossible = name !== "latecomers" || table.can_let_in;
      input.checked = table[name] && isPossible;
      input.disabled = !isPossible;
    }
    this.options.show();
  }

  /** @param {Partial<import("../types.js").Arrange>} changes */
  #send(changes) {
    if (!this.#table) return;
    const { chairs, watch, public: isPublic, latecomers } = this.#table;
    const chosen = this.options.result;
    const choices = { seats: chairs.length, watch, public: isPublic, latecomers, ...chosen, ...changes };
    const { rules, aids, pace, turn_limit } = choices;
    if (!chosen.rated) changeSettings({ table: { rules, aids, pace, turn_limit, watch: choices.watch } });
    this.arrange(choices);
  }
}
