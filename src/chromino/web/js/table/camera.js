/** The camera over the table: pure geometry, in pixels of the table's element and in squares. */

import { UNIT } from "./tile_art.js";

/**
 * @typedef {{x: number, y: number, scale: number}} Camera where the table's 0,0 is in the element, in pixels, and the
 * scale
 * @typedef {{left: number, top: number, width: number, height: number}} Box in squares
 * @typedef {{width: number, height: number, above: number, below: number}} Room the element's size, and how much
 * of its height is covered at the top and at the bottom, in pixels
 */

/** How many free squares `fitted` leaves around the box. */
export const MARGIN = 1.5;
/** A square is at most 66 pixels wide, unless you zoom in. */
const LARGEST = 66 / UNIT;
/** The smallest squares while the camera follows play. */
const READABLE = 11 / UNIT;
/** The limits when you zoom. */
export const MIN_ZOOM = 7 / UNIT;
const MAX_ZOOM = 120 / UNIT;
/** A tile closer to the edge than this, in squares, counts as out of sight. */
const NEAR_EDGE = 0.25;
/** How many squares beyond the tiles you can pan. */
const LEEWAY = 2;

/**
 * A camera that shows the whole box and a margin, as large as possible. If squares would be too small, it centers the
 * focus instead.
 * @param {Box} box @param {Room} room
 * @param {{minScale?: number, maxScale?: number, margin?: number, focus?: [number, number] | null}} [options]
 * @returns {Camera}
 */
export function fitted(box, room, { minScale = READABLE, maxScale = LARGEST, margin = MARGIN, focus = null } = {}) {
  const free = { width: room.width, height: room.height - room.above - room.below };
  const fitting = Math.min(
    free.width / ((box.width + 2 * margin) * UNIT),
    free.height / ((box.height + 2 * margin) * UNIT),
  );
  const scale = clamp(fitting, minScale, maxScale);
  const isWhole = fitting >= minScale || !focus;
  const [x, y] = isWhole ? [box.left + box.width / 2, box.top + box.height / 2] : focus;
  const camera = {
    scale,
    x: free.width / 2 - x * UNIT * scale,
    y: room.above + free.height / 2 - y * UNIT * scale,
  };
  return isWhole ? camera : clamped(camera, box, room);
}

/** Is a box comfortably in view? @param {Camera} camera @param {Box} box @param {Room} room */
export function shows(camera, box, room) {
  const size = UNIT * camera.scale;
  const edge = NEAR_EDGE * size;
  const left = camera.x + box.left * size;
  const top = camera.y + box.top * size;
  return (
    left >= edge &&
    top >= room.above + edge &&
    left + box.width * size <= room.width - edge &&
    top + box.height * size <= room.height - room.below - edge
  );
}

/**
 * The camera after the table has changed. It only moves if a tile would be out of sight.
 * @param {Camera | null} camera @param {Box} box @param {Room} room @param {[number, number] | null} focus
 */
export function followed(camera, box, room, focus) {
  return camera && shows(camera, box, room) ? camera : fitted(box, room, { focus });
}

/**
 * A camera that doesn't lose sight of the tiles: a small table stays inside the view, a large one fills it.
 * @param {Camera} camera @param {Box} box @param {Room} room @returns {Camera}
 */
export function clamped(camera, box, room) {
  const size = UNIT * camera.scale;
  /** @param {number} at @param {number} start @param {number} length in squares @param {number} view */
  const clampAxis = (at, start, length, view) => {
    const [near, far] = [-(start - LEEWAY) * size, view - (start + length + LEEWAY) * size];
    return clamp(at, Math.min(near, far), Math.max(near, far));
  };
  return {
    scale: camera.scale,
    x: clampAxis(camera.x, box.left, box.width, room.width),
    y: clampAxis(camera.y, box.top, box.height, room.height),
  };
}

/**
 * The camera after zooming by a factor around a point of the element.
 * @param {Camera} camera @param {number} factor @param {number} x @param {number} y @returns {Camera}
 */
export function zoomed(camera, factor, x, y) {
  const scale = clamp(camera.scale * factor, MIN_ZOOM, MAX_ZOOM);
  const ratio = scale / camera.scale;
  return { scale, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio };
}

/** The smallest box around two boxes. @param {Box} one @param {Box} other @returns {Box} */
export function unionOf(one, other) {
  const left = Math.min(one.left, other.left);
  const top = Math.min(one.top, other.top);
  const right = Math.max(one.left + one.width, other.left + other.width);
  const bottom = Math.max(one.top + one.height, other.top + other.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** @param {number} value @param {number} min @param {number} max */
export function clamp(value, min, max) {
  return Math.max(min, Math.min(max, value));
}
