/** Picking up, rotating and placing tiles, the same way on all pages. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { TilePlacer } from "../../../../src/chromino/web/js/placing/tile_placer.js";
import { parsePlacement } from "../../../../src/chromino/web/js/table/geometry.js";

const ACTIONS = ["RGB@0,1>", "BGR@5,1>", "RGB@9,1v", "YYY@0,3>"];
const HAND = ["RGB", "YYY", "PPP"];
const REFUSAL = { reason: "clash", text: "", squares: [], contacts: [], needed: 2 };

/** A fake page that answers as the test says, and records what's done with its elements. */
function placerOnPage(changes = {}) {
  /** @type {string[]} */
  const done = [];
  /** @type {string[]} */
  const submitted = [];
  const page = {
    renders: 0,
    outcome: /** @type {any} */ ("waiting"),
    show: () => (page.renders += 1),
    showTiles: () => (page.renders += 1),
    showsPlaces: () => true,
    canPlace: () => true,
    submit: async (/** @type {any} */ { text }) => {
      submitted.push(text);
      return page.outcome;
    },
    ...changes,
  };
  const screen = {
    table: { reveal: (/** @type {any[]} */ places) => done.push(`reveal ${places.length}`) },
    hand: { focusTile: (/** @type {any} */ tile) => done.push(`focus ${tile}`) },
    places: {
      enter: (/** @type {any} */ place) => done.push(`enter ${place?.text ?? "any"}`),
      focus: () => done.push("focus places"),
    },
  };
  const placer = new TilePlacer(page, screen);
  placer.offer(ACTIONS, HAND, [1, 1]);
  page.renders = 0;
  return { done, page, placer, placing: placer.placing, submitted };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a tile picked by touch stays picked, and rotates when it's picked again", () => {
  const { done, placer, placing } = placerOnPage();
  placer.chooseTile({ tile: "RGB", byKeyboard: false });
  assert.deepEqual([placing.tile, placing.rotation], ["RGB", 0]);
  assert.deepEqual(done, ["reveal 3"]);
  placer.chooseTile({ tile: "RGB", byKeyboard: false });
  assert.equal(placing.rotation, 1);
  placer.chooseTile({ tile: "YYY", byKeyboard: false });
  assert.equal(placing.tile, "YYY");
});

test("picking a tile by key moves the focus to its places, if it may be placed", () => {
  const one = placerOnPage();
  one.placer.chooseTile({ tile: "RGB", byKeyboard: true });
  assert.deepEqual(one.done, ["reveal 3", "enter any"]);
  const other = placerOnPage({ canPlace: () => false });
  other.placer.chooseTile({ tile: "RGB", byKeyboard: true });
  assert.ok(!other.done.includes("enter any"));
});

test("every touch is rendered once", () => {
  const { page, placer } = placerOnPage();
  for (const touch of [
    () => placer.chooseTile({ tile: "RGB", byKeyboard: false }),
    () => placer.rotate(),
    () => placer.escape(),
    () => placer.chooseTile({ tile: "RGB", byKeyboard: false }),
    () => placer.tap([2.5, 1.5]),
  ]) {
    page.renders = 0;
    touch();
    assert.equal(page.renders, 1, String(touch));
  }
});

test("a tap puts the tile where it fits, and the page decides what happens", async () => {
  const { placer, placing, submitted } = placerOnPage();
  placer.tap([2.5, 1.5]);
  assert.deepEqual(submitted, []);
  placer.pickUp("RGB");
  placer.tap([2.5, 1.5]);
  assert.deepEqual(submitted, ["RGB@0,1>"]);
  await settled();
  assert.equal(placing.pending?.text, "RGB@0,1>");
  assert.ok(placer.sending);
});

test("nothing else can be done until the server has answered", async () => {
  const { placer, placing, submitted } = placerOnPage();
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@0,1>"));
  placer.put(parsePlacement("BGR@5,1>"));
  placer.chooseTile({ tile: "YYY", byKeyboard: false });
  placer.takeBack();
  await placer.confirm();
  assert.deepEqual(submitted, ["RGB@0,1>"]);
  assert.equal(placing.pending?.text, "RGB@0,1>");
  assert.deepEqual(placer.litPlaces(), []);
  placer.offer([], ["YYY", "PPP"], [1, 1]);
  assert.deepEqual([placer.sending, placing.tile, placing.pending], [false, null, null]);
});

test("a refused tile is picked up again, and the reason is shown until the next try", async () => {
  const { page, placer, placing } = placerOnPage();
  page.outcome = REFUSAL;
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@3,3>"));
  await settled();
  assert.deepEqual([placing.tile, placing.held, placing.pending, placer.sending], ["RGB", null, null, false]);
  assert.equal(placer.refused?.place.text, "RGB@3,3>");
  placer.pickUp("RGB");
  assert.equal(placer.refused, null);
});

