/** Solo games: the earlier results to beat. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {Map<string, string>} */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
});
const { keepSoloResult, soloResult } = await import("../../../../src/chromino/web/js/browser/solo_results.js");

beforeEach(() => stored.clear());

const RACE = { scoring: null, hand_size: 8 };
const POINTS = { scoring: "expert", hand_size: 8 };

/** A solo game that's over. */
function played(/** @type {string} */ game, /** @type {number} */ result, rules = RACE, won = true) {
  const view = { rules, winners: won ? [0] : [], scores: [result] };
  return keepSoloResult(/** @type {any} */ ({ game, turns: result, view }));
}

test("the first game has nothing to beat; later ones have the last and the best", () => {
  assert.equal(soloResult(/** @type {any} */ (RACE)), null);
  assert.equal(played("one", 16), null);
  assert.deepEqual(played("two", 12), { last: 16, best: 16 });
  assert.deepEqual(played("three", 20), { last: 12, best: 12 });
  assert.deepEqual(played("four", 15), { last: 20, best: 12 });
});

test("viewing a game again shows the same results", () => {
  played("one", 16);
  const before = played("two", 12);
  assert.deepEqual(played("two", 12), before);
});

test("more points are better, and rules don't mix", () => {
  played("one", 40, /** @type {any} */ (POINTS));
  assert.deepEqual(played("two", 55, /** @type {any} */ (POINTS)), { last: 40, best: 40 });
  assert.deepEqual(played("three", 30, /** @type {any} */ (POINTS)), { last: 55, best: 55 });
  assert.equal(played("four", 30), null);
});

test("a blocked game doesn't count as a result", () => {
  played("one", 16);
  assert.deepEqual(played("two", 9, RACE, false), { last: 16, best: 16 });
  assert.deepEqual(played("three", 18), { last: 16, best: 16 });
});
