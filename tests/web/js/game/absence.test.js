/** Who's away, how long they've been away, and who's playing for them. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { AbsenceNews, absenceLines, absenceOf } from "../../../../src/chromino/web/js/game/absence.js";
import { setLanguage } from "../../../../src/chromino/web/js/language/i18n.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
// There's no server, so read the catalogs from their files.
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

const HERE = {
  kind: "person",
  bot: null,
  present: true,
  has_left: false,
  stand_in_in: null,
  away_for: null,
};
const ME = { ...HERE, name: "Me", mine: true };
const ADA = { ...HERE, name: "Ada", mine: false };

/** @returns {any} */
function state(ada = {}, more = {}) {
  return { seats: [ME, { ...ADA, ...ada }], stand_in: "fox", view: { over: false, ...more } };
}

/** @param {number} seconds @param {number | null} left seconds until a bot stands in */
function away(seconds, left = null) {
  return state({ present: false, away_for: seconds, stand_in_in: left });
}

/** What a seat says if it has enough room. @param {any} now @param {number} [elapsed] */
function shown(now, elapsed = 0) {
  return absenceOf(now, 1, elapsed).full;
}

test("a seat says how long someone has been away, and which bot is playing", () => {
  assert.equal(shown(state()), "");
  assert.equal(shown(away(20, 40)), "away · Fox takes over in 40 sec");
  assert.equal(shown(away(20, 40), 39.5), "away · Fox takes over in 1 sec");
  assert.equal(shown(away(20, 40), 40), "away for 1 min · Fox is playing");
  assert.equal(shown(away(125, 0)), "away for 2 min · Fox is playing");
  assert.equal(shown(away(7300)), "away for 2 hr"); // In a game that goes on for days, no bot takes over.
  assert.equal(shown(away(90_000)), "away for 1 day");
  assert.equal(shown(state({ has_left: true })), "has left · Fox is playing");
  assert.equal(shown(state({ present: false, away_for: 99 }, { over: true })), "");
});

test("when space is tight, the stand-in's face shows who's playing", () => {
  const full = "away · Fox takes over in 40 sec";
  assert.deepEqual(absenceOf(away(20, 40), 1, 0), { brief: "away", full, bot: null });
  assert.deepEqual(absenceOf(away(125, 0), 1, 0).brief, "away");
  assert.equal(absenceOf(away(125, 0), 1, 0).bot, "fox");
  assert.equal(absenceOf(state({ has_left: true }), 1, 0).bot, "fox");
});

test("the log has a sentence about it for as long as someone is away", () => {
  assert.deepEqual(absenceLines(state(), 0), []);
  assert.deepEqual(absenceLines(away(20, 40), 0), ["Ada is away."]);
  assert.deepEqual(absenceLines(away(125, 0), 0), ["Ada has been away for 2 min. Fox is playing for them."]);
  assert.deepEqual(absenceLines(state({ has_left: true }), 0), ["Ada left. Fox is playing for them."]);
  assert.deepEqual(absenceLines(state({ has_left: true }, { over: true }), 0), []);
});

test("people who reload the page aren't announced, but people who are gone are, and only once", () => {
  const news = new AbsenceNews();
  assert.deepEqual(news.latest(state(), 0), []);
  assert.deepEqual(news.latest(away(0, 60), 2), []);
  assert.deepEqual(news.latest(state(), 0), []); // Back already.
  assert.deepEqual(news.latest(away(0, 60), 10), ["Ada is away."]);
  assert.deepEqual(news.latest(away(0, 60), 11), []);
  assert.deepEqual(news.latest(away(300, 0), 0), []);
  assert.deepEqual(news.latest(state(), 0), ["Ada is back."]);
  assert.deepEqual(news.latest(state({ has_left: true }), 0), ["Ada left. Fox is playing for them."]);
  assert.deepEqual(news.latest(state({ has_left: true }), 1), []);
});

test("someone already away when I arrived isn't announced, but their return is", () => {
  const news = new AbsenceNews();
  assert.deepEqual(news.latest(away(300, 0), 0), []);
  assert.deepEqual(news.latest(state(), 0), ["Ada is back."]);
});
