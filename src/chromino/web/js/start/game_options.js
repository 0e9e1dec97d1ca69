/** What to play: presets as cards and, under "More", rule choices, the turn limit, and whether the game is rated. */

import { h, setAttribute, setPlainText, setText } from "../browser/dom.js";
import { t } from "../language/i18n.js";
import { limitWords } from "../language/words.js";
import { toggle } from "../page/controls.js";
import { icon } from "../page/icons.js";
import { checkRules } from "../server/api.js";
import { showPresets } from "./preset_cards.js";
import { MAX_RATED_TURN } from "./rated_game.js";
import { showRuleChoices, unusualChoices } from "./rule_choices.js";

/** @typedef {import("../types.js").Options} Options */
/** @typedef {Partial<import("../types.js").Rules>} Rules */
/** @typedef {{rules: Rules, aids: boolean, pace: boolean, turn_limit: number | null, rated: boolean}} Chosen */

const LIMITS = [0, 30, 60, 180, 86400]; // Seconds; 0 means no limit.
const RATED_LIMIT = 60; // Seconds, unless you choose another limit.

/**
 * What differs between the pages that offer these options.
 * @typedef {object} PageHooks
 * @property {() => number} players how many players the game has
 * @property {(rules: Rules) => string | null} whyNotRated null if the game can be rated
 * @property {() => boolean} hasLimit can there be a turn limit, even if the game isn't rated?
 * @property {() => (string | false)[]} facts what else was chosen under "More"
 * @property {(isPossible: boolean) => void} changed called after each change, once the server has checked it
 * @property {(error: unknown) => void} failed called if the server couldn't check a change
 * @property {Node[]} choices shown before the turn limit
 * @property {Node[]} switches shown after the other switches
 */

export class GameOptions {
  /** @type {Options | null} */
  options = null;
  #requests = 0; // How many requests were sent; answers to all but the last are dropped.
  #playersAsked = 0; // The number of players in the last request.
  #choices = h("div", { class: "rule-choices" });
  #presets = h("div", { class: "preset-cards" });
  #presetAbout = h("p", { class: "chosen-about", "aria-hidden": "true" });
  #moreFacts = h("span", { class: "preset-about" });
  #limit = h("select", {});
  #limitChoice = labeled("setup.limit", this.#limit);
  #rated = toggle("setup.rated", false, (on) => this.#setRated(on));
  #ratedInput = /** @type {HTMLInputElement} */ (this.#rated.querySelector("input"));
  #ratedAbout = h("p", { class: "why-not", id: "rated-about" });
  #aids = toggle("setup.aids", true, (aids) => this.#set({ aids }));
  #pace = toggle("settings.pace", true, (pace) => this.#set({ pace }));

  /** @param {Chosen} chosen @param {PageHooks} hooks */
  constructor(chosen, hooks) {
    this.chosen = chosen;
    this.hooks = hooks;
    this.#limit.addEventListener("change", () => this.#set({ turn_limit: Number(this.#limit.value) || null }));
    setAttribute(this.#ratedInput, "aria-describedby", "rated-about");
    this.more = h(
      "section",
      { class: "more", id: "more", hidden: true, tLabel: "setup.more" },
      h("div", { class: "choices" }, this.#choices, ...hooks.choices, this.#limitChoice),
      h(
        "div",
        { class: "switches" },
        h("div", {}, this.#rated, this.#ratedAbout),
        this.#aids,
        this.#pace,
        ...hooks.switches,
      ),
    );
    this.moreButton = h(
      "button",
      {
        type: "button",
        class: "preset more-opener",
        "aria-expanded": "false",
        "aria-controls": "more",
        onclick: () => this.#toggleMore(),
      },
      h("span", { class: "preset-picture" }, icon("settings")),
      h("strong", { t: "setup.more" }),
      this.#moreFacts,
    );
    this.rules = h(
      "fieldset",
      {},
      h("legend", { t: "setup.rules" }),
      h("div", { class: "presets" }, this.#presets, this.moreButton),
      this.#presetAbout,
    );
  }

  /** What to send to the server. A rated game has no aids. */
  get result() {
    const { rules, aids, pace, turn_limit } = this.chosen;
    const rated = this.isRated;
    return {
      rules,
      aids: aids && !rated,
      pace,
      rated,
      turn_limit: rated || this.hooks.hasLimit() ? turn_limit : null,
    };
  }

  get isRated() {
    return this.chosen.rated && this.#whyNotRated === null;
  }

  get #whyNotRated() {
    return this.hooks.whyNotRated(this.chosen.rules);
  }

  #toggleMore() {
    this.more.hidden = !this.more.hidden;
    setAttribute(this.moreButton, "aria-expanded", String(!this.more.hidden));
    if (!this.more.hidden) this.more.scrollIntoView({ block: "nearest" });
  }

  /** @param {Partial<Chosen>} changes */
  #set(changes) {
    Object.assign(this.chosen, changes);
    this.show();
    this.hooks.changed(!this.options?.why);
  }

  /** A rated game has a turn limit and no aids. @param {boolean} rated */
  #setRated(rated) {
    const { turn_limit } = this.chosen;
    const needsLimit = rated && (turn_limit === null || turn_limit > MAX_RATED_TURN);
    this.#set({ rated, ...(needsLimit ? { turn_limit: RATED_LIMIT } : {}) });
  }

