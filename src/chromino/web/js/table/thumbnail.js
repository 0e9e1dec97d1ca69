/** A table as a small picture for long lists: it has only a few paths, however many tiles there are. */

import { s } from "../browser/dom.js";
import { boundsOf, parseTable, squaresOf } from "./geometry.js";

/** Squares around the tiles. */
const MARGIN = 0.7;
/** The smallest width, in squares, so that a lone tile isn't blown up. */
const MIN_WIDTH = 7;

/** @type {[color: string, x: number, y: number][]} The dots in a wild square, which has all colors. */
const WILD = [
  ["R", 0.2, 0.2],
  ["Y", 0.64, 0.2],
  ["B", 0.2, 0.64],
  ["G", 0.64, 0.64],
  ["P", 0.42, 0.42],
];

/** A picture of the tiles, which screen readers skip. @param {string} table placements in the order laid */
export function thumbnail(table) {
  const { box, bodies, squares } = shapesOf(table);
  return s(
    "svg",
    { class: "thumbnail", viewBox: box.join(" "), "aria-hidden": "true" },
    s("path", { class: "edge", d: bodies, transform: "translate(0 .09)" }),
    s("path", { class: "body", d: bodies }),
    ...[...squares].map(([color, d]) => s("path", { class: `color-${color}`, d })),
  );
}

/** The view box, one path for all tiles, and one path for the squares of each color. @param {string} table */
export function shapesOf(table) {
  const laid = parseTable(table);
  /** @type {Map<string, string>} */
  const squares = new Map();
  let bodies = "";
  /** @param {string} color @param {number} x @param {number} y @param {number} size */
  const add = (color, x, y, size) =>
    squares.set(color, `${squares.get(color) ?? ""}M${round(x)} ${round(y)}h${size}v${size}h${-size}Z`);
  for (const placement of laid) {
    const { x, y, down, colors } = placement;
    bodies += `M${x} ${y}h${down ? 1 : 3}v${down ? 3 : 1}h${down ? -1 : -3}Z`;
    squaresOf(placement).forEach(([left, top], index) => {
      if (colors[index] === "*") for (const [color, dx, dy] of WILD) add(color, left + dx, top + dy, 0.16);
      else add(colors[index] ?? "", left + 0.14, top + 0.14, 0.72);
    });
  }
  const { left, top, width, height } = boundsOf(laid);
  const boxWidth = Math.max(width + 2 * MARGIN, MIN_WIDTH);
  const boxHeight = Math.max(height + 2 * MARGIN, MIN_WIDTH / 2);
  return {
    box: [left - (boxWidth - width) / 2, top - (boxHeight - height) / 2, boxWidth, boxHeight].map(round),
    bodies,
    squares,
  };
}

/** @param {number} n */
function round(n) {
  return Math.round(100 * n) / 100;
}
