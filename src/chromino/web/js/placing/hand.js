/**
 * `<chromino-hand>`: the player's tiles as a listbox, as large as there's room for. Fires "pick" (detail: the tile, and
 * whether a key picked it).
 */

import { h, prefersReducedMotion, setAttribute } from "../browser/dom.js";
import { listbox } from "../browser/listbox.js";
import { t } from "../language/i18n.js";
import { tileWords } from "../language/words.js";
import { placementAt } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";
import { handLayout, nudge, SMALLEST } from "./hand_layout.js";

/**
 * @typedef {object} ShownHand
 * @property {readonly string[]} tiles
 * @property {string | null} picked
 * @property {number} rotation quarter turns of the picked tile
 * @property {((tile: string) => boolean) | null} fits can this tile be placed? null if the hand shouldn't show it
 * @property {string | null} drawn the tile just drawn
 */

const MANY = 8; // A hand with more tiles gets more room.

export class ChrominoHand extends HTMLElement {
  /** @type {ShownHand} */
  shown = { tiles: [], picked: null, rotation: 0, fits: null, drawn: null };

  connectedCallback() {
    if (this.firstChild) return;
    this.box = h("div", { class: "hand-tiles", id: "hand" });
    this.append(this.box);
    /** @type {import("../browser/listbox.js").Listbox<string>} */
    this.list = listbox(this.box, {
      key: (tile) => tile,
      make: (tile) => h("div", { class: "hand-tile", "data-tile": tile }),
      update: (option, tile) => this.showTile(option, tile),
      choose: (tile, byKeyboard) => this.dispatchEvent(new CustomEvent("pick", { detail: { tile, byKeyboard } })),
    });
    new ResizeObserver(() => this.arrange()).observe(this);
  }

  /** @param {ShownHand} shown */
  show(shown) {
    this.shown = shown;
    const box = /** @type {HTMLElement} */ (this.box);
    setAttribute(box, "aria-label", t("hand.label", { n: shown.tiles.length }));
    setAttribute(box, "aria-describedby", "hand-help");
    this.classList.toggle("many", shown.tiles.length > MANY);
    this.arrange();
  }

  /** @param {HTMLElement} option @param {string} tile */
  showTile(option, tile) {
    const { picked, rotation, fits, drawn } = this.shown;
    const isPlayable = fits?.(tile);
    const parts = [tileWords(tile)];
    if (tile === drawn) parts.push(t("hand.drawn"));
    if (fits) parts.push(t(isPlayable ? "hand.fits" : "hand.unplayable"));
    setAttribute(option, "aria-label", parts.join(t("words.between")));
    setAttribute(option, "aria-selected", picked === tile ? "true" : "false");
    option.classList.toggle("fits", isPlayable === true);
    option.classList.toggle("unplayable", isPlayable === false);
    option.classList.toggle("drawn", tile === drawn);
    this.showRotation(option, tile, picked === tile ? rotation : null);
  }

  /**
   * Show how a tile is rotated. The picture is redrawn, because the light must still come from above.
   * @param {HTMLElement} option @param {string} tile @param {number | null} rotation null if it isn't picked
   */
  showRotation(option, tile, rotation) {
    const isUpright = this.classList.contains("standing");
    const { colors, down } = placementAt(tile, rotation ?? (isUpright ? 1 : 0), [0, 0]);
    if (down !== isUpright) this.nudgeTile(option, tile);
    const art = `${colors}${down}`;
    if (option.dataset.shown === art) return;
    const before = option.dataset.rotation;
    option.dataset.shown = art;
    option.dataset.rotation = String(rotation ?? "");
    option.classList.toggle("across", down !== isUpright);
    const picture = tilePicture(colors, down);
    option.replaceChildren(picture);
    if (before && rotation !== null && !prefersReducedMotion()) spin(picture, rotation - Number(before));
  }

  /** If a rotated tile sticks out, move it into view. @param {HTMLElement} option @param {string} tile */
  nudgeTile(option, tile) {
    const { tiles } = this.shown;
    const layout = handLayout(tiles.length, this.clientWidth, this.clientHeight);
    const [x, y] = nudge(tiles.indexOf(tile), tiles.length, layout, this.clientWidth, this.clientHeight);
    option.style.setProperty("--nudge", `${Math.round(x)}px, ${Math.round(y)}px`);
  }

  /** Show the tiles as large as there's room for. */
  arrange() {
    const count = this.shown.tiles.length;
    if (count && this.clientWidth) this.setSizes(count);
    this.list?.show(this.shown.tiles);
  }

  /** @param {number} count */
  setSizes(count) {
    const { isUpright, columns, square, gap } = handLayout(count, this.clientWidth, this.clientHeight);
    this.classList.toggle("standing", isUpright);
    this.classList.toggle("scrolls", square === SMALLEST);
    this.style.setProperty("--square", `${square}px`);
    this.style.setProperty("--gap", `${gap}px`);
    this.style.setProperty("--columns", String(columns));
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
  setConcealed(tile, hidden) {
    this.option(tile)?.classList.toggle("concealed", hidden);
  }

  /** Leave a gap where the carried tile was. @param {string | null} tile */
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

/** Animate a rotation by quarter turns, the shorter way around. @param {Element} picture @param {number} quarters */
function spin(picture, quarters) {
  const from = ((quarters + 5) % 4) - 1;
  const style = getComputedStyle(picture);
  picture.animate([{ rotate: `${-90 * from}deg` }, { rotate: "0deg" }], {
    duration: parseFloat(style.getPropertyValue("--lift")) || 0,
    easing: style.getPropertyValue("--ease"),
  });
}