test("for keyboard users, a refused tile stays where it is and keeps the focus", async () => {
  const { done, page, placer, placing } = placerOnPage();
  page.outcome = REFUSAL;
  placer.chooseTile({ tile: "RGB", byKeyboard: true });
  placer.put(parsePlacement("RGB@3,3>"));
  await settled();
  assert.equal(placing.held?.text, "RGB@3,3>");
  assert.equal(done.at(-1), "focus places");
});

test("a refusal disappears after a while, unless there is a newer one", async () => {
  const { page, placer } = placerOnPage();
  page.outcome = REFUSAL;
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@3,3>"));
  await settled();
  placer.hideRefusal({ ...REFUSAL });
  assert.ok(placer.refused);
  placer.hideRefusal(REFUSAL);
  assert.equal(placer.refused, null);
});

test("a refused place is no longer lit", async () => {
  const { page, placer } = placerOnPage();
  page.outcome = REFUSAL;
  placer.pickUp("RGB");
  assert.equal(placer.litPlaces().length, 3);
  placer.put(parsePlacement("RGB@0,1>"));
  await settled();
  assert.ok(!placer.litPlaces().some(({ place }) => place.text === "RGB@0,1>"));
});

test("placing a tile keeps it picked if the page says so", async () => {
  const { page, placer, placing } = placerOnPage();
  page.outcome = "placed";
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@0,1>"));
  await settled();
  assert.deepEqual([placing.tile, placing.held, placing.pending], ["RGB", null, null]);
});

test("an answer that comes after the next offer changes nothing", async () => {
  /** @type {(outcome: any) => void} */
  let answer = () => {};
  const { placer, placing } = placerOnPage({ submit: () => new Promise((resolve) => (answer = resolve)) });
  placer.pickUp("RGB");
  placer.put(parsePlacement("RGB@0,1>"));
  placer.offer(ACTIONS, HAND, [1, 1]);
  placer.pickUp("YYY");
  placer.put(parsePlacement("YYY@0,3>"));
  const second = answer;
  placer.offer(ACTIONS, HAND, [1, 1]);
  second(REFUSAL);
  await settled();
  assert.equal(placer.refused, null);
  assert.equal(placing.tile, "YYY");
});

test("a placement can be taken back until it's confirmed", async () => {
  let asked = 0;
  const { placer, placing, submitted } = placerOnPage({ mustConfirm: () => true, askToConfirm: () => (asked += 1) });
  placer.pickUp("RGB");
  placer.tap([2.5, 1.5]);
  assert.deepEqual([placing.pending?.text, asked, submitted.length], ["RGB@0,1>", 1, 0]);
  placer.takeBack();
  assert.deepEqual([placing.pending, placing.tile], [null, "RGB"]);
  placer.tap([2.5, 1.5]);
  placer.escape();
  assert.deepEqual([placing.pending, placing.tile], [null, "RGB"]);
  placer.tap([6.5, 1.5]);
  await placer.confirm();
  assert.deepEqual(submitted, ["BGR@5,1>"]);
});

test("when no tile may be placed the page says so, and the tile doesn't stay over the table", () => {
  let refused = 0;
  const { placer, placing, submitted } = placerOnPage({ canPlace: () => false, onCannotPlace: () => (refused += 1) });
  placer.pickUp("RGB");
  placing.moveBy(0, 0);
  placer.put(parsePlacement("RGB@0,1>"));
  assert.deepEqual([refused, submitted.length, placing.held, placing.tile], [1, 0, null, "RGB"]);
  assert.deepEqual(placer.litPlaces(), []);
  assert.deepEqual(placer.listedPlaces(), []);
});

test("Escape puts a tile back and moves the focus to it", () => {
  const { done, placer, placing } = placerOnPage();
  placer.pickUp("RGB");
  placer.escape();
  assert.equal(placing.tile, null);
  assert.equal(done.at(-1), "focus RGB");
  done.length = 0;
  placer.escape();
  assert.deepEqual(done, []);
});

test("tiles rotate by quarter turns or, with lit places, to the next place that needs a different rotation", () => {
  const { done, placer, placing } = placerOnPage();
  placer.pickUp("RGB");
  placer.rotate();
  placer.rotate();
  assert.equal(placing.rotation, 2);
  placer.pickUp("YYY");
  placer.pickUp("RGB");
  done.length = 0;
  placer.rotate(0);
  assert.deepEqual(done, ["enter BGR@5,1>"]);
});

