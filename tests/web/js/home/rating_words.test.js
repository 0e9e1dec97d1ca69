/** What the leaderboards say about a player. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { playerNotes } from "../../../../src/chromino/web/js/home/rating_words.js";
import { setLanguage, t } from "../../../../src/chromino/web/js/language/i18n.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
// There's no server, so read the catalogs from their files.
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

/** @param {object} player */
const notes = (player) => playerNotes(/** @type {any} */ ({ kind: "person", name: "Ada", mine: false, ...player }));

test("people have no notes, but bots and programs do", () => {
  assert.equal(notes({}), "");
  assert.equal(notes({ kind: "bot", name: "fox", level: 3 }), t("ratings.bot", { n: 3 }));
  assert.equal(notes({ kind: "program" }), t("ratings.program"));
});

test("your own row is marked, and says if only you can see it", () => {
  assert.equal(notes({ mine: true }), t("join.you"));
  assert.equal(notes({ mine: true, name: null }), t("ratings.only_you"));
});

test("two notes are separated", () => {
  assert.equal(notes({ kind: "program", mine: true }), `${t("ratings.program")}, ${t("join.you")}`);
});
