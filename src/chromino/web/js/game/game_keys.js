/** Keys of the game page. Single letters can be switched off; arrows, Enter and Escape always work. */

import { openHelp } from "../page/help_dialog.js";
import { settings } from "../browser/settings.js";

/** @typedef {import("./game_page.js").GamePage} GamePage */

/** @type {Record<string, (page: GamePage) => void>} */
const LETTERS = {
  r: (page) => turn(page),
  d: (page) => void page.drawTile(),
  h: (page) => void page.askHint(),
  t: (page) => void page.openTracker(),
  f: (page) => page.parts.table.fit(),
  "+": (page) => page.parts.table.zoom(1.3),
  "-": (page) => page.parts.table.zoom(1 / 1.3),
  "?": (page) => openHelp(page.state?.view.rules),
};

/** @param {GamePage} page @param {AbortSignal} signal when to stop listening */
export function listenToKeys(page, signal) {
  addEventListener(
    "keydown",
    (event) => {
      if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") putBack(page);
      else if (settings.shortcuts && !event.repeat && !(/** @type {Element} */ (event.target).closest("input, select"))) {
        LETTERS[event.key.toLowerCase()]?.(page);
      }
    },
    { signal },
  );
}

/** What was put down is taken back; what was picked up goes back to the hand. @param {GamePage} page */
function putBack(page) {
  const { tile, pending } = page.placing;
  page.blame = page.problem = page.hint = null;
  if (pending) page.takeBack();
  else if (page.placing.putBack()) page.parts.hand.focusTile(tile);
  else page.draw();
}

/** Turn the tile; by keyboard among legal places, go to the next one that needs another turn. @param {GamePage} page */
function turn(page) {
  const { placing } = page;
  const { list, listing } = page.parts.places;
  if (!listing.contains(document.activeElement)) return placing.turnTile();
  const places = placing.places();
  const current = list.index();
  const order = [...places.slice(current + 1), ...places.slice(0, current)];
  const next = order.find((place) => !placing.isTurnedFor(place));
  if (!next) return;
  placing.hold(next);
  list.focus(places.indexOf(next));
}
