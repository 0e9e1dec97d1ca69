/**
 * `<chromino-hand>`: the player's tiles as a listbox, as large as they fit. Fires "pick" (detail: the tile, and whether by key).
 */

import { h, setAttribute } from "../browser/dom.js";
import { listbox } from "../browser/listbox.js";
import { t } from "../language/i18n.js";
import { tileWords } from "../language/words.js";
import { tilePicture } from "../table/tile_art.js";

/**
 * @typedef {object} ShownHand
 * @property {readonly string[]} tiles
 * @property {string | null} picked
 * @property {boolean} turned is the picked tile upside down?
 * @property {((tile: string) => boolean) | null} fits which can be placed; null: not shown
 * @property {string | null} drawn the tile just drawn
 */

const TARGET = 44; // Pixels that a finger needs.
const LARGEST = 46; // Of a square.
const SMALLEST = 22;
const AROUND = 5; // All tiles, for the ring of the focus.
const EDGE = 8; // Around a tile, in pixels.

export class ChrominoHand extends HTMLElement {
  /** @type {ShownHand} */
  shown = { tiles: [], picked: null, turned: false, fits: null, drawn: null };

  connectedCallback() {
    if (this.firstChild) return;
    this.box = h("div", { class: "hand-tiles", id: "hand" });
    this.append(this.box);
    /** @type {import("../browser/listbox.js").Listbox<string>} */
    this.list = listbox(this.box, {
      key: (tile) => tile,
      make: (tile) => h("div", { class: "hand-tile", "data-tile": tile }, tilePicture(tile, true), tilePicture(tile)),
      update: (option, tile) => this.showTile(option, tile),
      choose: (tile, byKey) => this.dispatchEvent(new CustomEvent("pick", { detail: { tile, byKey } })),
    });
    new ResizeObserver(() => this.arrange()).observe(this);
  }

  /** @param {ShownHand} shown */
  show(shown) {
    this.shown = shown;
    const box = /** @type {HTMLElement} */ (this.box);
    setAttribute(box, "aria-label", t("hand.label", { n: shown.tiles.length }));
    setAttribute(box, "aria-describedby", "hand-help");
    this.list?.show(shown.tiles);
    this.arrange();
  }

  /** @param {HTMLElement} option @param {string} tile */
  showTile(option, tile) {
    const { picked, turned, fits, drawn } = this.shown;
    const can = fits?.(tile);
    const parts = [tileWords(tile)];
    if (tile === drawn) parts.push(t("hand.drawn"));
    if (fits) parts.push(t(can ? "hand.fits" : "hand.fits_not"));
    setAttribute(option, "aria-label", parts.join(t("hand.between")));
    setAttribute(option, "aria-selected", picked === tile ? "true" : "false");
    option.classList.toggle("fits", can === true);
    option.classList.toggle("fits-not", can === false);
    option.classList.toggle("drawn", tile === drawn);
    option.classList.toggle("turned", picked === tile && turned);
  }

  /** Standing in one row, or lying in several: whichever shows them larger. */
  arrange() {
    const count = this.shown.tiles.length;
    if (!count || !this.clientWidth) return;
    const width = this.clientWidth - 2 * AROUND;
    const height = this.clientHeight - 2 * AROUND;
    const upright = count * TARGET <= width ? Math.min(width / count - EDGE, (height - EDGE) / 3) : 0;
    const lying = Math.max(...[1, 2, 3, 4, 5, 6].map((columns) => lyingSquare(count, columns, width, height)));
    this.classList.toggle("standing", upright >= lying);
    this.style.setProperty("--square", `${Math.floor(Math.min(LARGEST, Math.max(upright, lying, SMALLEST)))}px`);
  }

  /** @param {string | null} [tile] */
  focusTile(tile) {
    this.list?.focus(tile ? this.shown.tiles.indexOf(tile) : undefined);
  }

  /** Where a tile is on the screen. @param {string} tile */
  rectOf(tile) {
    return this.option(tile)?.getBoundingClientRect() ?? null;
  }

  /** Hide a tile while its picture flies in. @param {string} tile @param {boolean} hidden */
  conceal(tile, hidden) {
    this.option(tile)?.classList.toggle("concealed", hidden);
  }

  /** Leave a gap where a tile was that is carried now. @param {string | null} tile */
  leaveGap(tile) {
    const gone = this.querySelector(".gone");
    const option = tile === null ? null : this.option(tile);
    if (gone === option) return;
    gone?.classList.remove("gone");
    option?.classList.add("gone");
  }

  /** @param {string} tile */
  option(tile) {
    return /** @type {HTMLElement | null} */ (this.querySelector(`[data-tile="${CSS.escape(tile)}"]`));
  }
}

customElements.define("chromino-hand", ChrominoHand);

/**
 * How large squares can be if tiles lie in so many columns.
 * @param {number} count
 * @param {number} columns
 * @param {number} width
 * @param {number} height
 */
function lyingSquare(count, columns, width, height) {
  const rows = Math.ceil(count / columns);
  const fits = rows * TARGET <= height || columns * 3 * SMALLEST + columns * EDGE > width - 3 * SMALLEST;
  return fits ? Math.min((width / columns - EDGE) / 3, Math.max(SMALLEST, height / rows - EDGE)) : 0;
}
