/** The moves of a review as a list: the tile that was placed, what it was worth, and what would have been better. */

import { h, keyed, setAttribute } from "../browser/dom.js";
import { tilePicture } from "../table/tile_art.js";

/**
 * @typedef {object} Move
 * @property {number} number
 * @property {string} words for screen readers
 * @property {string} colors of the tile that was placed
 * @property {string} value
 * @property {{colors: string, cost: string} | null} better
 */

export class MoveList {
  /** @param {(index: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.list = h("ol", { class: "moves", tLabel: "review.moves" });
    this.list.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {readonly Move[]} moves @param {number} current */
  show(moves, current) {
    this.current = current;
    keyed(
      this.list,
      moves.map((move, index) => ({ move, index })),
      ({ move, index }) => `${index} ${JSON.stringify(move)}`,
      ({ move, index }) => h("li", {}, this.#make(move, index)),
      (item, { index }) => {
        const row = /** @type {HTMLElement} */ (item.firstElementChild);
        setAttribute(row, "aria-current", index === current ? "true" : null);
        setAttribute(row, "tabindex", index === Math.max(0, current) ? null : -1);
      },
    );
    this.#bringIntoView();
  }

  /** @param {Move} move @param {number} index */
  #make({ number, words, colors, value, better }, index) {
    return h(
      "button",
      { type: "button", class: "move", "aria-label": words, onclick: () => this.choose(index) },
      h("span", { class: "move-number" }, String(number)),
      tilePicture(colors),
      h("span", { class: "move-value" }, value),
      ...(better
        ? [h("span", { class: "move-cost" }, `−${better.cost}`), h("span", {}, "★")]
        : [h("span", {}), h("span", {})]),
      better ? tilePicture(better.colors) : h("span", {}),
    );
  }

  /** Scroll the list and its container, never the page. */
  #bringIntoView() {
    const row = this.list.children[this.current ?? 0];
    for (const box of [this.list, this.list.parentElement]) {
      if (!row || !box || box.scrollHeight <= box.clientHeight) continue;
      const inner = row.getBoundingClientRect();
      const outer = box.getBoundingClientRect();
      box.scrollTop += Math.max(0, inner.bottom - outer.bottom) - Math.max(0, outer.top - inner.top);
    }
  }

  /** The up and down keys move through the list. The page handles left and right. @param {KeyboardEvent} event */
  #onKey(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.choose((this.current ?? 0) + step);
    this.focus();
  }

  focus() {
    /** @type {HTMLElement | null | undefined} */ (
      this.list.children[this.current ?? 0]?.querySelector("button")
    )?.focus();
  }
}
