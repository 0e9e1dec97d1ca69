/**
 * Tiles drawn in SVG, as in the box: three squares with rounded corners in a white frame, each color with its texture.
 * `draw/look.py` and `draw/parts.py` draw the same for files.
 */

import { s } from "../browser/dom.js";

/** Side of a square, in the units of the drawing. */
export const UNIT = 40;
const GAP = 1.5; // From the edge of a tile's cells to its frame.
const INSET = 4; // From the edge of a cell to the colored square.

/** A mark three times in each of three rows. @param {(x: number, y: number) => string} mark */
const nine = (mark) => [6, 16, 26].flatMap((y) => [6, 16, 26].map((x) => mark(x, y))).join("");

/**
 * @type {Record<string, string>} What is drawn on a square of each color, from its corner on; whole, for patterns print badly.
 */
const TEXTURES = {
  R: "M1 11 11 1M1 21 21 1M3 29 29 3M11 31 31 11M21 31 31 21",
  G: nine((x, y) => `M${x} ${y}h0`),
  B: [5.5, 12.5, 19.5, 26.5].map((y) => `M4 ${y}q3-4 6 0t6 0 6 0 6 0`).join(""),
  Y: nine((x, y) => `M${x} ${y - 3}v6M${x - 3} ${y}h6`),
  P: nine((x, y) => `M${x} ${y - 4}l4 4-4 4-4-4Z`),
};

const SPIRAL = spiral();

/** Two and a half turns around the middle of a square. */
function spiral() {
  const points = Array.from({ length: 41 }, (_, n) => {
    const angle = (5 * Math.PI * n) / 40;
    const radius = (12 * n) / 40;
    return `${(20 + radius * Math.cos(angle)).toFixed(1)} ${(20 + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

/** The textures, to be put into the page once. */
export function textureDefs() {
  const textures = Object.entries(TEXTURES).map(([color, d]) =>
    s("path", { id: `texture-${color}`, d, class: `texture ink-${color}` }),
  );
  return s("svg", { class: "defs", width: 0, height: 0, "aria-hidden": "true" }, s("defs", {}, ...textures));
}

/**
 * The squares of a tile and its frame, with its first square at 0,0.
 * @param {string} colors @param {boolean} down @returns {SVGGElement}
 */
export function tileGroup(colors, down) {
  const [width, height] = down ? [UNIT, 3 * UNIT] : [3 * UNIT, UNIT];
  const group = s("g", { class: "tile" });
  group.append(
    s("rect", { class: "frame", x: GAP, y: GAP, width: width - 2 * GAP, height: height - 2 * GAP, rx: 7 }),
    ...[...colors].map((color, n) => squareArt(color, down ? 0 : n, down ? n : 0)),
  );
  return group;
}

/** @param {string} color @param {number} x @param {number} y in squares */
function squareArt(color, x, y) {
  const [left, top, side] = [x * UNIT + INSET, y * UNIT + INSET, UNIT - 2 * INSET];
  return s(
    "g",
    {},
    s("rect", {
      class: color === "*" ? "square wild" : `square color-${color}`,
      x: left,
      y: top,
      width: side,
      height: side,
      rx: 5,
    }),
    color === "*"
      ? s("path", { class: "spiral", d: SPIRAL, transform: `translate(${x * UNIT} ${y * UNIT})` })
      : s("use", { class: "square-texture", href: `#texture-${color}`, x: left, y: top }),
  );
}

/**
 * A tile as a picture, for hands, seats and lists. Screen readers skip it: the element around it has a label.
 * @param {string} colors @param {boolean} [down] @returns {SVGSVGElement}
 */
export function tilePicture(colors, down = false) {
  const [width, height] = down ? [UNIT, 3 * UNIT] : [3 * UNIT, UNIT];
  return s(
    "svg",
    { class: "tile-picture", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", "data-colors": colors },
    tileGroup(colors, down),
  );
}

/** A tile seen from behind. @param {boolean} [down] */
export function tileBack(down = false) {
  const [width, height] = down ? [UNIT, 3 * UNIT] : [3 * UNIT, UNIT];
  return s(
    "svg",
    { class: "tile-picture", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    s("rect", { class: "back", x: GAP, y: GAP, width: width - 2 * GAP, height: height - 2 * GAP, rx: 7 }),
  );
}
