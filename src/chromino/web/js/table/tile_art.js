/**
 * Tiles drawn in SVG: a body with an edge and a shadow, and three squares with a texture and some gloss. Shadows are
 * plain shapes, and all gloss is one gradient, because filters are slow. `draw/look.py` has the same numbers for
 * exported pictures, and `css/tokens.css` has the colors.
 */

import { s } from "../browser/dom.js";

/** The side of a cell, in the units of the drawing. */
export const UNIT = 40;
const GAP = 0.7; // Between the edge of a cell and the tile's body.
const EDGE_HEIGHT = 1.2; // How far the tile's edge shows below the body.
const BODY_RADIUS = 8.8; // The radius of the body's corners.
const INSET = 2.8; // Between the edge of a cell and its colored square.
const SQUARE_RADIUS = 6; // The radius of a square's corners.
const SIDE = UNIT - 2 * INSET;

/** The parts of a soft shadow: how far each extends beyond the tile, and how far down it's shifted. */
const SHADES = [
  { reach: 1.6, down: 2.4 },
  { reach: 0.8, down: 1.8 },
  { reach: 0, down: 1.4 },
];

const THIRDS = [6.2, 17.2, 28.2];

/** Nine copies of a mark, in three rows of three. @param {(x: number, y: number) => string} mark */
const nine = (mark) => THIRDS.flatMap((y) => THIRDS.map((x) => mark(x, y))).join("");

/**
 * The texture of each color, drawn from the square's corner. Textures aren't SVG patterns, because those print badly.
 * @type {Record<string, string>}
 */
export const TEXTURES = {
  R: "M0 8.6 8.6 0H12.2L0 12.2ZM0 24.6 24.6 0H28.2L0 28.2ZM6.2 34.4 34.4 6.2V9.8L9.8 34.4ZM22.2 34.4 34.4 22.2V25.8L25.8 34.4Z",
  G: nine((x, y) => `M${x} ${y}h0`),
  B: [6.9, 13.8, 20.7, 27.6]
    .map((y) => `M0 ${(y - 2).toFixed(1)}q2.15 0 4.3 2t4.3 2 4.3-2 4.3-2 4.3 2 4.3 2 4.3-2 4.3-2`)
    .join(""),
  Y: nine((x, y) => `M${x} ${(y - 3.2).toFixed(1)}v6.4M${(x - 3.2).toFixed(1)} ${y}h6.4`),
  P: nine((x, y) => `M${x} ${(y - 5.5).toFixed(1)}l5.5 5.5-5.5 5.5-5.5-5.5Z`),
};

/** The colors of the wild square's spiral, and where each is in the gradient from upper left to lower right. */
export const WILD = { R: 0, Y: 0.28, G: 0.5, B: 0.75, P: 1 };

