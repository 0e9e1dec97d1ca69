/** What the log and the screen reader say about a move. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { setLanguage } from "../../../../src/chromino/web/js/language/i18n.js";
import { clockWords, logWords, placeWords, seatName } from "../../../../src/chromino/web/js/language/words.js";
import { parsePlacement } from "../../../../src/chromino/web/js/table/geometry.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
// There's no server, so read the catalogs from their files.
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

const ME = { kind: "person", name: "Player 1", bot: null, mine: true, present: true, has_left: false };
const BOB = { kind: "person", name: "Bob", bot: null, mine: false, present: true, has_left: false };
const LOG = [
  { seat: 0, place: "RRG@1,1>", points: [2, 1] },
  { seat: 1, place: "RGB@2,2>" },
  { seat: 0, draw: "PPP" },
  { seat: 1, pass: true },
];

/** What the log says about an event. */
function said(/** @type {number} */ number, seats = [ME, BOB], more = {}) {
  const state = { seats, view: { log: LOG }, stood_in: [], stand_in: "fox", turn_limit: null, ...more };
  return logWords(/** @type {any} */ (state), number, { brief: true });
}

test("log lines name the player, and call me You", () => {
  assert.equal(said(0), "You played. Points: 2 + 1 = 3.");
  assert.equal(said(1), "Bob played.");
  assert.equal(said(2), "You drew purple-purple-purple.");
  assert.equal(said(3), "Bob passed.");
});

test("I'm called by my name if I've chosen one, or if someone else is also playing on this device", () => {
  assert.equal(seatName([{ ...ME, name: "Ada" }, BOB], 0), "Ada");
  assert.equal(seatName([ME, { ...BOB, mine: true }], 0), "Player 1");
  assert.equal(seatName([{ ...ME, mine: false }, BOB], 0), "Player 1");
  assert.equal(seatName([ME, BOB], 0), "You");
});

test("I'm called You under every default name, current or old", async () => {
  for (const name of ["Place 1", "Puesto 2", "Lloc 1"]) assert.equal(seatName([{ ...ME, name }, BOB], 0), "You");
  assert.equal(seatName([{ ...ME, name: "Place #" }, BOB], 0), "Place #");
  await setLanguage("fr");
  for (const name of ["Numéro 1", "Place 1"]) assert.equal(seatName([{ ...ME, name }, BOB], 0), "Toi");
  await setLanguage("en");
});

test("a place is described by its distance from the starting square", () => {
  const place = (/** @type {string} */ text) => placeWords(parsePlacement(text));
  assert.equal(place("RBY@0,0>"), "red-blue-yellow going right, on the starting square");
  assert.equal(place("RBY@-4,0>"), "red-blue-yellow going right, 4 squares to the left of the starting square");
  assert.equal(
    place("RBY@3,-2v"),
    "red-blue-yellow going down, 3 squares to the right and 2 squares up from the starting square",
  );
});

test("a log line says when Fox played for someone, and whether their time was up", () => {
  const by = { stood_in: [1] };
  assert.equal(said(1, [ME, BOB], by), "Fox played for Bob.");
  assert.equal(said(1, [ME, BOB], { ...by, turn_limit: 60 }), "Time’s up: Fox played for Bob.");
  assert.equal(
    said(0, [ME, BOB], { stood_in: [0], turn_limit: 60 }),
    "Time’s up: Fox played for you. Points: 2 + 1 = 3.",
  );
  assert.equal(said(1, [ME, { ...BOB, present: false }], { ...by, turn_limit: 60 }), "Fox played for Bob.");
});

test("a clock shows minutes and seconds, or just the hours if there's at least one", () => {
  const shown = [0, 59.2, 3599.5, 3600, 86400].map(clockWords);
  assert.deepEqual(shown, ["0:00", "1:00", "1 hr", "1 hr", "24 hr"]);
});
