/** What people who come after the deal see, and what the others learn about them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { lateNews, lateWords } from "../../../../src/chromino/web/js/game/latecomer_words.js";

const CLOSED = { seats: [], can_wait: false, waiting: [], over: false, watch: false };
const SEAT = { seat: 1, name: "Snail", bot: "snail" };
/** @param {boolean} mine */
const bob = (mine) => ({ name: "Bob", mine, program: false, face: null });

test("latecomers are offered what's available", () => {
  assert.deepEqual(lateWords(CLOSED), {
    title: "late.title",
    about: "late.about_closed",
    isOpen: false,
    isWaiting: false,
  });
  assert.equal(lateWords({ ...CLOSED, watch: true }).about, "late.about_watch");
  assert.equal(lateWords({ ...CLOSED, over: true, watch: true }).about, "late.about_over");
  assert.equal(lateWords({ ...CLOSED, can_wait: true }).about, "late.about_next");
  assert.equal(lateWords({ ...CLOSED, seats: [SEAT], can_wait: true }).about, "late.about_seats");
  assert.equal(lateWords({ ...CLOSED, over: true, can_wait: true }).title, "late.over");
});

test("people who are waiting see that they are, and may still take a seat", () => {
  const late = { ...CLOSED, can_wait: true, waiting: [bob(true)] };
  const { title, about, isOpen } = lateWords(late);
  assert.deepEqual([title, about, isOpen], ["late.in", "late.waiting", false]);
  assert.equal(lateWords({ ...late, seats: [SEAT] }).isOpen, true);
  assert.equal(lateWords({ ...late, waiting: [bob(false)] }).isWaiting, false);
});

test("the others hear who has joined", () => {
  /** @param {string | null} bot @param {object[]} waiting @returns {any} */
  const state = (bot, waiting) => ({ seats: [{ bot, mine: false, name: bot ?? "Bob" }], latecomers: { waiting } });
  assert.deepEqual(lateNews(null, state(null, [])), []);
  assert.deepEqual(lateNews(state("snail", []), state(null, [])), [["late.took", { name: "Bob" }]]);
  assert.deepEqual(lateNews(state("snail", []), state("snail", [bob(false)])), [["late.waits", { name: "Bob" }]]);
  assert.deepEqual(lateNews(state("snail", [bob(false)]), state("snail", [bob(false)])), []);
});