/** The path of the spiral: about two and a half turns around the middle of a square. */
function spiral() {
  const points = Array.from({ length: 61 }, (_, n) => {
    const angle = (5.2 * Math.PI * n) / 60 - 0.4;
    const radius = 0.6 + (11 * n) / 60;
    return `${(17.2 + radius * Math.cos(angle)).toFixed(1)} ${(17.2 + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

/** The parts that all tiles share, added to the page once. */
export function tileDefs() {
  const gloss = gradient("gloss", 0, 1, [
    ["gloss-top", 0],
    ["gloss-end", 0.6],
  ]);
  const wild = diagonalGradient(
    "wild",
    7,
    27,
    Object.entries(WILD).map(([color, at]) => [`stop-${color}`, at]),
  );
  return s(
    "svg",
    { class: "defs", width: 0, height: 0, "aria-hidden": "true" },
    s("defs", {}, gloss, wild, ...Object.keys(TEXTURES).map(coloredSquare), wildSquare()),
  );
}

/** @param {string} id @param {number} from @param {number} to @param {[className: string, at: number][]} stops */
function gradient(id, from, to, stops) {
  return s("linearGradient", { id, x1: 0, y1: from, x2: 0, y2: to }, ...stopsOf(stops));
}

/** @param {string} id @param {number} from @param {number} to @param {[className: string, at: number][]} stops */
function diagonalGradient(id, from, to, stops) {
  const ends = { x1: from, y1: from, x2: to, y2: to, gradientUnits: "userSpaceOnUse" };
  return s("linearGradient", { id, ...ends }, ...stopsOf(stops));
}

/** @param {[className: string, at: number][]} stops */
function stopsOf(stops) {
  return stops.map(([className, offset]) => s("stop", { class: className, offset }));
}

/** @param {string} color */
function coloredSquare(color) {
  return s(
    "g",
    { id: `square-${color}` },
    squareRect(`square color-${color}`),
    s("path", { id: `texture-${color}`, class: `texture texture-${color}`, d: TEXTURES[color] }),
    s("rect", { class: "gloss", width: SIDE, height: SIDE, rx: SQUARE_RADIUS, fill: "url(#gloss)" }),
    s("rect", { class: "shine", x: 4.4, y: 0.9, width: SIDE - 8.8, height: 1, rx: 0.5 }),
  );
}

function wildSquare() {
  const line = s("path", { class: "spiral", d: spiral(), stroke: "url(#wild)" });
  return s("g", { id: "square-wild" }, squareRect("square wild"), line);
}

/** @param {string} className */
function squareRect(className) {
  return s("rect", { class: className, width: SIDE, height: SIDE, rx: SQUARE_RADIUS });
}

/**
 * A tile with its first square at 0,0.
 * @param {string} colors @param {boolean} down @returns {SVGGElement}
 */
export function tileGroup(colors, down) {
  return s(
    "g",
    { class: "tile" },
    ...bodyParts(down),
    ...[...colors].map((color, n) =>
      s("use", {
        href: `#square-${color === "*" ? "wild" : color}`,
        x: (down ? 0 : n * UNIT) + INSET,
        y: (down ? n * UNIT : 0) + INSET,
      }),
    ),
  );
}

/** The shadow, the edge and the body. @param {boolean} down */
function bodyParts(down) {
  const [width, height] = sizeOf(down);
  const rect = (/** @type {string} */ className, /** @type {number} */ reach, /** @type {number} */ lower) =>
    s("rect", {
      class: className,
      x: GAP - reach,
      y: GAP + lower - reach,
      width: width - 2 * GAP + 2 * reach,
      height: height - 2 * GAP - EDGE_HEIGHT + 2 * reach,
      rx: BODY_RADIUS + reach,
    });
  return [
    ...SHADES.map(({ reach, down: lower }) => rect("shade", reach, lower)),
    rect("thick", 0, EDGE_HEIGHT),
    rect("frame", 0, 0),
  ];
}

/** The size of a tile. @param {boolean} down @returns {[width: number, height: number]} */
export function sizeOf(down) {
  return down ? [UNIT, 3 * UNIT] : [3 * UNIT, UNIT];
}

/**
 * A tile as a picture, for hands, seats and lists. Screen readers skip it: the element around it has a label.
 * @param {string} colors @param {boolean} [down] @returns {SVGSVGElement}
 */
export function tilePicture(colors, down = false) {
  const picture = pictureOf(tileGroup(colors, down), down);
  picture.setAttribute("data-colors", colors);
  return picture;
}

/** The back of a tile. @param {boolean} [down] */
export function tileBack(down = false) {
  const [width, height] = sizeOf(down);
  const back = s("rect", {
    class: "back",
    x: INSET,
    y: INSET,
    width: width - 2 * INSET,
    height: height - 2 * INSET,
    rx: SQUARE_RADIUS,
  });
  return pictureOf(s("g", { class: "tile" }, ...bodyParts(down), back), down);
}

/** @param {SVGGElement} tile @param {boolean} down */
function pictureOf(tile, down) {
  return s("svg", { class: "tile-picture", viewBox: `0 0 ${sizeOf(down).join(" ")}`, "aria-hidden": "true" }, tile);
}
