/**
 * When to ask for rematch offers. Pages ask when they open and when they come back into view; for a while after a game with
 * others, also from time to time. It has no elements and no clock: time is an argument, in milliseconds.
 */

const MIN_PAUSE = 5_000; // Between two questions, even if several pages open.
const PAUSE = 15_000; // Between regular questions. An offer is open for a minute.
const WATCH_TIME = 15 * 60_000; // After a game with others. Later offers last for a day, or come as a notification.

export class OfferWatch {
  #asked = -Infinity;
  #isWanted = false;

  /**
   * Is it time to ask?
   * @param {number} now
   * @param {{isSeen: boolean, isNew: boolean, playedAt: number}} options isSeen: is the page in view? isNew: has a page just been
   * opened or come into view? playedAt: when a game with others was last on this browser
   */
  isDue(now, { isSeen, isNew, playedAt }) {
    this.#isWanted ||= isNew; // If it's too early to ask, ask a little later.
    const since = now - this.#asked;
    const isRegular = now - playedAt < WATCH_TIME && since >= PAUSE;
    if (!isSeen || !(isRegular || (this.#isWanted && since >= MIN_PAUSE))) return false;
    this.#isWanted = false;
    this.#asked = now;
    return true;
  }
}
