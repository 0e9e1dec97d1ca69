/** Placing a tile by keyboard: what the free button says. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { setLanguage } from "../../../../src/chromino/web/js/language/i18n.js";
import { TilePlacer } from "../../../../src/chromino/web/js/placing/tile_placer.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));

function fakeElement() {
  /** @type {Map<string, string>} */
  const attributes = new Map();
  return {
    children: [],
    append() {},
    addEventListener() {},
    contains: () => false,
    focus() {},
    getAttribute: (/** @type {string} */ name) => attributes.get(name) ?? null,
    setAttribute: (/** @type {string} */ name, /** @type {string} */ value) => attributes.set(name, value),
    removeAttribute: (/** @type {string} */ name) => attributes.delete(name),
  };
}

const fakeDocument = { createElement: fakeElement, documentElement: {}, activeElement: null };
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), fakeDocument));
await setLanguage("en");
const { PlaceList } = await import("../../../../src/chromino/web/js/placing/place_list.js");

test("the free button says where the tile is held, or how to move it over the table", () => {
  const page = { show() {}, showTiles() {}, showsPlaces: () => false, canPlace: () => true };
  const placer = new TilePlacer(/** @type {any} */ (page), /** @type {any} */ ({}));
  const list = new PlaceList(placer, /** @type {any} */ ({}));
  placer.offer(["RGB@0,1>"], ["RGB"], [1, 0]);
  placer.pickUp("RGB");
  const label = () => {
    list.show();
    return list.freeButton.getAttribute("aria-label");
  };
  assert.equal(label(), "Move your tile over the table with the arrow keys");
  placer.placing.moveBy(0, 1);
  assert.equal(label(), "Your tile: red-green-blue going right, 1 square down from the starting square");
});
