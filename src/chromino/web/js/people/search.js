/** A search for someone to play with. It polls the server, and once there's an opponent, it contributes to the deal. */

import { ApiError } from "../server/api.js";

const PAUSE = 2000; // Milliseconds between requests.
const FOUND_PAUSE = 400; // Milliseconds between requests, once there's an opponent.
export const BOT_AFTER = 20000; // Milliseconds until a bot is offered.

/** The codes of problems that don't end the search. */
const TEMPORARY = ["away", "too-fast", "database-away", "database-locked", "storage", "took-too-long"];

/**
 * @typedef {import("../types.js").Seek} Seek
 * @typedef {import("../types.js").SeekState} SeekState
 * @typedef {Omit<Seek, "anew">} Criteria
 * @typedef {object} PageHooks what a search needs from its page
 * @property {(criteria: Seek) => Promise<SeekState>} seek
 * @property {() => void} stop
 * @property {(game: string, deal: import("../types.js").DealTerms) => Promise<boolean>} takePart returns
 * whether the game has started
 * @property {(milliseconds: number, action: () => void) => void} after sets a timer
 * @property {() => void} changed called when there's something new to show
 * @property {(game: string) => void} started called once the game has started
 */

export class Search {
  /** @type {"idle" | "looking" | "found"} */
  phase = "idle";
  /** Should the page offer a bot? The search continues anyway. */
  offersBot = false;
  /** Was there an opponent who didn't show up? */
  missedOpponent = false;
  /** @type {unknown} What went wrong, if anything. */
  problem = null;
  /** The number of the current search. Answers to earlier searches are ignored. */
  #number = 0;

  /** @param {PageHooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
  }

  /** Begin a new search. @param {Criteria} criteria */
  begin(criteria) {
    const number = ++this.#number;
    this.criteria = criteria;
    this.phase = "looking";
    this.offersBot = this.missedOpponent = false;
    this.problem = null;
    this.hooks.changed();
    this.hooks.after(BOT_AFTER, () => {
      if (number !== this.#number) return;
      this.offersBot = true;
      this.hooks.changed();
    });
    return this.#ask(number, true);
  }

  /** Change what to look for. The clock for offering a bot keeps running. @param {Criteria} criteria */
  change(criteria) {
    this.criteria = criteria;
  }

  stop() {
    if (this.phase === "idle") return;
    this.#end();
    this.hooks.stop();
    this.hooks.changed();
  }

  /** @param {number} number @param {boolean} isNew */
  async #ask(number, isNew) {
    const { hooks } = this;
    if (number !== this.#number || !this.criteria) return;
    try {
      const { game, deal } = await hooks.seek({ ...this.criteria, anew: isNew });
      if (number !== this.#number) return;
      this.problem = null;
      if (game && !deal) return this.#onStarted(game);
      this.missedOpponent = !game && (this.missedOpponent || this.phase === "found");
      this.phase = game ? "found" : "looking";
      hooks.changed();
      if (game && deal && (await hooks.takePart(game, deal)) && number === this.#number) return this.#onStarted(game);
      isNew = false;
    } catch (error) {
      if (number !== this.#number) return;
      this.problem = error;
      if (!(error instanceof ApiError && TEMPORARY.includes(error.code))) this.#end();
      hooks.changed();
    }
    if (this.phase === "idle") return;
    hooks.after(this.phase === "found" ? FOUND_PAUSE : PAUSE, () => void this.#ask(number, isNew));
  }

  /** @param {string} game */
  #onStarted(game) {
    this.#end();
    this.hooks.started(game);
  }

  #end() {
    this.#number++;
    this.phase = "idle";
    this.offersBot = false;
  }
}
