/** Why a game can't be rated, as shown before the page asks the server. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { whyNotRated } from "../../../../src/chromino/web/js/start/rated_game.js";

const ME = { kind: /** @type {const} */ ("me"), level: 1 };
const HERE = { kind: /** @type {const} */ ("here"), level: 1 };
const FRIEND = { kind: /** @type {const} */ ("free"), level: 1 };
/** @param {number} level */
const bot = (level) => ({ kind: /** @type {const} */ ("bot"), level });

test("one person against a bot or a friend can play a rated game", () => {
  assert.equal(whyNotRated([ME, bot(1)], {}), null);
  assert.equal(whyNotRated([HERE, bot(1)], {}), null);
  assert.equal(whyNotRated([ME, FRIEND], { hand_size: 9 }), null);
  assert.equal(whyNotRated([bot(1), bot(2)], {}), null);
});

test("two people on one device can't play a rated game", () => {
  assert.equal(whyNotRated([ME, HERE], {}), "device");
  assert.equal(whyNotRated([HERE, bot(1), HERE], {}), "device");
});

test("nobody is rated against themselves: bots of the same level count once", () => {
  assert.equal(whyNotRated([ME], {}), "players");
  assert.equal(whyNotRated([bot(3), bot(3)], {}), "players");
});

test("games with small hands can't be rated", () => {
  assert.equal(whyNotRated([ME, bot(1)], { hand_size: 7 }), "hands");
  assert.equal(whyNotRated([ME, bot(1)], { hand_size: 8 }), null);
});
