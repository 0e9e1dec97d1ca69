/** What pages share on which tiles are tried out freely: a table, tiles to pick up, and hands and keys that move them. */

import { h } from "../browser/dom.js";
import { dragTiles } from "./tile_drag.js";
import { PlaceList } from "./place_list.js";
import { Placing } from "./placing.js";
import { settings } from "../browser/settings.js";
import "./hand.js";
import "../table/table.js";
import { iconButton } from "../page/controls.js";

/** @typedef {import("../types.js").Placement} Placement */

/** Pages extend it by `draw` and `put`. */
export class TileBench {
  placing = new Placing();
  /** @type {{place: Placement, refusal: import("../types.js").Refusal} | null} */
  blame = null;
  /** @type {Placement | null} */
  hint = null;
  sending = false;
  over = false;
  life = new AbortController();
  table = /** @type {import("../table/table.js").ChrominoTable} */ (document.createElement("chromino-table"));
  hand = /** @type {import("./hand.js").ChrominoHand} */ (document.createElement("chromino-hand"));
  parts = { table: this.table, hand: this.hand, floating: h("div", { class: "floating", "aria-hidden": "true", hidden: true }) };
  places = new PlaceList(this);

  /** Where the tiles lie, to be put into the page. */
  board() {
    return h("div", { class: "table-box" }, this.table, this.places.box);
  }

  /** The tiles to pick up, and what turns them. */
  tray() {
    return h("div", { class: "conundrum-hand" }, this.hand, iconButton("turn", "tool.turn", () => this.placing.turnTile()));
  }

  /** Listen to hands and keys, once all is in the page. */
  listen() {
    const { signal } = this.life;
    this.table.addEventListener("tap", (event) => this.onTap(/** @type {CustomEvent} */ (event).detail));
    this.hand.addEventListener("pick", (event) => this.onPick(/** @type {CustomEvent} */ (event).detail));
    this.placing.addEventListener("change", () => this.draw());
    dragTiles(this, signal);
    addEventListener("keydown", (event) => this.onKey(event), { signal });
  }

  close() {
    this.life.abort();
  }

  // Legal places are what is looked for: they are never lit.
  isLit() {
    return false;
  }

  isMyTurn() {
    return !this.over;
  }

  isOver() {
    return this.over;
  }

  draw() {}

  /** @param {Placement} _place */
  put(_place) {}

  /** @param {{tile: string, byKey: boolean}} picked */
  onPick({ tile, byKey }) {
    if (this.placing.tile === tile && !byKey) this.placing.turnTile();
    else this.pickUp(tile);
    if (byKey) this.places.enter();
  }

  /** @param {string} tile */
  pickUp(tile) {
    this.blame = null;
    if (this.placing.tile !== tile) this.placing.pick(tile, this.isLit());
  }

  /** @param {import("../types.js").Square} point */
  onTap(point) {
    this.blame = null;
    if (this.placing.tile === null) this.draw();
    else this.put(this.placing.placeTapped(point, this.isLit()));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const { tile } = this.placing;
    const typing = /** @type {Element} */ (event.target).closest("input");
    if (event.key === "Escape" && this.placing.putBack()) this.hand.focusTile(tile);
    else if (event.key.toLowerCase() === "r" && settings.shortcuts && !typing) this.placing.turnTile();
  }
}
