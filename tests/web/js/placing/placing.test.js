/** The tile that the player is holding. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Placing } from "../../../../src/chromino/web/js/placing/placing.js";

const ACTIONS = ["RGB@0,1>", "BGR@5,1>", "RGB@9,1v", "YYY@0,3>"];

function offered() {
  const placing = new Placing();
  placing.offer(ACTIONS, ["RGB", "YYY", "PPP"], [1, 1]);
  return placing;
}

test("a tile is picked up in the rotation that its nearest place needs, if places are lit", () => {
  const placing = offered();
  placing.pick("BGR", true);
  assert.equal(placing.rotation, 2);
  placing.pick("BGR", false);
  assert.equal(placing.rotation, 0);
  assert.deepEqual(
    placing.places().map(({ text }) => text),
    ["RGB@0,1>", "BGR@5,1>", "RGB@9,1v"],
  );
});

test("the tiles that fit are the ones in the actions", () => {
  const placing = offered();
  assert.ok(placing.fits("RGB") && placing.fits("BGR") && placing.fits("YYY") && !placing.fits("PPP"));
});

test("a tap picks the place under it, in any rotation, or that very spot if there's none", () => {
  const placing = offered();
  placing.pick("RGB", true);
  assert.equal(placing.placeTapped([2.5, 1.5], true).text, "RGB@0,1>");
  assert.equal(placing.placeTapped([6.5, 1.5], true).text, "BGR@5,1>");
  assert.equal(placing.placeTapped([20.5, 20.5], true).text, "RGB@19,20>");
  assert.equal(placing.placeTapped([6.5, 1.5], false).text, "RGB@5,1>");
});

test("a dragged tile snaps to a lit place near it", () => {
  const placing = offered();
  placing.pick("RGB", true);
  assert.equal(placing.placeNear([[1.9, 1.9]], true).text, "RGB@0,1>");
  assert.equal(placing.placeNear([[1.9, 3.9]], true).text, "RGB@0,3>");
  assert.equal(
    placing.placeNear(
      [
        [1.9, 3.9],
        [1.5, 1.5],
      ],
      true,
    ).text,
    "RGB@0,1>",
  );
  assert.equal(placing.placeNear([[1.9, 1.9]], false).text, "RGB@0,1>");
});

test("rotating a held tile keeps its middle", () => {
  const placing = offered();
  placing.pick("RGB", true);
  placing.moveBy(0, 0);
  placing.rotate();
  assert.equal(placing.held?.text, "RGB@1,0v");
  placing.rotate(-1);
  assert.equal(placing.held?.text, "RGB@0,1>");
});

test("a tile put down can be taken back, and one that has left the hand is no longer held", () => {
  const placing = offered();
  placing.pick("RGB", true);
  placing.putDown(placing.places()[0]);
  assert.ok(placing.pending);
  placing.takeBack();
  assert.equal(placing.pending, null);
  assert.equal(placing.tile, "RGB");
  placing.offer([], ["YYY"], [1, 1]);
  assert.equal(placing.tile, null);
  assert.equal(placing.putBack(), false);
});

test("every change is reported", () => {
  const placing = offered();
  let changes = 0;
  placing.addEventListener("change", () => (changes += 1));
  placing.pick("RGB", true);
  placing.rotate();
  placing.putBack();
  assert.equal(changes, 3);
});
