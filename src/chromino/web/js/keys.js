/** Keys of the game page. Single letters can be switched off; arrows, Enter and Escape always work. */

import { openHelp } from "./dialogs.js";
import { settings } from "./settings.js";

/** @typedef {import("./game.js").GamePage} GamePage */

/** @type {Record<string, (page: GamePage) => void>} */
const LETTERS = {
  r: (page) => turn(page),
  d: (page) => void page.drawTile(),
  h: (page) => void page.askHint(),
  t: (page) => page.openTracker(),
  f: (page) => page.table?.fit(),
  "+": (page) => page.table?.zoom(1.3),
  "-": (page) => page.table?.zoom(1 / 1.3),
  "?": () => openHelp(),
};

export class Keys {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.listen = (/** @type {KeyboardEvent} */ event) => this.onKey(event);
    addEventListener("keydown", this.listen);
  }

  close() {
    removeEventListener("keydown", this.listen);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { page } = this;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      this.putBack();
    } else if (event.key === "Enter" && page.placing.pending && !target.closest("button")) {
      void page.confirm();
    } else if (settings.shortcuts && !target.closest("input, select")) {
      LETTERS[event.key.toLowerCase()]?.(page);
    }
  }

  /** What was put down is taken back; what was picked up goes back to the hand. */
  putBack() {
    const { page } = this;
    const { tile, pending } = page.placing;
    if (pending) page.placing.takeBack();
    else if (page.placing.putBack()) page.hand?.focusTile(tile);
    if (page.blame || page.hint) {
      page.blame = page.hint = null;
      page.draw();
    }
  }
}

/** Turn the tile; by keyboard among legal places, go to the next one that needs another turn. @param {GamePage} page */
function turn(page) {
  const { placing } = page;
  const list = page.places?.list;
  if (!page.places?.listing.contains(document.activeElement) || !list) return placing.turnTile();
  const places = placing.places();
  const current = list.index();
  const order = [...places.slice(current + 1), ...places.slice(0, current)];
  const next = order.find((place) => !placing.isTurnedFor(place));
  if (!next) return;
  placing.holdAt(next);
  list.focus(places.indexOf(next));
}
