/** A label like "+8" for the points that a tile would earn: above the tile, or below if there's no room. */

const GAP = 6; // Pixels between the label and the tile.

/**
 * @param {import("./table.js").ChrominoTable} table
 * @param {{place: import("../types.js").Placement, points: number} | null} preview
 */
export function showPoints(table, preview) {
  const label = /** @type {HTMLElement} */ (table.points);
  label.hidden = !preview;
  if (!preview) return;
  const words = `+${preview.points}`;
  if (label.textContent !== words) label.textContent = words;
  const box = table.getBoundingClientRect();
  const tile = table.rectOf(preview.place);
  const { left, top } = pointsSpot(
    { width: label.offsetWidth, height: label.offsetHeight },
    { width: box.width, height: box.height },
    { left: tile.left - box.left, top: tile.top - box.top, width: tile.width, height: tile.height },
  );
  label.style.transform = `translate(${left}px, ${top}px)`;
}

/**
 * Where the label goes, in pixels of the table.
 * @param {{width: number, height: number}} label @param {{width: number, height: number}} table
 * @param {{left: number, top: number, width: number, height: number}} tile
 */
export function pointsSpot(label, table, tile) {
  const above = tile.top - label.height - GAP;
  const left = tile.left + (tile.width - label.width) / 2;
  return {
    left: Math.max(GAP, Math.min(table.width - label.width - GAP, left)),
    top: above >= GAP ? above : Math.min(tile.top + tile.height + GAP, table.height - label.height - GAP),
  };
}
