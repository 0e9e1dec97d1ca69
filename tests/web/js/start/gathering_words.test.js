/** What a table's page says to the host, to guests with the link, and to people with a seat. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hasGuests,
  headingOf,
  hostName,
  seatChoices,
  waitingWords,
  whyTableNotRated,
  wouldStartAlone,
} from "../../../../src/chromino/web/js/start/gathering_words.js";

/** @typedef {import("../../../../src/chromino/web/js/types.js").Chair} Chair */

/** @param {Partial<Chair>} facts @returns {Chair} */
const chair = (facts) => ({
  kind: "free",
  name: "",
  mine: false,
  host: false,
  level: null,
  program: false,
  deal: null,
  face: null,
  ...facts,
});
const FREE = chair({});
const SNAIL = chair({ kind: "bot", name: "Snail", level: 1 });
/** @param {boolean} mine */
const ada = (mine) => chair({ kind: "person", name: "Ada", host: true, mine });
/** @param {boolean} mine */
const bob = (mine) => chair({ kind: "person", name: "Bob", mine });

test("Start asks first if nobody has joined and seats are free", () => {
  assert.equal(wouldStartAlone([ada(true), FREE, FREE, FREE]), true);
  assert.equal(wouldStartAlone([ada(true), SNAIL, FREE]), false, "the host added a bot");
  assert.equal(wouldStartAlone([ada(true), SNAIL]), false);
  assert.equal(wouldStartAlone([ada(true), bob(false), FREE]), false);
  assert.equal(hasGuests([ada(true), chair({ kind: "person", name: "Here", mine: true })]), false);
});

test("the heading says who's inviting you, unless it's a table that anyone can find", () => {
  const table = { host: false, offer: null, public: false };
  const adas = { name: "Ada" };
  assert.deepEqual(headingOf({ ...table, chairs: [ada(true), FREE], host: true }), ["join.title", {}]);
  const rematch = headingOf({ ...table, chairs: [ada(true), bob(false)], host: true, offer: "minute" });
  assert.deepEqual(rematch, ["join.rematch_host", {}]);
  assert.deepEqual(headingOf({ ...table, chairs: [ada(false), FREE] }), ["join.invites", adas]);
  assert.deepEqual(headingOf({ ...table, chairs: [ada(false), FREE], public: true }), ["join.at_table", adas]);
  assert.deepEqual(headingOf({ ...table, chairs: [ada(false), bob(true)] }), ["join.at_table", adas]);
  assert.equal(hostName([FREE]), "");
});

test("guests wait for the host, the host for guests", () => {
  assert.deepEqual(waitingWords({ chairs: [ada(false), bob(true), FREE], host: false }), [
    "join.waiting_host",
    { name: "Ada" },
  ]);
  assert.deepEqual(waitingWords({ chairs: [ada(true), FREE, FREE], host: true }), ["join.waiting", { n: 2 }]);
  assert.deepEqual(waitingWords({ chairs: [ada(true), bob(false)], host: true }), ["join.complete", { n: 0 }]);
  assert.deepEqual(waitingWords({ chairs: [ada(false), bob(false)], host: false }), ["join.full", {}]);
});

test("there are two to eight seats, and enough for everyone at the table", () => {
  const fits = (/** @type {Chair[]} */ chairs) => seatChoices({ chairs }).flatMap(({ n, fits }) => (fits ? [n] : []));
  assert.deepEqual(fits([ada(true), FREE]), [2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(fits([ada(true), bob(false), SNAIL, SNAIL]), [4, 5, 6, 7, 8]);
  assert.deepEqual(fits(Array(8).fill(SNAIL)), [8]);
});

test("a table can't become rated once others have joined", () => {
  assert.equal(whyTableNotRated({ chairs: [ada(true), bob(false)], rated: false }, {}), "joined");
  assert.equal(whyTableNotRated({ chairs: [ada(true), bob(false)], rated: true }, {}), null);
  assert.equal(whyTableNotRated({ chairs: [ada(true), FREE], rated: false }, {}), null);
  assert.equal(whyTableNotRated({ chairs: [ada(true), FREE], rated: false }, { hand_size: 5 }), "hands");
});
