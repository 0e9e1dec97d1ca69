import assert from "node:assert/strict";
import test from "node:test";
import { handLayout } from "../../../../src/chromino/web/js/placing/hand_layout.js";

test("a desktop shows eight in two rows of four, seven in four and three", () => {
  for (const count of [7, 8]) {
    const { isUpright, columns, square } = handLayout(count, 1256, 164);
    assert.deepEqual([isUpright, columns], [false, 4]);
    assert.ok(square >= 54);
  }
  assert.equal(handLayout(8, 1896, 184).square, 64 + Math.min(0, 184 / 2 - 20 - 64));
});

test("squares have 64 pixels at most", () => {
  assert.equal(handLayout(1, 1896, 184).square, 64);
});

test("a phone has all eight upright in one row, of 36 pixels and more", () => {
  for (const [width, height] of [
    [316, 123],
    [386, 150],
  ]) {
    const { isUpright, columns, square, gap } = handLayout(8, Number(width), Number(height));
    assert.deepEqual([isUpright, columns], [true, 8]);
    assert.ok(square >= 36);
    assert.ok(8 * (square + gap) <= Number(width));
  }
});

test("more than eight tiles are in two rows on a phone", () => {
  const { isUpright, columns, square } = handLayout(12, 386, 289);
  assert.deepEqual([isUpright, columns], [true, 6]);
  assert.ok(square >= 36);
});
