/** A table and a hand for a page, and listeners for mouse, touch and keyboard. */

import { h } from "../browser/dom.js";
import { settings } from "../browser/settings.js";
import { playSound } from "../browser/sound.js";
import { refusalWords } from "../language/words.js";
import { iconButton } from "../page/controls.js";
import { CarriedTile } from "./carried_tile.js";
import { PlaceList } from "./place_list.js";
import { dragTiles } from "./tile_drag.js";
import { TilePlacer } from "./tile_placer.js";
import "../table/table.js";
import "./hand.js";

/** Keys that mean someone is using the keyboard. Letters don't count: people with a mouse press those, too. */
const NAVIGATION = /^(Tab|Enter| |Home|End|Arrow.*)$/;

export class PlacingArea {
  table = /** @type {import("../table/table.js").ChrominoTable} */ (document.createElement("chromino-table"));
  hand = /** @type {import("./hand.js").ChrominoHand} */ (document.createElement("chromino-hand"));
  /** The tile under the pointer. */
  carried = new CarriedTile();
  floating = this.carried.element;
  /** Cancels the current drag, if any. */
  cancelDrag = () => {};

  /** @param {import("./tile_placer.js").PlacingPage} page */
  constructor(page) {
    this.placer = new TilePlacer(page, this);
    /** @type {PlaceList} */
    this.places = new PlaceList(this.placer, this.table);
  }

  /** The table, and the list of places for keyboards and screen readers. */
  board() {
    return h("div", { class: "table-box" }, this.table, this.places.box);
  }

  /** The hand, with a button that rotates the tile. */
  tray() {
    return h(
      "div",
      { class: "placing-tray" },
      this.hand,
      iconButton("turn", "tool.turn", () => this.placer.rotate()),
    );
  }

  /**
   * Listen to mouse, touch and keyboard until the page is closed.
   * @param {import("../page/page.js").Page} page
   * @param {Record<string, () => void>} [letters] what other letters do on the page
   */
  listen(page, letters = {}) {
    const { placer } = this;
    page.listen(this.table, "tap", ({ detail }) => placer.tap(detail));
    page.listen(this.hand, "pick", ({ detail }) => {
      playSound("pick");
      placer.chooseTile(detail);
    });
    const press = (/** @type {KeyboardEvent} */ { key }) => {
      placer.byKeyboard ||= NAVIGATION.test(key);
      if (placer.byKeyboard) this.hand.classList.remove("by-pointer");
    };
    page.listen(window, "keydown", press, { capture: true });
    const point = (/** @type {PointerEvent} */ { pointerType }) => {
      placer.byKeyboard = false;
      this.hand.classList.add("by-pointer");
      placer.byTouch = pointerType === "touch";
    };
    page.listen(window, "pointerdown", point, { capture: true });
    page.listen(window, "keydown", (event) => this.#onKey(event, letters));
    this.cancelDrag = dragTiles(this, page.signal);
  }

  /**
   * Single-letter shortcuts can be turned off; arrows, Enter and Escape always work.
   * @param {KeyboardEvent} event @param {Record<string, () => void>} letters
   */
  #onKey(event, letters) {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const isTyping = /** @type {Element} */ (event.target).closest("input, select");
    const letter = event.key.toLowerCase();
    if (event.key === "Escape") this.placer.escape();
    else if (!settings.shortcuts || event.repeat || isTyping) return;
    else if (letter === "r") this.placer.rotate(this.places.focused());
    else letters[letter]?.();
  }

  /** Fly a refused tile back to the hand, and shake it. @param {import("../types.js").Placement} place */
  returnRefused(place) {
    const { tile } = this.placer.placing;
    if (tile) void this.carried.flyBack(place, this.table.rectOf(place), this.hand.option(tile), true);
  }

  /**
   * @param {Partial<import("../table/table.js").Shown>} table its tiles, and whatever else the page marks on it
   * @param {Pick<import("./hand.js").ShownHand, "tiles" | "fits" | "drawn">} hand
   */
  show(table, hand) {
    const { refused, placing } = this.placer;
    this.table.show({
      lit: this.placer.litPlaces(),
      held: placing.held,
      pending: placing.pending,
      preview: this.placer.preview(),
      refused: refused && { ...refused, words: refusalWords(refused.refusal) },
      ...table,
    });
    this.hand.show({ picked: placing.tile, rotation: placing.rotation, ...hand });
    this.places.show();
  }
}
