/**
 * The tile in the player's fingers: which one it is, how it's rotated, and where it's held or has been put down. It
 * doesn't know the rules: `actions` says what's allowed, and the server decides everything else.
 */

import {
  distance,
  isPlacementOf,
  middleOf,
  nearestFirst,
  parsePlacement,
  placementAt,
  rotationOf,
  sameRotation,
  squaresOf,
  underPoint,
} from "../table/geometry.js";

/** @typedef {import("../types.js").Placement} Placement */
/** @typedef {import("../types.js").Square} Square */

/** A tile dropped within this many squares of a lit place goes there. */
const REACH = 1.2;
/** A tap within this many squares of a lit place counts as a tap on it. */
const TAP_REACH = 0.35;

/** Fires "change" after each change. */
export class Placing extends EventTarget {
  /** @type {Placement[]} */
  legal = [];
  /** @type {string | null} The tile that's picked up. */
  tile = null;
  /** Quarter turns, clockwise. */
  rotation = 0;
  /** @type {Placement | null} Where the tile is held by keyboard. */
  held = null;
  /** @type {Placement | null} Where the tile under the pointer would go. */
  carried = null;
  /** @type {Placement | null} Where the tile was put down, until the server has answered. */
  pending = null;
  /** @type {Square} The middle of the last tile placed. Places near it come first. */
  lastMiddle = [1, 0];

  /**
   * Take in a new state of the game: what may be placed, and what's in the hand.
   * @param {readonly string[]} actions @param {readonly string[]} hand @param {Square} lastMiddle
   */
  offer(actions, hand, lastMiddle) {
    this.legal = actions.filter((action) => action.includes("@")).map(parsePlacement);
    this.lastMiddle = lastMiddle;
    this.held = this.carried = null;
    this.pending = null;
    if (this.tile !== null && !hand.includes(this.tile)) this.tile = null;
    this.changed();
  }

  /** The legal places of a tile, nearest first. @param {string | null} [tile] */
  places(tile = this.tile) {
    return tile === null
      ? []
      : nearestFirst(
          this.legal.filter((place) => isPlacementOf(place, tile)),
          this.lastMiddle,
        );
  }

  /** Can this tile be placed? @param {string} tile */
  fits(tile) {
    return this.legal.some((place) => isPlacementOf(place, tile));
  }

  /** Pick up a tile; if places are lit, rotate it for the nearest one. @param {string} tile @param {boolean} lit */
  pick(tile, lit) {
    const [nearest] = lit ? this.places(tile) : [];
    this.tile = tile;
    this.rotation = nearest ? rotationOf(nearest, tile) : 0;
    this.held = this.carried = null;
    this.pending = null;
    this.changed();
  }

  /** Put the tile back into the hand, and return whether there was one. */
  putBack() {
    const hadTile = this.tile !== null || this.pending !== null;
    this.tile = this.held = this.carried = this.pending = null;
    if (hadTile) this.changed();
    return hadTile;
  }

  /** Rotate the tile by quarter turns. A held tile rotates around its middle. @param {number} [quarters] */
  rotate(quarters = 1) {
    if (this.tile === null || this.pending) return;
    this.rotation = (this.rotation + quarters + 4) % 4;
    if (this.held) this.held = placementAt(this.tile, this.rotation, middleOf(this.held));
    this.changed();
  }

  /** Is the tile rotated as it would be at this place? @param {Placement} place */
  isRotatedFor(place) {
    return this.tile !== null && sameRotation(this.tile, rotationOf(place, this.tile), this.rotation);
  }

  /** Hold the tile at a place, or nowhere. @param {Placement | null} place */
  hold(place) {
    if (this.tile === null || place?.text === this.held?.text) return;
    if (place) this.rotation = rotationOf(place, this.tile);
    this.held = place;
    this.changed();
  }

  /** Carry the tile over the table with a pointer. @param {Placement | null} place where the tile would go */
  carry(place) {
    if (place?.text === this.carried?.text) return;
    this.carried = place;
    if (place) this.held = null;
    this.changed();
  }

  /** Move the held tile by some squares. @param {number} dx @param {number} dy */
  moveBy(dx, dy) {
    if (this.tile === null) return;
    const [x, y] = this.held ? middleOf(this.held) : this.lastMiddle;
    this.held = placementAt(this.tile, this.rotation, [x + dx, y + dy]);
    this.changed();
  }

  /**
   * Where the tile goes if it's dropped. If places are lit and a legal one that needs no rotation is near one of the
   * points, the tile goes there; otherwise, it goes to the square under the first point.
   * @param {Square[]} points fractional: the middle of the tile, and other points where the player may be aiming
   * @param {boolean} lit
   */
  placeNear(points, lit) {
    const [x, y] = /** @type {Square} */ (points[0]);
    const rotated = lit ? this.places().filter((place) => this.isRotatedFor(place)) : [];
    for (const [px, py] of points) {
      const [nearest] = nearestFirst(rotated, [px - 0.5, py - 0.5]);
      if (nearest && distance(middleOf(nearest), [px - 0.5, py - 0.5]) < REACH) return nearest;
    }
    return placementAt(/** @type {string} */ (this.tile), this.rotation, [Math.floor(x), Math.floor(y)]);
  }

  /**
   * The legal places that cover the square under a point: first those that need no rotation, then the others. Within
   * each group, the nearest come first.
   * @param {Square} point
   */
  placesUnder(point) {
    const square = String(point.map(Math.floor));
    const covering = this.places().filter((place) => squaresOf(place).some((one) => String(one) === square));
    const sorted = nearestFirst(covering, [point[0] - 0.5, point[1] - 0.5]);
    return [
      ...sorted.filter((place) => this.isRotatedFor(place)),
      ...sorted.filter((place) => !this.isRotatedFor(place)),
    ];
  }

  /**
   * Where the tile goes after a tap: a legal place under the point if places are lit, otherwise the square itself.
   * @param {Square} point @param {boolean} lit
   */
  placeTapped(point, lit) {
    const tile = /** @type {string} */ (this.tile);
    const places = lit ? this.places() : [];
    const rotated = places.filter((place) => this.isRotatedFor(place));
    return (
      underPoint(rotated, point) ??
      underPoint(places, point) ??
      underPoint(places, point, TAP_REACH) ??
      placementAt(tile, this.rotation, [Math.floor(point[0]), Math.floor(point[1])])
    );
  }

  /** Put the tile down. @param {Placement} place */
  putDown(place) {
    if (this.tile === null) return;
    this.rotation = rotationOf(place, this.tile);
    this.held = this.carried = null;
    this.pending = place;
    this.changed();
  }

  /** Take back the tile that was put down. @param {Placement | null} [held] where to hold it, if anywhere */
  takeBack(held = null) {
    this.pending = null;
    this.held = held;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
