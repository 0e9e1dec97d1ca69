import assert from "node:assert/strict";
import test from "node:test";
import { dotsOf } from "../../../../src/chromino/web/js/table/dots.js";
import { parseTable } from "../../../../src/chromino/web/js/table/geometry.js";

test("dots are at the corners of squares within two squares of a tile", () => {
  const [{ dots } = { dots: [] }] = dotsOf(parseTable("RGB@0,0>"));
  assert.equal(dots.length, 8 * 6);
  assert.ok(dots.every(([x, y]) => Number.isInteger(x) && x >= -2 && x <= 5 && y >= -2 && y <= 3));
});

test("a new tile adds its own dots and changes no others", () => {
  const before = dotsOf(parseTable("RGB@0,0>"));
  const after = dotsOf(parseTable("RGB@0,0> BRR@3,0v"));
  assert.deepEqual(after[0], before[0]);
  const all = after.flatMap(({ dots }) => dots.map(String));
  assert.equal(new Set(all).size, all.length);
});
