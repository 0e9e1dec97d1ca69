/** Renders once after several changes. */

/**
 * Call `request` after a change. Inside `run`, rendering waits until all changes have been made, and happens once.
 * "tiles" means the part of a page that changes while a tile is moved; "all" means the whole page.
 */
export class RenderBatch {
  #depth = 0;
  /** @type {"nothing" | "tiles" | "all"} */
  #stale = "nothing";
  /** @type {(() => void)[]} */
  #later = [];

  /** @param {(all: boolean) => void} render renders the whole page, or only the tiles */
  constructor(render) {
    this.render = render;
  }

  /** Render a part of the page, because it has changed. @param {"tiles" | "all"} what */
  request(what) {
    if (this.#stale !== "all") this.#stale = what;
    if (!this.#depth) this.#flush();
  }

  /** Make changes, then render once if any of them requested it. @template T @param {() => T} change @returns {T} */
  run(change) {
    this.#depth += 1;
    try {
      return change();
    } finally {
      this.#depth -= 1;
      if (!this.#depth) this.#flush();
    }
  }

  /** Do something after rendering, such as moving the focus or the camera. @param {() => void} action */
  afterRendering(action) {
    this.#later.push(action);
    if (!this.#depth) this.#flush();
  }

  #flush() {
    const stale = this.#stale;
    this.#stale = "nothing";
    if (stale !== "nothing") this.render(stale === "all");
    for (const action of this.#later.splice(0)) action();
  }
}
