/** A review in words and numbers. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { setLanguage } from "../../../../src/chromino/web/js/language/i18n.js";
import { gainLines, headline, moveWords, resultWords } from "../../../../src/chromino/web/js/review/review_words.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

const ADA = { kind: "person", name: "Ada", bot: null, mine: true };
const FOX = { kind: "bot", name: "Fox", bot: "fox", mine: false };
const gain = { mean: 0.1, error: 0.01 };
const COSTLY = {
  version: 4,
  options: 3,
  chosen: "RRG@0,1>",
  value: { mean: 0.35, error: 0.01 },
  best: "G*B@1,1v",
  best_value: { mean: 0.8, error: 0.01 },
  cost: 0.45,
  clear: true,
};

/** @param {object} changes */
const reviewed = (changes = {}) =>
  /** @type {any} */ ({
    seat: 0,
    seats: [ADA, FOX],
    measure: "win",
    fair: 0.5,
    result: 1,
    gains: { deal: gain, draw: gain, choice: gain, others: gain },
    cost: { mean: 0.48, error: 0.012 },
    choices: [COSTLY],
    ...changes,
  });
const RECORD = /** @type {any} */ ({
  players: ["Ada"],
  start: { tile: "R*G", hands: [["RRG"]] },
  events: [{ seat: 0, place: "RRG@0,1>" }],
});

test("one number says what the choices cost", () => {
  assert.deepEqual(headline(reviewed()), {
    number: "48%",
    words: "given up by not always playing the best move (±\u00a01%)",
  });
  const flawless = headline(reviewed({ choices: [{ ...COSTLY, clear: false }], cost: { mean: 0, error: 0 } }));
  assert.deepEqual(flawless, { number: "0%", words: "given up: no move clearly cost you anything. Well played!" });
  assert.equal(headline(reviewed({ measure: "points", cost: { mean: 4, error: 0.1 } })).number, "4 points");
});

test("the result is put into words, with the number of turns in a solo game", () => {
  assert.equal(resultWords(reviewed(), RECORD), "You won.");
  assert.equal(resultWords(reviewed({ seat: 1, result: 0 }), RECORD), "Fox didn’t win.");
  assert.equal(resultWords(reviewed({ measure: "points", result: -7 }), RECORD), "You didn’t win.");
  assert.equal(resultWords(reviewed({ seats: [ADA], result: 0 }), RECORD), "You won. The game took 1 turn.");
});

test("the breakdown goes from the expected value to the result, and leaves out opponents in a solo game", () => {
  const keys = gainLines(reviewed()).map(([key]) => key);
  assert.deepEqual(keys, ["gain.fair", "gain.deal", "gain.draw", "gain.choice", "gain.others", "gain.result"]);
  assert.ok(!gainLines(reviewed({ seats: [ADA] })).some(([key]) => key === "gain.others"));
});

test("people who can't see the table hear the places", () => {
  assert.match(moveWords(reviewed(), /** @type {any} */ (COSTLY)), /^Move 5: .*, 35%\. Better: .*, 80%\.$/);
});