test("the settings decide which places are lit, and how", () => {
  const { placer } = placerOnPage();
  assert.deepEqual(placer.litPlaces(), []);
  placer.pickUp("RGB");
  assert.deepEqual(
    placer.litPlaces().map(({ place, faint }) => [place.text, faint]),
    [
      ["RGB@0,1>", false],
      ["BGR@5,1>", true],
      ["RGB@9,1v", true],
    ],
  );
  const unlit = placerOnPage({ showsPlaces: () => false });
  unlit.placer.pickUp("RGB");
  assert.deepEqual(unlit.placer.litPlaces(), []);
  assert.deepEqual(unlit.placer.listedPlaces(), []);
});

test("a hint is the only lit place, and a tap there places the tile, even if places aren't lit otherwise", () => {
  const { done, placer, submitted } = placerOnPage({ showsPlaces: () => false });
  const place = parsePlacement("BGR@5,1>");
  placer.showHint("RGB", place);
  assert.deepEqual(placer.litPlaces(), [{ place, faint: false, aimed: false }]);
  assert.deepEqual(placer.listedPlaces(), [place]);
  assert.ok(done.includes("reveal 1"));
  placer.tap([6.5, 1.5]);
  assert.deepEqual(submitted, ["BGR@5,1>"]);
});

test("a tap on a square that several places share asks for confirmation, and each further tap shows the next", () => {
  const asked = { count: 0 };
  const { placer, placing, submitted } = placerOnPage({ askToConfirm: () => (asked.count += 1) });
  placer.offer(["RGB@0,1>", "RGB@1,1>", "RGB@2,0v"], HAND, [1, 1]);
  placer.byTouch = true;
  placer.pickUp("RGB");
  placer.tap([2.5, 1.5]);
  const seen = [placing.pending?.text];
  for (let n = 0; n < 3; n += 1) {
    placer.tap([2.5, 1.5]);
    seen.push(placing.pending?.text);
  }
  assert.deepEqual(new Set(seen), new Set(["RGB@0,1>", "RGB@1,1>", "RGB@2,0v"]));
  assert.equal(seen[3], seen[0], "the last tap starts over");
  assert.deepEqual([submitted, asked.count], [[], 4]);
  void placer.confirm();
  assert.deepEqual(submitted, [seen[3]]);
});

test("no confirmation is needed with a mouse, or on a square that only one place covers", () => {
  for (const byTouch of [true, false]) {
    const { placer, submitted } = placerOnPage({ askToConfirm: () => assert.fail("asked") });
    placer.offer(["RGB@0,1>", "RGB@2,0v"], HAND, [1, 1]);
    placer.byTouch = byTouch;
    placer.pickUp("RGB");
    placer.tap(byTouch ? [0.5, 1.5] : [1.9, 1.5]);
    assert.deepEqual(submitted, ["RGB@0,1>"]);
  }
});

test("the tile under the pointer lights up where it would go, and isn't held on the table", () => {
  const { placer, placing } = placerOnPage();
  placer.pickUp("RGB");
  placing.carry(parsePlacement("RGB@0,1>"));
  assert.deepEqual(
    placer
      .litPlaces()
      .filter(({ aimed }) => aimed)
      .map(({ place }) => place.text),
    ["RGB@0,1>"],
  );
  assert.equal(placing.held, null);
  placing.putBack();
  assert.equal(placing.carried, null);
});

test("a refused tile flies back, unless it was placed by keyboard", async () => {
  for (const byKeyboard of [false, true]) {
    const { page, placer } = placerOnPage();
    /** @type {string[]} */
    const back = [];
    /** @type {any} */ (placer.screen).returnRefused = (/** @type {any} */ { text }) => back.push(text);
    page.outcome = REFUSAL;
    placer.pickUp("YYY");
    placer.byKeyboard = byKeyboard;
    placer.put(parsePlacement("YYY@7,7>"));
    await settled();
    assert.deepEqual(back, byKeyboard ? [] : ["YYY@7,7>"]);
  }
});

test("what a place earns is shown where the tile is, but only if places are lit", () => {
  const pointsOf = (/** @type {{text: string}} */ { text }) => (text === "RGB@0,1>" ? 8 : null);
  const { placer, placing } = placerOnPage({ pointsOf });
  placer.pickUp("RGB");
  assert.equal(placer.preview(), null);
  placing.carry(parsePlacement("RGB@0,1>"));
  assert.equal(placer.preview()?.points, 8);
  placing.carry(parsePlacement("RGB@0,7>"));
  assert.equal(placer.preview(), null);
  placing.carry(null);
  placing.hold(parsePlacement("RGB@0,1>"));
  assert.equal(placer.preview()?.place.text, "RGB@0,1>");
  placer.setSending(true);
  assert.equal(placer.preview(), null);

  const unlit = placerOnPage({ pointsOf, showsPlaces: () => false });
  unlit.placer.pickUp("RGB");
  unlit.placing.hold(parsePlacement("RGB@0,1>"));
  assert.equal(unlit.placer.preview(), null);
});
