/**
 * Carries a tile to the table. You drag it with the mouse or a finger, or click it and it follows the mouse. The tile
 * is shown at the pointer, snaps to nearby places, and stays where you drop it.
 */

import { playSound } from "../browser/sound.js";
import { placementAt } from "../table/geometry.js";
import { heldAbove, snapTarget } from "./magnet.js";
import { trackDrags } from "./pointer_drag.js";

/** How long a phone vibrates when a tile snaps to a place, in milliseconds. */
const BUZZ = 12;

/**
 * @param {import("./placing_area.js").PlacingArea} area @param {AbortSignal} signal aborts when the page is closed
 * @returns {() => void} cancels the current drag, if any
 */
export function dragTiles({ hand, table, carried, placer }, signal) {
  const { placing } = placer;
  let isTouch = false;
  let isDragged = false;
  let pointer = { x: 0, y: 0 };
  /** @type {string | null} Where the tile has snapped to. */
  let snappedTo = null;

  /** @param {{x: number, y: number}} point */
  function isOverTable({ x, y }) {
    const box = table.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  }

  /** Show the tile at the pointer, or at the place it snaps to. */
  function move() {
    const { tile, rotation } = placing;
    if (tile === null) return settle();
    const size = table.squareSize;
    const rotated = placementAt(tile, rotation, [0, 0]);
    const middle = { x: pointer.x, y: pointer.y - heldAbove(isTouch, rotated.down, size) };
    const isInside = isOverTable(middle);
    if (!isInside && !isDragged) return settle();
    const showsPlaces = placer.page.showsPlaces() && placer.page.canPlace();
    const places = showsPlaces ? placing.places().filter((place) => placing.isRotatedFor(place)) : [];
    const place = isInside ? snapTarget(places, table.pointAt(middle.x, middle.y)) : null;
    if (place && place.text !== snappedTo) {
      playSound("snap");
      if (isTouch) navigator.vibrate?.(BUZZ);
    }
    snappedTo = place?.text ?? null;
    // Children aim with the finger, adults with the tile, so try both.
    const points = [table.pointAt(middle.x, middle.y), table.pointAt(pointer.x, pointer.y)];
    placing.carry(isInside ? (place ?? placing.placeNear(points, showsPlaces)) : null);
    carried.show(rotated, place ? middleOfRect(table.rectOf(place)) : middle, size, place !== null);
    hand.leaveGap(tile);
  }

  /** Stop carrying the tile, because it's back in the hand or on the table. */
  function settle() {
    snappedTo = null;
    carried.hide();
    hand.leaveGap(null);
    if (placing.carried) placing.carry(null);
  }

  addEventListener("pointerdown", (event) => (isTouch = event.pointerType === "touch"), { capture: true, signal });
  // After a click, a tile follows the mouse while no button is pressed.
  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerType !== "mouse" || isDragged || placing.pending || placer.sending) return;
      if (placing.tile === null || event.buttons) return;
      isTouch = false;
      pointer = { x: event.clientX, y: event.clientY };
      move();
    },
    { signal },
  );
  placing.addEventListener(
    "change",
    () => {
      if (placing.tile === null || placing.pending) settle();
      else if (carried.isShown) move(); // The tile may have been rotated.
    },
    { signal },
  );
  document.documentElement.addEventListener("pointerleave", () => isDragged || settle(), { signal });

  return trackDrags(
    hand,
    {
      start: (option) => {
        const { tile } = option.dataset;
        if (!tile || placer.sending) return false;
        playSound("pick");
        placer.pickUp(tile);
        isDragged = true;
        return true;
      },
      move: (x, y) => {
        pointer = { x, y };
        move();
      },
      rotate: (quarters) => placing.rotate(quarters),
      drop: () => {
        isDragged = false;
        const { tile, rotation, carried: place } = placing;
        const from = carried.rect();
        if (place) placer.put(place);
        else placing.putBack();
        settle();
        if (!place && tile) void carried.flyBack(placementAt(tile, rotation, [0, 0]), from, hand.option(tile), false);
      },
      cancel: () => {
        isDragged = false;
        placing.putBack();
        settle();
      },
    },
    signal,
  );
}

/** @param {DOMRect} rect */
function middleOfRect({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}
