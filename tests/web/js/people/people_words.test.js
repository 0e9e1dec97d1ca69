/** When you last played with someone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { daysAgoWords } from "../../../../src/chromino/web/js/people/people_words.js";

const NOW = new Date(2026, 10, 17, 9, 30);

/** @param {number} days */
const before = (days) => new Date(2026, 10, 17 - days, 22).toISOString();

test("days, weeks, months and years are whole numbers", () => {
  const words = [0, 1, 3, 8, 15, 40, 400].map((days) => daysAgoWords(before(days), NOW));
  assert.deepEqual(words, ["today", "yesterday", "3 days ago", "last week", "2 weeks ago", "last month", "last year"]);
});

test("a clock that's behind never shows a time in the future", () => {
  assert.equal(daysAgoWords(before(-2), NOW), "today");
});
