import assert from "node:assert/strict";
import { test } from "node:test";
import { shapesOf } from "../../../../src/chromino/web/js/table/thumbnail.js";

test("a table of any size is one path for the tiles and one for each color", () => {
  const many = Array.from({ length: 80 }, (_, n) => `RGB@0,${n}>`).join(" ");
  const { bodies, squares, box } = shapesOf(`${many} Y*P@3,0v`);
  assert.equal(bodies.split("M").length - 1, 81);
  assert.deepEqual([...squares.keys()].sort(), ["B", "G", "P", "R", "Y"]);
  assert.equal((squares.get("R") ?? "").split("M").length - 1, 80 + 1); // A wild square has some red.
  assert.deepEqual(box.slice(2), [7, 81.4]);
});

test("a lone tile is centered and not enlarged", () => {
  assert.deepEqual(shapesOf("RGB@0,0>").box, [-2, -1.25, 7, 3.5]);
});
