import assert from "node:assert/strict";
import { test } from "node:test";
import { freeTop, hiddenArea, spotFor } from "../../../../src/chromino/web/js/table/label_spot.js";

const SIZE = 30;
const square = (x, y) => ({ left: x * SIZE, top: y * SIZE, width: SIZE, height: SIZE });
const row = (x, y) => [0, 1, 2].map((n) => square(x + n, y));
const TABLE = { width: 320, height: 240 };
const inside = ({ left, top }, words) =>
  left >= 0 && top >= 0 && left + words.width <= TABLE.width && top + words.height <= TABLE.height;

test("words are above what they're about, if there's room", () => {
  assert.deepEqual(spotFor({ width: 90, height: 30 }, TABLE, row(3, 4), []), { left: 90, top: 4 * SIZE - 40 });
});

test("words never hide what they're about, wherever it is", () => {
  for (const words of [
    { width: 250, height: 60 },
    { width: 180, height: 45 },
  ]) {
    for (let x = 0; x < 8; x++) {
      for (let y = 0; y < 7; y++) {
        const about = [...row(x, y), square(x + 1, y + 1)];
        const spot = spotFor(words, TABLE, about, [...row(0, 0), ...row(5, 5)]);
        assert.equal(hiddenArea({ ...words, ...spot }, about), 0, `${x} ${y}`);
        assert.ok(inside(spot, words));
      }
    }
  }
});

test("words prefer spots without tiles", () => {
  const above = [...row(2, 2), ...row(5, 2), ...row(2, 3), ...row(5, 3)];
  const words = { width: 120, height: 40 };
  const spot = spotFor(words, TABLE, row(3, 4), above);
  assert.equal(hiddenArea({ ...words, ...spot }, above), 0);
});

test("a label moves above others in its way, and otherwise stays put", () => {
  const label = { left: 100, width: 60, height: 30 };
  assert.equal(freeTop(200, label, []), 200);
  assert.equal(freeTop(200, label, [{ left: 300, top: 200, width: 60, height: 30 }]), 200);
  const one = { left: 90, top: 195, width: 60, height: 30 };
  const first = freeTop(200, label, [one]);
  assert.ok(first + 30 <= 195);
  const second = freeTop(200, label, [one, { ...label, top: first }]);
  assert.ok(second + 30 <= first);
});
