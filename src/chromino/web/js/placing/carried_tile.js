/**
 * The tile being carried, above everything else and at the table's scale. It follows the pointer, snaps to places, and
 * flies back to the hand. Under reduced motion, it jumps instead.
 */

import { h, prefersReducedMotion } from "../browser/dom.js";
import { tilePicture } from "../table/tile_art.js";

/** How long animations take, in milliseconds. */
const FLY_BACK = 220;
const SHAKE = 260;
/** The scale of a tile that hasn't snapped to a place. */
const LIFTED = 1.07;

export class CarriedTile {
  element = h("div", { class: "floating", "aria-hidden": "true", hidden: true });
  /** The tile that's drawn: its colors, direction and size. */
  #art = "";
  /** Has the tile snapped to a place? */
  #isSnapped = false;

  get isShown() {
    return !this.element.hidden;
  }

  /**
   * Show the tile with its middle at a point on the screen.
   * @param {{colors: string, down: boolean}} tile @param {{x: number, y: number}} middle
   * @param {number} size of a square @param {boolean} isSnapped
   */
  show({ colors, down }, { x, y }, size, isSnapped) {
    const { element } = this;
    const art = `${colors}${down}${size}`;
    if (this.#art !== art) {
      this.#art = art;
      element.style.width = `${size * (down ? 1 : 3)}px`;
      element.style.height = `${size * (down ? 3 : 1)}px`;
      element.replaceChildren(tilePicture(colors, down));
    }
    // Animate when the tile snaps to a place or leaves it, but not while it follows the pointer.
    const isJump = this.isShown && isSnapped !== this.#isSnapped && !prefersReducedMotion();
    element.style.transition = isJump ? "transform var(--snap) ease-out" : "";
    element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${isSnapped ? 1 : LIFTED})`;
    element.classList.toggle("snapped", isSnapped);
    element.hidden = false;
    this.#isSnapped = isSnapped;
  }

  hide() {
    this.element.hidden = true;
    this.#art = "";
    this.#isSnapped = false;
  }

  /** The tile's position on the screen; null if it's hidden. */
  rect() {
    return this.isShown ? this.element.getBoundingClientRect() : null;
  }

  /**
   * Fly a tile back to the hand, and shake it if it was refused. Until it arrives, there's a gap in the hand.
   * @param {{colors: string, down: boolean}} tile @param {DOMRect | null} from
   * @param {HTMLElement | null} option its place in the hand @param {boolean} isRefused
   */
  async flyBack({ colors, down }, from, option, isRefused) {
    this.hide();
    if (!option || !from?.width || prefersReducedMotion()) return;
    const box = h("div", { class: "flying", "aria-hidden": "true" }, tilePicture(colors, down));
    box.style.width = `${from.width}px`;
    box.style.height = `${from.height}px`;
    document.body.append(box);
    const to = option.getBoundingClientRect();
    const pose = (/** @type {DOMRect} */ { x, y, width, height }, /** @type {number} */ scale) =>
      `translate(${x + width / 2}px, ${y + height / 2}px) translate(-50%, -50%) scale(${scale})`;
    const scale = Math.max(to.width, to.height) / Math.max(from.width, from.height);
    option.classList.add("concealed");
    await box
      .animate([{ transform: pose(from, 1) }, { transform: pose(to, scale) }], {
        duration: FLY_BACK,
        easing: "ease-in-out",
      })
      .finished.catch(() => {});
    box.remove();
    option.classList.remove("concealed");
    if (!isRefused) return;
    const swings = [0, -7, 6, -4, 2, 0].map((x) => ({ translate: `${x}px 0` }));
    option.animate(swings, { duration: SHAKE, easing: "ease-out" });
  }
}
