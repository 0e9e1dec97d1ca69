/** Dragging a tile from the hand to the table, where it snaps to lit places. */

import { play } from "../browser/sound.js";
import { placementAt } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";
import { dragging } from "./pointer_drag.js";

const ABOVE = 56; // Pixels that a tile is held above a finger, which would hide it.

/**
 * @param {import("./placing_area.js").PlacingArea} area @param {AbortSignal} signal the end of the page
 * @returns {() => void} lets go of what is held
 */
export function dragTiles({ hand, table, floating, placer }, signal) {
  const { placing } = placer;
  let touch = false;
  let at = { x: 0, y: 0 };
  addEventListener("pointerdown", (event) => (touch = event.pointerType === "touch"), { capture: true, signal });

  /** @param {number} x @param {number} y */
  function isOverTable(x, y) {
    const box = table.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  }

  function move() {
    const { tile, turn } = placing;
    const { x } = at;
    const y = at.y - (touch ? ABOVE : 0);
    const inside = isOverTable(x, y);
    floating.hidden = inside || tile === null;
    if (tile === null) return;
    if (inside) {
      // Children aim with the finger, others with the tile: try both.
      placing.hold(placing.placeNear([table.pointAt(x, y), table.pointAt(x, at.y)], placer.host.isLit()));
    } else {
      placing.hold(null);
      const { colors, down } = placementAt(tile, turn, [0, 0]);
      floating.replaceChildren(tilePicture(colors, down));
      floating.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    }
  }

  return dragging(
    hand,
    {
      start: (option) => {
        const { tile } = option.dataset;
        if (!tile || placer.sending) return false;
        play("pick");
        placer.pickUp(tile);
        return true;
      },
      move: (x, y) => {
        at = { x, y };
        move();
      },
      turn: (quarters) => {
        placing.turnTile(quarters);
        move();
      },
      drop: () => {
        floating.hidden = true;
        if (placing.held) placer.put(placing.held);
        else placing.putBack();
      },
      cancel: () => {
        floating.hidden = true;
        placing.putBack();
      },
    },
    signal,
  );
}
