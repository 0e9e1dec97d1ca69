/** Where a carried tile is shown and snaps to, and which of several places comes next. Pure geometry. */

import { distance, middleOf, nearestFirst } from "../table/geometry.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Square} Square */

/** A tile snaps to a place that's within this many squares. */
const PULL = 0.4;

/**
 * The place that a tile snaps to: the nearest one, if it's near enough.
 * @param {readonly Placement[]} places for the tile as it's rotated
 * @param {Square} point the middle of the tile, in fractional squares
 * @returns {Placement | null}
 */
export function snapTarget(places, point) {
  const center = /** @type {Square} */ ([point[0] - 0.5, point[1] - 0.5]);
  const [nearest] = nearestFirst(places, center);
  return nearest && distance(middleOf(nearest), center) <= PULL ? nearest : null;
}

/**
 * How many pixels the middle of a tile is above the finger, so that the finger doesn't hide the tile.
 * @param {boolean} isTouch @param {boolean} down @param {number} size of a square
 */
export function heldAbove(isTouch, down, size) {
  return isTouch ? (down ? 1.5 : 0.5) * size + 30 : 0;
}

/**
 * The item after the current one, wrapping around.
 * @template T @param {readonly T[]} all @param {(one: T) => boolean} isCurrent @returns {T | undefined}
 */
export function nextOf(all, isCurrent) {
  return all[(all.findIndex(isCurrent) + 1) % all.length];
}
