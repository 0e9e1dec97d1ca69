/** The table on the home page. When the page opens, the first tiles of a real game appear one by one. */

import { s } from "../browser/dom.js";
import { boundsOf, parseTable } from "../table/geometry.js";
import { tileGroup, UNIT } from "../table/tile_art.js";

/** The tiles, in the order they were laid. A test checks them against the rules. */
const LAID = "B*Y@0,0> R*G@1,-1> YYG@1,1> PRY@0,-2> RYR@1,-3> PBB@-1,-2v GBG@4,-1v RPB@-2,-3v";

const MARGIN = 0.1; // In squares: room for shadows.

export function heroTable() {
  const laid = parseTable(LAID);
  const { left, top, width, height } = boundsOf(laid);
  const box = [left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].map((n) => n * UNIT);
  return s(
    "svg",
    { class: "hero-table", viewBox: box.join(" "), "aria-hidden": "true" },
    ...laid.map(({ colors, down, x, y }, number) => {
      const tile = tileGroup(colors, down);
      tile.style.setProperty("--turn", String(number));
      return s("g", { transform: `translate(${x * UNIT} ${y * UNIT})` }, tile);
    }),
  );
}
