/** Smaller parts of the game page, each shown as the game is in this moment. */

import { tilePicture } from "../table/tile_art.js";
import { h, keyed, setAttribute, setLabel, setText } from "../browser/dom.js";
import { parseTable, placementAt } from "../table/geometry.js";
import { t } from "../language/i18n.js";
import { placeWords, seatName } from "../language/words.js";

/** @typedef {import("./game_page.js").GamePage} GamePage */

/** The bag pulses when a tile must be drawn. @param {GamePage} page */
export function showBag(page) {
  const { bag, bagCount } = page.parts;
  const n = page.state?.view.bag_count ?? 0;
  const must = page.mustDraw();
  bag.classList.toggle("pulses", must);
  setAttribute(bag, "aria-disabled", must ? null : "true");
  setLabel(bag, must ? "bag.draw" : "bag.label", { n });
  bagCount.textContent = String(n);
}

/** The curtain hides the hand until the next player lifts it. @param {GamePage} page */
export function showCurtain(page) {
  const { curtain, curtainWords, hand, reveal } = page.parts;
  const { view, seats } = /** @type {import("../types.js").State} */ (page.state);
  const hidden = page.isHidden();
  curtain.hidden = !hidden;
  hand.hidden = hidden || view.over;
  if (!hidden || view.me === null) return;
  const name = seatName(seats, view.me);
  const now = view.seat === view.me;
  setText(curtainWords, now ? "curtain.pass_to" : "curtain.next", { name });
  reveal.hidden = !now;
  setText(reveal, "curtain.show", { name });
}

/** The table in words. @param {HTMLElement} list @param {import("../types.js").View} view */
export function showTableWords(list, view) {
  const laid = parseTable(view.table);
  setAttribute(list, "aria-label", t("table.label", { n: laid.length }));
  keyed(
    list,
    laid,
    ({ text }) => text,
    () => h("li"),
    (item, placement) => (item.textContent = placeWords(placement)),
  );
}

/** How the tile in the fingers is turned. @param {import("./game_layout.js").Parts} parts @param {import("../placing/placing.js").Placing} placing */
export function showTurn({ turn: button, turnPicture: picture }, { tile, turn }) {
  setAttribute(button, "aria-disabled", tile ? null : "true");
  const placement = tile ? placementAt(tile, turn, [0, 0]) : null;
  const key = placement ? `${placement.colors}${placement.down}` : "";
  if (picture.dataset.shown === key) return;
  picture.dataset.shown = key;
  picture.replaceChildren(...(placement ? [tilePicture(placement.colors, placement.down)] : []));
}
