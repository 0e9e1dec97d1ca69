/** A table as a still picture, for conundrums on paper, figures in the rules, and preset cards. */

import { s } from "../browser/dom.js";
import { boundsOf } from "./geometry.js";
import { tileGroup, UNIT } from "./tile_art.js";

/** @typedef {import("../types.js").Placement} Placement */

const MARGIN = 1; // Squares around the tiles.

/**
 * @param {readonly Placement[]} laid
 * @param {readonly Placement[]} highlighted tiles to point out, with an outline
 * @param {string} className the class of those tiles
 * @param {string | null} label for screen readers; null if they should skip the picture
 * @param {number} [margin] squares around the tiles
 * @returns {SVGSVGElement}
 */
export function tablePicture(laid, highlighted, className, label, margin = MARGIN) {
  const { left, top, width, height } = boundsOf([...laid, ...highlighted]);
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin].map((n) => n * UNIT);
  return s(
    "svg",
    { viewBox: box.join(" "), ...(label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }) },
    ...laid.map((placement) => placedTile(placement)),
    ...highlighted.map((placement) => {
      const [tileWidth, tileHeight] = placement.down ? [UNIT, 3 * UNIT] : [3 * UNIT, UNIT];
      const tile = placedTile(placement);
      tile.classList.add(className);
      tile.append(s("rect", { class: "outline", x: 2, y: 2, width: tileWidth - 4, height: tileHeight - 4, rx: 7 }));
      return tile;
    }),
  );
}

/** A tile in its place. @param {Placement} placement */
function placedTile({ colors, down, x, y }) {
  const tile = tileGroup(colors, down);
  tile.setAttribute("transform", `translate(${x * UNIT} ${y * UNIT})`);
  return tile;
}
