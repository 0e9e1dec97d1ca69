/** What's offered after a game. */

import assert from "node:assert/strict";
import { test } from "node:test";

const page = new EventTarget();
const element = { getAttribute() {}, setAttribute() {}, append() {} };
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  document: { createElement: () => element, documentElement: { dataset: {} }, body: element, dispatchEvent() {} },
});
const { nextSteps, addHistory } = await import("../../../../src/chromino/web/js/ending/next_game.js");

const { changeSettings, settings } = await import("../../../../src/chromino/web/js/browser/settings.js");

const ADA = { kind: "person", name: "Ada", bot: null, level: null, mine: true };
const SNAIL = { kind: "bot", name: "Snail", bot: "snail", level: 1, mine: false };

/** A game that's over. @returns {any} */
function over(/** @type {any} */ changes = {}) {
  const defaults = { game: "g", watching: false, next_game: null, latecomers: { waiting: [] }, view: { winners: [0] } };
  return { ...defaults, seats: [ADA, SNAIL], ...changes };
}

const STARTED = { aids: true, pace: true, view: { winners: [0], first: 0, rules: {} } };

/** The labels, in order. @param {any} state */
function offered(state) {
  const { best, others, more } = nextSteps(/** @type {any} */ ({}), state);
  return [best.label, others.map(({ label }) => label), more.map(({ label }) => label)];
}

test('playing again comes first, then review and share; the rest is under "More"', () => {
  assert.deepEqual(offered(over({ view: { winners: [1] } })), [
    "end.again",
    ["end.review", "end.share"],
    ["end.replay", "nav.home"],
  ]);
});

test("a rematch offer can be accepted or declined in one tap", () => {
  assert.deepEqual(offered(over({ next_game: "h", view: { winners: [1] } })), [
    "end.join_rematch",
    ["join.decline", "end.share"],
    ["end.review", "end.replay", "nav.home"],
  ]);
});

test("after a win, a stronger bot is offered, unless you beat the strongest", () => {
  assert.ok(offered(over())[2].includes("end.stronger"));
  assert.ok(!offered(over({ seats: [ADA, { ...SNAIL, level: 5 }] }))[2].includes("end.stronger"));
  const bob = { ...ADA, name: "Bob", mine: false };
  assert.ok(!offered(over({ seats: [ADA, bob, SNAIL] }))[2].includes("end.stronger")); // Bob couldn't join that game.
});

test("the stronger bot is one level above the one you beat, whatever you last chose, and home offers it, too", async () => {
  /** @type {any} */ let sent = null;
  globalThis.fetch = async (_path, request) => {
    sent = JSON.parse(String(request?.body));
    return Response.json({ game: "h", deal: null });
  };
  changeSettings({ level: 1 });
  const visited = new Promise((go) => {
    const { more } = nextSteps(/** @type {any} */ ({ go }), over({ ...STARTED, seats: [ADA, { ...SNAIL, level: 3 }] }));
    more.find(({ label }) => label === "end.stronger")?.go();
  });
  assert.equal(await visited, "/game/h");
  assert.equal(sent.seats[1].level, 4);
  assert.equal(settings.level, 4);
});

test("spectators aren't offered a rematch, or shown how their own games went", async () => {
  const state = over({ watching: true, seats: [{ ...ADA, mine: false }, SNAIL] });
  assert.deepEqual(offered(state), ["end.replay", ["end.review", "end.share"], ["nav.home"]]);
  globalThis.fetch = () => assert.fail("a request was sent");
  await addHistory(state, /** @type {any} */ ({ querySelector: () => assert.fail("something was shown") }));
});

test("spectators who are waiting for the next game are asked to accept it", () => {
  const late = { waiting: [{ name: "Bob", mine: true }] };
  const state = { watching: true, latecomers: late, seats: [{ ...ADA, mine: false }, SNAIL] };
  assert.equal(offered(over({ ...state, next_game: "h" }))[0], "end.join_rematch");
  assert.equal(offered(over(state))[0], "end.replay");
});

test("a solo game has no review", () => {
  assert.deepEqual(offered(over({ seats: [ADA] }))[1], ["end.share"]);
});
