/** A search for someone to play with: poll the server, and contribute to the deal once there's an opponent. */

import { ApiError } from "../server/api.js";

const PAUSE = 2000; // Milliseconds between two requests.
const FOUND_PAUSE = 400; // Milliseconds between two requests, once there's an opponent.
export const BOT_AFTER = 20000; // Milliseconds until a bot is offered.

/** The search continues in spite of these problems. */
const TEMPORARY = ["away", "too-fast", "database-away", "database-locked", "storage", "took-too-long"];

/**
 * @typedef {import("../types.js").Seek} Seek
 * @typedef {import("../types.js").SeekState} SeekState
 * @typedef {Omit<Seek, "anew">} Wish
 * @typedef {object} Shell what a search needs from its page
 * @property {(wish: Seek) => Promise<SeekState>} seek
 * @property {() => void} stop
 * @property {(game: string, deal: import("../types.js").DealTerms) => Promise<boolean>} takePart has the game started?
 * @property {(milliseconds: number, action: () => void) => void} after
 * @property {() => void} changed
 * @property {(game: string) => void} begun
 */

export class Search {
  /** @type {"idle" | "looking" | "found"} */
  phase = "idle";
  /** Is it time to offer a bot? The search continues. */
  offersBot = false;
  /** Has an opponent failed to show up? */
  lostOne = false;
  /** @type {unknown} What went wrong, if anything. */
  problem = null;
  /** The number of the current search. Answers to earlier searches are ignored. */
  #number = 0;

  /** @param {Shell} shell */
  constructor(shell) {
    this.shell = shell;
  }

  /** Begin a new search. @param {Wish} wish */
  begin(wish) {
    const number = ++this.#number;
    this.wish = wish;
    this.phase = "looking";
    this.offersBot = this.lostOne = false;
    this.problem = null;
    this.shell.changed();
    this.shell.after(BOT_AFTER, () => {
      if (number !== this.#number) return;
      this.offersBot = true;
      this.shell.changed();
    });
    return this.#ask(number, true);
  }

  /** Change what to look for. The time so far still counts toward offering a bot. @param {Wish} wish */
  change(wish) {
    this.wish = wish;
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
    if (number !== this.#number || !this.wish) return;
    try {
      const { game, deal } = await shell.seek({ ...this.wish, anew: isNew });
      if (number !== this.#number) return;
      this.problem = null;
      if (game && !deal) return this.#begun(game);
      this.lostOne = !game && (this.lostOne || this.phase === "found");
      this.phase = game ? "found" : "looking";
      shell.changed();
      if (game && deal && (await shell.takePart(game, deal)) && number === this.#number) return this.#begun(game);
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
  #begun(game) {
    this.#end();
    this.shell.begun(game);
  }

  #end() {
    this.#number++;
    this.phase = "idle";
    this.offersBot = false;
  }
}
