/** A table as a still picture: conundrums on paper, and figures of the rules. */

import { s } from "../browser/dom.js";
import { boundsOf } from "./geometry.js";
import { tileGroup, UNIT } from "./tile_art.js";

/** @typedef {import("../types.js").Placement} Placement */

const MARGIN = 1; // Squares around a table.

/**
 * @param {readonly Placement[]} laid
 * @param {readonly Placement[]} put tiles to point out, which have an outline
 * @param {string} looks the class of those
 * @param {string | null} label what a screen reader says; null: it skips the picture
 * @param {number} [margin] squares around it
 * @returns {SVGSVGElement}
 */
export function tablePicture(laid, put, looks, label, margin = MARGIN) {
  const { left, top, width, height } = boundsOf([...laid, ...put]);
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin].map((n) => n * UNIT);
  return s(
    "svg",
    { viewBox: box.join(" "), ...(label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }) },
    ...laid.map((placement) => lying(placement)),
    ...put.map((placement) => {
      const [wide, high] = placement.down ? [UNIT, 3 * UNIT] : [3 * UNIT, UNIT];
      const tile = lying(placement);
      tile.classList.add(looks);
      tile.append(s("rect", { class: "outline", x: 2, y: 2, width: wide - 4, height: high - 4, rx: 7 }));
      return tile;
    }),
  );
}

/** A tile at its place. @param {Placement} placement */
function lying({ colors, down, x, y }) {
  const tile = tileGroup(colors, down);
  tile.setAttribute("transform", `translate(${x * UNIT} ${y * UNIT})`);
  return tile;
}
