/**
 * When to ask for rematch offers. Pages ask when they open and when they come back into view; for a while after a game with
 * others, also from time to time. It has no elements and no clock: time is an argument, in milliseconds.
 */

const AT_MOST_EVERY = 5_000;
const EVERY = 15_000; // An offer is open for a minute.
const LONG_ENOUGH = 15 * 60_000; // After a game with others. Later offers last for a day, or come as a notification.

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
    this.#isWanted ||= isNew; // If it's too early for that, it's done a little later.
    const since = now - this.#asked;
    const isRegular = now - playedAt < LONG_ENOUGH && since >= EVERY;
    if (!isSeen || !(isRegular || (this.#isWanted && since >= AT_MOST_EVERY))) return false;
    this.#isWanted = false;
    this.#asked = now;
    return true;
  }
}
