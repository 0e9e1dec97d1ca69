import assert from "node:assert/strict";
import test from "node:test";
import { handLayout, nudge } from "../../../../src/chromino/web/js/placing/hand_layout.js";

test("a desktop shows eight tiles in two rows of four, and seven in rows of four and three", () => {
  for (const count of [7, 8]) {
    const { isUpright, columns, square } = handLayout(count, 1256, 164);
    assert.deepEqual([isUpright, columns], [false, 4]);
    assert.ok(square >= 54);
    assert.equal(handLayout(count, 1896, 184).columns, 4); // Even if all fit in one long row.
  }
  assert.equal(handLayout(8, 1896, 184).square, 64 + Math.min(0, 184 / 2 - 20 - 64));
});

test("squares are at most 64 pixels wide", () => {
  assert.equal(handLayout(1, 1896, 184).square, 64);
});

test("a phone shows all eight upright in one row, at 36 pixels or more", () => {
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

test("a tile rotated differently from the others is moved into view, and only as far as needed", () => {
  const [width, height] = [386, 150];
  const layout = handLayout(8, width, height);
  const half = (3 * layout.square * 0.75) / 2;
  for (let index = 0; index < 8; index++) {
    const [x, y] = nudge(index, 8, layout, width, height);
    const middle = width / 2 + (index - 3.5) * (layout.square + layout.gap) + x;
    assert.ok(middle - half >= -0.01 && middle + half <= width + 0.01, `${index}`);
    assert.equal(y, 0);
  }
  assert.deepEqual(nudge(3, 8, layout, width, height), [0, 0]);
  const lying = handLayout(7, 1256, 164);
  assert.deepEqual(nudge(0, 7, lying, 1256, 164), [0, 0]); // The table is above the hand.
  const [x, y] = nudge(6, 7, lying, 1256, 164);
  assert.equal(x, 0);
  const middle = 164 / 2 + 0.5 * (lying.square + lying.gap) + y;
  assert.ok(Math.abs(middle + (3 * lying.square * 0.75) / 2 - 164) < 0.01);
});
