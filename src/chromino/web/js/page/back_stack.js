/**
 * The Back button first closes a cover (a dialog or a sheet that's open over a page), and only then leaves the page.
 * Each cover has its own entry in the browser's history. If the cover closes in any other way, its entry is removed.
 */

/**
 * @typedef {object} Cover
 * @property {() => void} close
 * @property {() => boolean} isOpen
 */

/**
 * The part of `History` that's used here.
 * @typedef {Pick<History, "state" | "pushState" | "replaceState" | "back">} Entries
 */

export class BackStack {
  /** @type {Map<number, Cover>} By the number in their history entry; later covers have higher numbers. */
  #covers = new Map();
  #latest = 0;
  /** Is the history on its way back to the page's own entry? */
  #returning = false;
  /** @type {(() => void) | null} What to do once it's back there. */
  #onceReturned = null;

  /** @param {Entries} entries */
  constructor(entries) {
    this.entries = entries;
  }

  /** The number of the cover whose history entry is current. */
  get #current() {
    return /** @type {number | undefined} */ (this.entries.state?.cover);
  }

  /** Call this after loading. If the page was reloaded, its cover is gone, so go back from that cover's entry. */
  begin() {
    if (this.#current === undefined) return;
    this.#latest = this.#current;
    this.#leaveEntry();
  }

  /**
   * Call this when a cover opens over the page.
   * @param {Cover} cover @returns {() => void} call this when the cover has closed, for whatever reason
   */
  cover(cover) {
    const current = this.#current;
    const below = current === undefined ? undefined : this.#covers.get(current);
    this.#latest += 1;
    const number = this.#latest;
    this.#covers.set(number, cover);
    // A cover that's just closing passes its entry to the next one.
    const isFree = current !== undefined && !below?.isOpen();
    if (this.#returning) this.#onceReturned = () => this.entries.pushState({ cover: number }, "");
    else if (isFree) this.entries.replaceState({ cover: number }, "");
    else this.entries.pushState({ cover: number }, "");
    return () => this.#uncover(number);
  }

  /** @param {number} number */
  #uncover(number) {
    if (!this.#covers.delete(number)) return;
    if (this.#current === number && !this.#returning) this.#leaveEntry();
  }

  #leaveEntry() {
    this.#returning = true;
    this.entries.back();
  }

  /** Call this when the browser has moved to another history entry. */
  moved() {
    if (this.#returning) {
      this.#returning = false;
      const next = this.#onceReturned;
      this.#onceReturned = null;
      next?.();
      return;
    }
    const current = this.#current ?? 0;
    const above = [...this.#covers].filter(([number]) => number > current);
    for (const [number, cover] of above.reverse()) {
      this.#covers.delete(number);
      cover.close();
    }
  }

  /**
   * Go to another page. If a cover was open, its history entry becomes the next page's.
   * @param {string} path @param {() => void} then
   */
  leave(path, then) {
    if (this.#returning) {
      this.#onceReturned = () => this.leave(path, then);
      return;
    }
    if (this.#current === undefined) this.entries.pushState(null, "", path);
    else this.entries.replaceState(null, "", path);
    this.#covers.clear();
    then();
  }
}

/** The stack behind the browser's own Back button. (There's no history in Node, where other stacks are tested.) */
export const backStack = new BackStack(globalThis.history);
