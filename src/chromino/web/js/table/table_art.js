/** What the table shows besides its tiles: places, marks, and what's wrong with a placement. */

import { s } from "../browser/dom.js";
import { edgeBetween, squaresOf } from "./geometry.js";
import { sizeOf, tileGroup, UNIT } from "./tile_art.js";

/** @typedef {import("../types.js").Placement} Placement */

/** @type {Record<string, string>} The signs on placements to compare. */
const SIGNS = { played: "●", better: "★", before: "○" };

/**
 * Move an element to a placement.
 * @template {SVGElement} E
 * @param {Placement} placement
 * @param {E} element
 * @returns {E}
 */
export function moveTo({ x, y }, element) {
  element.setAttribute("transform", `translate(${x * UNIT} ${y * UNIT})`);
  return element;
}

/** @template {SVGElement} E @param {E} element @param {string} name @returns {E} */
export function withClass(element, name) {
  element.classList.add(name);
  return element;
}

/** A place for the tile; faint if it would have to be rotated. @param {Placement} place @param {boolean} faint */
export function placeArt(place, faint) {
  return s("g", { class: faint ? "lit faint" : "lit" }, frame(place, "outline"));
}

/** A halo around the last tile. @param {Placement} placement */
export function haloArt({ down }) {
  const [width, height] = sizeOf(down);
  const ring = (/** @type {string} */ className) =>
    s("rect", { class: className, x: -2.6, y: -2.6, width: width + 5.2, height: height + 5.2, rx: 11.5 });
  return s("g", { class: "halo" }, ring("halo-edge"), ring("halo-light"));
}

/** @param {[number, number][]} dots in squares */
export function dotsArt(dots) {
  return s("path", { class: "dot", d: dots.map(([x, y]) => `M${x * UNIT} ${y * UNIT}h0`).join("") });
}

/** A place that's been found: the tile in faint colors, with an outline. @param {Placement} place */
export function foundArt(place) {
  const group = withClass(tileGroup(place.colors, place.down), "found");
  group.append(frame(place, "outline"));
  return group;
}

/**
 * Placements to compare. Outlines and signs tell them apart without color. If placements overlap, the outlines are on
 * top of all tiles, and each sign is on a square that no other placement covers, if there is one.
 * @param {{place: Placement, name: string}[]} marked
 */
export function markedArt(marked) {
  const tiles = marked.map(({ place, name }) =>
    moveTo(place, withClass(tileGroup(place.colors, place.down), `marked-${name}`)),
  );
  const signs = marked.map(({ place, name }) => {
    const others = marked.filter((one) => one.place !== place).flatMap((one) => squaresOf(one.place).map(String));
    const usual = name === "better" ? 2 : name === "before" ? 1 : 0;
    const squares = squaresOf(place).map(String);
    const nth = [usual, 0, 1, 2].find((n) => !others.includes(squares[n] ?? "")) ?? usual;
    const [x, y] = place.down ? [0, nth * UNIT] : [nth * UNIT, 0];
    const sign = s("text", { class: "sign", x: x + UNIT / 2, y: y + UNIT / 2 + 6, "text-anchor": "middle" });
    sign.textContent = SIGNS[name] ?? "";
    const back = s("circle", { class: "sign-back", cx: x + UNIT / 2, cy: y + UNIT / 2, r: 12 });
    return moveTo(place, s("g", { class: `outlined-${name}` }, frame(place, "outline"), back, sign));
  });
  return [...tiles, ...signs];
}

/** @param {{x: number, y: number, width: number, height: number}} area in squares */
export function areaArt({ x, y, width, height }) {
  return s("rect", { class: "area", x: x * UNIT, y: y * UNIT, width: width * UNIT, height: height * UNIT, rx: 8 });
}

/** @param {import("../types.js").Contact} contact @param {string} className */
export function edgeArt({ square, neighbor }, className) {
  const [x1, y1, x2, y2] = edgeBetween(square, neighbor).map((n) => n * UNIT);
  const line = (/** @type {string} */ name) => s("line", { class: name, x1, y1, x2, y2 });
  return s("g", {}, line("edge-back"), line(className));
}

/** @param {Placement} place @param {string} className */
function frame({ down }, className) {
  const [width, height] = sizeOf(down);
  return s("rect", { class: className, x: 2, y: 2, width: width - 4, height: height - 4, rx: 8 });
}

/**
 * A refused tile, and why: clashing edges, occupied squares, contacts that count.
 * @param {Placement} place @param {import("../types.js").Refusal} refusal
 */
export function refusedArt(place, refusal) {
  const tile = moveTo(place, withClass(tileGroup(place.colors, place.down), "refused"));
  tile.append(frame(place, "outline"));
  const edgeClass = refusal.reason === "too-few-contacts" ? "edge good" : "edge";
  const edges = refusal.contacts.map((contact) => edgeArt(contact, edgeClass));
  const taken = refusal.reason === "overlap" ? refusal.squares : [];
  const crosses = taken.map(([x, y]) =>
    s(
      "g",
      { transform: `translate(${x * UNIT} ${y * UNIT})` },
      ...["cross-back", "cross"].map((className) => s("path", { class: className, d: "M11 11 29 29M29 11 11 29" })),
    ),
  );
  return [tile, ...edges, ...crosses];
}
