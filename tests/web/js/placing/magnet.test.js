/** Where a carried tile goes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { heldAbove, nextOf, snapTarget } from "../../../../src/chromino/web/js/placing/magnet.js";
import { parsePlacement } from "../../../../src/chromino/web/js/table/geometry.js";

const PLACES = ["RGB@0,1>", "RGB@1,1>", "RGB@5,1>"].map(parsePlacement);

test("a place pulls a tile within four tenths of a square, and the nearest one wins", () => {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => snapTarget(PLACES, [x, y])?.text ?? null;
  assert.equal(at(1.5, 1.5), "RGB@0,1>");
  assert.equal(at(1.89, 1.5), "RGB@0,1>");
  assert.equal(at(2.2, 1.5), "RGB@1,1>");
  assert.equal(at(2.5, 1.91), null);
  assert.equal(at(2.8, 1.8), null, "too far, counting both axes");
  assert.equal(at(4, 1.5), null);
  assert.equal(snapTarget([], [1.5, 1.5]), null);
});

test("a tile floats entirely above a finger, and is under a mouse", () => {
  assert.equal(heldAbove(false, true, 40), 0);
  assert.ok(heldAbove(true, false, 40) - 20 > 20);
  assert.ok(heldAbove(true, true, 40) - 60 > 20);
});

test("the next of several wraps around", () => {
  const next = (/** @type {number} */ now) => nextOf([1, 2, 3], (one) => one === now);
  assert.deepEqual([next(1), next(3), next(9)], [2, 1, 1]);
});