  /** Ask the server again if the number of players has changed. */
  async check() {
    if (this.hooks.players() !== this.#playersAsked) await this.#ask(this.chosen.rules);
  }

  /** Switch to choices that were made elsewhere. @param {Chosen} chosen */
  async adopt(chosen) {
    const isKnown = JSON.stringify(chosen.rules) === JSON.stringify(this.chosen.rules);
    this.chosen = chosen;
    if (isKnown) await this.check();
    else await this.#ask(chosen.rules);
    this.show();
  }

  /** @param {Rules} rules */
  async #choose(rules) {
    this.chosen.rules = rules; // People may choose again, or start, before the answer arrives.
    if (await this.#ask(rules)) this.hooks.changed(!this.options?.why);
  }

  /**
   * Ask the server which choices go together.
   * @param {Rules} rules @returns {Promise<boolean>} did it answer, with no other request since?
   */
  async #ask(rules) {
    const number = ++this.#requests;
    this.#playersAsked = this.hooks.players();
    try {
      const options = await checkRules(rules, this.#playersAsked);
      if (number !== this.#requests) return false;
      this.options = options;
      this.chosen.rules = options.rules;
      this.show();
      return true;
    } catch (error) {
      this.hooks.failed(error);
      return false;
    }
  }

  show() {
    const { options, isRated, chosen } = this;
    const why = this.#whyNotRated;
    this.#ratedInput.checked = isRated;
    this.#ratedInput.disabled = why !== null;
    this.#ratedAbout.hidden = !isRated && why === null;
    setText(this.#ratedAbout, why === null ? "game.rated_about" : `setup.rated_${why}`);
    this.#aids.hidden = isRated;
    /** @type {HTMLInputElement} */ (this.#aids.querySelector("input")).checked = chosen.aids;
    /** @type {HTMLInputElement} */ (this.#pace.querySelector("input")).checked = chosen.pace;
    this.#limitChoice.hidden = !this.hooks.hasLimit() && !isRated;
    this.#limit.replaceChildren(
      ...LIMITS.filter((limit) => !isRated || (limit && limit <= MAX_RATED_TURN)).map((limit) =>
        h(
          "option",
          { value: limit, selected: limit === (chosen.turn_limit ?? 0) },
          limit ? limitWords(limit) : t("limit.none"),
        ),
      ),
    );
    if (options) {
      showPresets(this.#presets, Object.keys(options.presets), options.preset, (name) =>
        this.#choose({ ...options.presets[name] }),
      );
      setText(this.#presetAbout, options.preset ? `preset.${options.preset}_about` : "preset.custom");
      showRuleChoices(this.#choices, options, (changes) => this.#choose({ ...this.chosen.rules, ...changes }));
    }
    this.#showFacts();
  }

  /** Show on the button what was chosen under "More", so that nothing is hidden. */
  #showFacts() {
    const { options, isRated } = this;
    const { turn_limit } = this.result;
    const isCustom = options?.preset === null;
    const facts = [
      ...(options && isCustom ? unusualChoices(options, "classic") : []),
      isRated && t("game.rated"),
      turn_limit !== null && limitWords(turn_limit),
      ...this.hooks.facts(),
    ].filter(Boolean);
    this.moreButton.classList.toggle("chosen", isCustom);
    if (facts.length) setPlainText(this.#moreFacts, facts.join(" · "));
    else setText(this.#moreFacts, "setup.more_about");
  }
}

/** A dropdown with a label above it. @param {string} key @param {HTMLSelectElement} select */
export function labeled(key, select) {
  return h("div", { class: "choice" }, h("label", {}, h("span", { t: key }), select));
}
