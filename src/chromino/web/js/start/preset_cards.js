/**
 * Presets as cards. Each has a picture of a small table that follows its rules. With scoring, the picture also shows
 * what the last tile earns.
 */

import { h, keyed } from "../browser/dom.js";
import { parseTable } from "../table/geometry.js";
import { tablePicture } from "../table/table_picture.js";

/** The three old ways to score share a table, so you can see what each gives for the same tile. */
const SCORING_TABLE = "BGY@0,0> YBG@-1,-1> GYY@1,1> RPY@3,-2v";

/**
 * Tiles in the order they were laid. A test checks them against the rules.
 * @type {Record<string, {laid: string, points?: number}>}
 */
const PICTURES = {
  classic: { laid: "B*Y@0,0> GBR@-1,-1> PYR@1,1> PPY@0,2>" },
  junior: { laid: "P*R@0,0> RYG@3,0> BGY@1,1v" },
  expert: { laid: "Y*P@0,0> G*R@-1,1> BGP@-2,2>", points: 6 },
  first_edition: { laid: "RPY@0,0> PYY@1,1> BRP@-1,-1> BGY@3,-2v" },
  scoring_a: { laid: SCORING_TABLE, points: 8 },
  scoring_b: { laid: SCORING_TABLE, points: 14 },
  scoring_c: { laid: SCORING_TABLE, points: 16 },
};

const MARGIN = 0.15; // In squares: room for shadows.

/**
 * Show one card for each preset.
 * @param {HTMLElement} parent
 * @param {readonly string[]} names
 * @param {string | null} chosen
 * @param {(name: string) => void} choose
 */
export function showPresets(parent, names, chosen, choose) {
  keyed(
    parent,
    names,
    (name) => name,
    (name) => makeCard(name, choose),
    (card, name) => {
      /** @type {HTMLInputElement | null} */
      const input = card.querySelector("input");
      if (input) input.checked = name === chosen;
    },
  );
}

/** @param {string} name @param {(name: string) => void} choose */
function makeCard(name, choose) {
  const input = h("input", { type: "radio", name: "preset", value: name });
  input.addEventListener("change", () => choose(name));
  return h(
    "label",
    { class: "preset" },
    input,
    presetPicture(name),
    h("strong", { t: `preset.${name}` }),
    h("span", { class: "preset-about", t: `preset.${name}_about` }),
  );
}

/** @param {string} name */
function presetPicture(name) {
  const { laid = "", points } = PICTURES[name] ?? {};
  const tiles = parseTable(laid);
  const count = points === undefined ? tiles.length : tiles.length - 1;
  return h(
    "span",
    { class: "preset-picture", "aria-hidden": "true" },
    tablePicture(tiles.slice(0, count), tiles.slice(count), "counted", null, MARGIN),
    points !== undefined && h("span", { class: "preset-points" }, `+${points}`),
  );
}
