/** One of the tiles that a review or practice compares: its sign on the table, a picture, and what it was worth. */

import { h } from "../browser/dom.js";
import { parsePlacement } from "../table/geometry.js";
import { tilePicture } from "../table/tile_art.js";

/** @param {string} sign @param {string} text of a placement @param {string} value @param {string} key of its label */
export function comparedTile(sign, text, value, key) {
  const { colors } = parsePlacement(text);
  return h(
    "span",
    { class: "compared-tile" },
    h("span", { class: "compared-sign" }, sign),
    tilePicture(colors),
    h("span", { class: "muted", t: key }),
    h("strong", {}, value),
  );
}
