/** Geometry of placements: text forms, squares and distances. It checks no rules: the server says what's allowed. */

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Square} Square */

/**
 * @param {string} text
 * @returns {Placement}
 */
export function parsePlacement(text) {
  const match = /^(...)@(-?\d+),(-?\d+)([>v])$/.exec(text);
  if (!match) throw new Error(`not a placement: ${text}`);
  const [, colors = "", x, y, direction] = match;
  return { text, colors, x: Number(x), y: Number(y), down: direction === "v" };
}

/** @param {string} table @returns {Placement[]} */
export function parseTable(table) {
  return table.split(" ").filter(Boolean).map(parsePlacement);
}

/** @param {Placement} placement @returns {Square[]} */
export function squaresOf({ x, y, down }) {
  return [0, 1, 2].map((n) => (down ? [x, y + n] : [x + n, y]));
}

/** @param {string} colors */
export function reversed(colors) {
  return [...colors].reverse().join("");
}

/** Is this a placement of the tile? @param {Placement} placement @param {string} tile */
export function isPlacementOf(placement, tile) {
  return placement.colors === tile || placement.colors === reversed(tile);
}

/**
 * The placement of a rotated tile with its center on a square.
 * @param {string} tile @param {number} rotation quarter turns clockwise, 0 to 3 @param {Square} center
 * @returns {Placement}
 */
export function placementAt(tile, rotation, [centerX, centerY]) {
  const down = rotation % 2 === 1;
  const colors = rotation < 2 ? tile : reversed(tile);
  const x = down ? centerX : centerX - 1;
  const y = down ? centerY - 1 : centerY;
  return { text: `${colors}@${x},${y}${down ? "v" : ">"}`, colors, x, y, down };
}

/** How a tile is rotated in a placement: 0 to 3 quarter turns. @param {Placement} placement @param {string} tile */
export function rotationOf({ colors, down }, tile) {
  return (colors === tile ? 0 : 2) + (down ? 1 : 0);
}

/** Do two rotations of a tile look the same? @param {string} tile @param {number} one @param {number} other */
export function sameRotation(tile, one, other) {
  return one % 2 === other % 2 && (one === other || tile === reversed(tile));
}

/** The middle square of a placement. @param {Placement} placement @returns {Square} */
export function middleOf({ x, y, down }) {
  return down ? [x, y + 1] : [x + 1, y];
}

/**
 * The middle square of the last tile on the table. If the table is empty, it's where the first tile's middle goes.
 * @param {string} table @returns {Square}
 */
export function lastMiddle(table) {
  const last = parseTable(table).pop();
  return last ? middleOf(last) : [1, 0];
}

/** @param {Square} one @param {Square} other */
export function distance([x1, y1], [x2, y2]) {
  return Math.hypot(x1 - x2, y1 - y2);
}

/**
 * Placements sorted by how near their middle is to a square; ties keep their order.
 * @param {readonly Placement[]} placements @param {Square} from
 */
export function nearestFirst(placements, from) {
  return [...placements].sort((a, b) => distance(middleOf(a), from) - distance(middleOf(b), from));
}

/**
 * The placement under a point or within reach of it. If there are several, the one with the nearest middle.
 * @param {readonly Placement[]} placements @param {Square} point in fractional squares @param {number} [reach]
 * @returns {Placement | undefined}
 */
export function underPoint(placements, point, reach = 0) {
  const within = placements.filter(({ x, y, down }) => {
    const [width, height] = down ? [1, 3] : [3, 1];
    const dx = Math.max(x - point[0], point[0] - x - width, 0);
    const dy = Math.max(y - point[1], point[1] - y - height, 0);
    return Math.hypot(dx, dy) <= reach;
  });
  return nearestFirst(within, [point[0] - 0.5, point[1] - 0.5])[0];
}

/**
 * The smallest box around placements, in squares.
 * @param {readonly Placement[]} placements
 */
export function boundsOf(placements) {
  const squares = placements.flatMap(squaresOf);
  const xs = squares.map(([x]) => x);
  const ys = squares.map(([, y]) => y);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { left, top, width: Math.max(...xs) + 1 - left, height: Math.max(...ys) + 1 - top };
}

/**
 * The edge that two neighboring squares share, as a line.
 * @param {Square} one @param {Square} other @returns {[number, number, number, number]} x1, y1, x2, y2
 */
export function edgeBetween([x1, y1], [x2, y2]) {
  if (x1 === x2) {
    const y = Math.max(y1, y2);
    return [x1, y, x1 + 1, y];
  }
  const x = Math.max(x1, x2);
  return [x, y1, x, y1 + 1];
}
