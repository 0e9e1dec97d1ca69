/**
 * When to ask the server for rematch offers. Pages ask when they're opened and when they come back into view. For a
 * while after a game with others, they also ask regularly. Nothing here touches the DOM or a clock: time is an
 * argument, in milliseconds.
 */

const MIN_PAUSE = 5_000; // Between requests, even if several pages are opened.
const PAUSE = 15_000; // Between regular requests. An offer is open for a minute.
/**
 * How long to ask regularly after a game with others. After that, you see an offer as a notification, or when you next
 * look at the page.
 */
const WATCH_TIME = 15 * 60_000;

export class OfferWatch {
  #askedAt = -Infinity;
  #isPending = false;

  /**
   * Is it time to ask?
   * @param {number} now
   * @param {{isSeen: boolean, isNew: boolean, playedAt: number}} options isSeen: is the page in view? isNew: has a page
   * just been opened or come into view? playedAt: when a game with others last ended in this browser
   */
  isDue(now, { isSeen, isNew, playedAt }) {
    this.#isPending ||= isNew; // If it's too early to ask, ask a little later.
    const elapsed = now - this.#askedAt;
    const isRegular = now - playedAt < WATCH_TIME && elapsed >= PAUSE;
    if (!isSeen || !(isRegular || (this.#isPending && elapsed >= MIN_PAUSE))) return false;
    this.#isPending = false;
    this.#askedAt = now;
    return true;
  }
}
