/** The geometry of placements. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as geometry from "../../../../src/chromino/web/js/table/geometry.js";

const { parsePlacement } = geometry;

test("a placement is read from its text", () => {
  assert.deepEqual(parsePlacement("BGR@0,-2v"), { text: "BGR@0,-2v", colors: "BGR", x: 0, y: -2, down: true });
  assert.throws(() => parsePlacement("BGR@0;2v"));
});

test("the squares of a placement go right or down", () => {
  assert.deepEqual(geometry.squaresOf(parsePlacement("RGB@2,1>")), [
    [2, 1],
    [3, 1],
    [4, 1],
  ]);
  assert.deepEqual(geometry.squaresOf(parsePlacement("RGB@2,1v")), [
    [2, 1],
    [2, 2],
    [2, 3],
  ]);
});

test("tiles rotate clockwise around the middle, and four quarter turns change nothing", () => {
  const texts = [0, 1, 2, 3].map((rotation) => geometry.placementAt("RGB", rotation, [5, 5]).text);
  assert.deepEqual(texts, ["RGB@4,5>", "RGB@5,4v", "BGR@4,5>", "BGR@5,4v"]);
  for (const rotation of [0, 1, 2, 3]) {
    const placement = geometry.placementAt("RGB", rotation, [5, 5]);
    assert.equal(geometry.rotationOf(placement, "RGB"), rotation);
    assert.deepEqual(geometry.middleOf(placement), [5, 5]);
    assert.deepEqual(parsePlacement(placement.text), placement);
  }
});

test("a symmetric tile looks the same upside down", () => {
  assert.ok(geometry.sameRotation("RGR", 0, 2));
  assert.ok(!geometry.sameRotation("RGR", 0, 1));
  assert.ok(!geometry.sameRotation("RGB", 0, 2));
});

test("the nearest placement comes first", () => {
  const places = ["RGB@9,0>", "RGB@0,0>", "RGB@4,0>"].map(parsePlacement);
  assert.deepEqual(
    geometry.nearestFirst(places, [5, 0]).map(({ text }) => text),
    ["RGB@4,0>", "RGB@0,0>", "RGB@9,0>"],
  );
});

test("a point finds the placement under it, or a nearby one that's within reach", () => {
  const places = ["RGB@0,0>", "RGB@0,1>"].map(parsePlacement);
  assert.equal(geometry.underPoint(places, [2.9, 0.9])?.text, "RGB@0,0>");
  assert.equal(geometry.underPoint(places, [2.9, 1.1])?.text, "RGB@0,1>");
  assert.equal(geometry.underPoint(places, [3.3, 0.5]), undefined);
  assert.equal(geometry.underPoint(places, [3.3, 0.5], 0.35)?.text, "RGB@0,0>");
});

test("bounds include all placements, and an edge lies between two squares", () => {
  const box = geometry.boundsOf(["RGB@-1,2>", "RGB@4,-3v"].map(parsePlacement));
  assert.deepEqual(box, { left: -1, top: -3, width: 6, height: 6 });
  assert.deepEqual(geometry.edgeBetween([0, 0], [1, 0]), [1, 0, 1, 1]);
  assert.deepEqual(geometry.edgeBetween([1, 0], [0, 0]), [1, 0, 1, 1]);
  assert.deepEqual(geometry.edgeBetween([0, 0], [0, -1]), [0, 0, 1, 0]);
});
