import assert from "node:assert/strict";
import { test } from "node:test";
import { pointsSpot } from "../../../../src/chromino/web/js/table/points_label.js";

const label = { width: 40, height: 30 };
const table = { width: 400, height: 300 };

test("points are above the tile, centered", () => {
  assert.deepEqual(pointsSpot(label, table, { left: 100, top: 100, width: 120, height: 40 }), { left: 140, top: 64 });
});

test("at the upper edge, points are below the tile, and they never leave the table", () => {
  assert.deepEqual(pointsSpot(label, table, { left: -10, top: 10, width: 40, height: 120 }), { left: 6, top: 136 });
  assert.deepEqual(pointsSpot(label, table, { left: 380, top: 0, width: 40, height: 300 }), { left: 354, top: 264 });
});
