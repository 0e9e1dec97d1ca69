/** A search for someone to play with: poll the server, and contribute to the deal once there's an opponent. */

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
 * @typedef {object} Shell what a search needs from its page
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

  /** @param {Shell} shell */
  constructor(shell) {
    this.shell = shell;
  }

  /** Begin a new search. @param {Criteria} criteria */
  begin(criteria) {
    const number = ++this.#number;
    this.criteria = criteria;
    this.phase = "looking";
    this.offersBot = this.missedOpponent = false;
    this.problem = null;
    this.shell.changed();
    this.shell.after(BOT_AFTER, () => {
      if (number !== this.#number) return;
      this.offersBot = true;
      this.shell.changed();
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
    this.shell.stop();
    this.shell.changed();
  }

  /** @param {number} number @param {boolean} isNew */
  async #ask(number, isNew) {
    const { shell } = this;
    if (number !== this.#number || !this.criteria) return;
    try {
      const { game, deal } = await shell.seek({ ...this.criteria, anew: isNew });
      if (number !== this.#number) return;
      this.problem = null;
      if (game && !deal) return this.#onStarted(game);
      this.missedOpponent = !game && (this.missedOpponent || this.phase === "found");
      this.phase = game ? "found" : "looking";
      shell.changed();
      if (game && deal && (await shell.takePart(game, deal)) && number === this.#number) return this.#onStarted(game);
      isNew = false;
    } catch (error) {
      if (number !== this.#number) return;
      this.problem = error;
      if (!(error instanceof ApiError && TEMPORARY.includes(error.code))) this.#end();
      shell.changed();
    }
    if (this.phase === "idle") return;
    shell.after(this.phase === "found" ? FOUND_PAUSE : PAUSE, () => void this.#ask(number, isNew));
  }

  /** @param {string} game */
  #onStarted(game) {
    this.#end();
    this.shell.started(game);
  }

  #end() {
    this.#number++;
    this.phase = "idle";
    this.offersBot = false;
  }
}
