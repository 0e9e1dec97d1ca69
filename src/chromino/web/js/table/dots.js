/** Dots on the table: at the corners of squares, near the tiles. */

import { squaresOf } from "./geometry.js";

/** @typedef {import("../types.js").Placement} Placement */

const NEAR = 2; // Squares.

/**
 * The dots that each tile adds, in the order placed. No dot comes twice, so a new tile changes nothing else.
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
      for (let right = x - NEAR; right <= x + 1 + NEAR; right++) {
        for (let down = y - NEAR; down <= y + 1 + NEAR; down++) {
          const key = `${right},${down}`;
          if (seen.has(key)) continue;
          seen.add(key);
          dots.push([right, down]);
        }
      }
    }
    return { key: placement.text, dots };
  });
}
