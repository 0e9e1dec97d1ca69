/** Dots on the table: at the corners of squares, near the tiles. */

import { squaresOf } from "./geometry.js";

/** @typedef {import("../types.js").Placement} Placement */

const NEAR = 2; // Squares from a tile.

/**
 * The dots that each tile adds, in the order placed. No dot appears twice, so earlier tiles keep theirs.
 * @param {readonly Placement[]} laid
 * @returns {{key: string, dots: [number, number][]}[]}
 */
export function dotsOf(laid) {
  /** @type {Set<string>} */
  const seen = new Set();
  return laid.map((placement) => {
    /** @type {[number, number][]} */
    const dots = [];
    for (const [x, y] of squaresOf(placement)) {
      for (let dotX = x - NEAR; dotX <= x + 1 + NEAR; dotX++) {
        for (let dotY = y - NEAR; dotY <= y + 1 + NEAR; dotY++) {
          const key = `${dotX},${dotY}`;
          if (seen.has(key)) continue;
          seen.add(key);
          dots.push([dotX, dotY]);
        }
      }
    }
    return { key: placement.text, dots };
  });
}
