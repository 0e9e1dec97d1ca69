/** Rendering once after several changes. */

/**
 * A change asks for a render with `request`. Inside `run`, the render waits until all changes are made, and happens once.
 * "Tiles" means the part of a page that changes while a tile is moved; "all" includes it.
 */
export class RenderBatch {
  #depth = 0;
  /** @type {"nothing" | "tiles" | "all"} */
  #stale = "nothing";
  /** @type {(() => void)[]} */
  #later = [];

  /** @param {(all: boolean) => void} render all, or the tiles alone */
  constructor(render) {
    this.render = render;
  }

  /** Something has changed. @param {"tiles" | "all"} what */
  request(what) {
    if (this.#stale !== "all") this.#stale = what;
    if (!this.#depth) this.#flush();
  }

  /** Make changes, then render once if any of them asked for it. @template T @param {() => T} change @returns {T} */
  run(change) {
    this.#depth += 1;
    try {
      return change();
    } finally {
      this.#depth -= 1;
      if (!this.#depth) this.#flush();
    }
  }

  /** Do something that needs the new elements: focus, measure, move the camera. @param {() => void} action */
  afterward(action) {
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
