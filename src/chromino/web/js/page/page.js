/** The base of all pages: how they open, render, and clean up when they close. */

/**
 * A page makes its elements in the constructor, as `content`, and does nothing else there. `open` puts them on the
 * screen and calls `start`, which loads data and adds listeners. Listeners and timers use `listen`, `every` and
 * `after`, and anything else that must stop gets `signal`: closing the page stops them all.
 */
export class Page {
  #life = new AbortController();
  /** @type {HTMLElement} Everything on the screen. */
  content = document.createElement("div");

  /** @param {(path: string) => void} go to another page */
  constructor(go) {
    this.go = go;
  }

  /** Aborts when the page is closed. */
  get signal() {
    return this.#life.signal;
  }

  get isClosed() {
    return this.signal.aborted;
  }

  /** @param {HTMLElement} root */
  open(root) {
    root.replaceChildren(this.content);
    this.listen(document, "language", () => this.show());
    this.start();
  }

  /** Load data and add listeners. The elements are already on the screen. */
  start() {}

  /** Render everything, in the current language. */
  show() {}

  close() {
    this.#life.abort();
  }

  /**
   * Listen until the page is closed.
   * @param {EventTarget} target
   * @param {string} type
   * @param {(event: any) => void} listener
   * @param {AddEventListenerOptions} [options]
   */
  listen(target, type, listener, options = {}) {
    target.addEventListener(type, listener, { ...options, signal: this.signal });
  }

  /**
   * Repeat something until the page is closed.
   * @param {number} milliseconds @param {() => void} action @returns {() => void} stops it earlier
   */
  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds);
    const stop = () => clearInterval(timer);
    this.signal.addEventListener("abort", stop);
    return stop;
  }

  /** Do something later, unless the page is closed by then. @param {number} milliseconds @param {() => void} action */
  after(milliseconds, action) {
    setTimeout(() => this.isClosed || action(), milliseconds);
  }
}
