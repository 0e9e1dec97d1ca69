/** Arranges the tiles of a hand: upright in one or two rows, or flat in balanced rows. Pure geometry, in pixels. */

/** The largest and smallest sizes of a square. */
const LARGEST = 64;
export const SMALLEST = 22;
const MAX_UPRIGHT_ROWS = 2;
/** Screens up to this width are phones, where we prefer upright tiles. */
const NARROW = 600;
/** End to end, flat tiles with a smaller gap would look like one tile. */
const MIN_FLAT_GAP = 10;
/** The bonus for upright tiles on a phone. */
const UPRIGHT_BONUS = 1.4;
/** The penalty for rows of very different lengths. */
const UNEVEN_PENALTY = 0.85;
/** How many flat tiles you can take in at a glance. */
const WIDE = 5;
/** The penalty for longer rows of flat tiles. */
const WIDE_PENALTY = 0.95;
/** The scale of a tile that's rotated differently from the others; also in hand.css. */
const ROTATED_SCALE = 0.75;

/** @typedef {{isUpright: boolean, columns: number, square: number, gap: number}} HandLayout gap: between tiles */

/**
 * The arrangement with the largest tiles, adjusted by the bonus and the penalties above.
 * @param {number} count @param {number} width @param {number} height @returns {HandLayout}
 */
export function handLayout(count, width, height) {
  const roomyGap = Math.round(Math.min(20, Math.max(2.5, (width - 300) / 20)));
  let best = { isUpright: true, columns: count, size: 0, score: -Infinity, gap: roomyGap };
  for (const isUpright of [true, false]) {
    const [tileWidth, tileHeight] = isUpright ? [1, 3] : [3, 1];
    const gap = isUpright ? roomyGap : Math.max(roomyGap, MIN_FLAT_GAP);
    for (let rows = 1; rows <= (isUpright ? MAX_UPRIGHT_ROWS : count); rows++) {
      const columns = Math.ceil(count / rows);
      const size = Math.min(LARGEST, (width / columns - gap) / tileWidth, (height / rows - gap) / tileHeight);
      const evenness = columns * rows - count > 1 ? UNEVEN_PENALTY : 1;
      const compactness = !isUpright && columns > WIDE ? WIDE_PENALTY : 1;
      const score = size * evenness * compactness * (isUpright && width <= NARROW ? UPRIGHT_BONUS : 1);
      if (score > best.score) best = { isUpright, columns, size, score, gap };
    }
  }
  const { isUpright, columns, size, gap } = best;
  return { isUpright, columns, square: Math.max(SMALLEST, Math.floor(size)), gap };
}

/**
 * How far a tile that's rotated differently from the others has to move, sideways or up, to be fully visible.
 * @param {number} index of the tile @param {number} count @param {HandLayout} layout
 * @param {number} width @param {number} height
 * @returns {[x: number, y: number]}
 */
export function nudge(index, count, { isUpright, columns, square, gap }, width, height) {
  const rows = Math.ceil(count / columns);
  const row = Math.floor(index / columns);
  const inRow = Math.min(columns, count - row * columns);
  const half = (3 * square * ROTATED_SCALE) / 2;
  const [tileWidth, tileHeight] = isUpright ? [square, 3 * square] : [3 * square, square];
  const x = width / 2 + ((index % columns) - (inRow - 1) / 2) * (tileWidth + gap);
  const y = height / 2 + (row - (rows - 1) / 2) * (tileHeight + gap);
  return isUpright ? [Math.max(half - x, 0) + Math.min(width - half - x, 0), 0] : [0, Math.min(height - half - y, 0)];
}
