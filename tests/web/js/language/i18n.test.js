/** Choosing the language, and texts with values and plurals. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { addPart, bestLanguage, listed, setLanguage, t } from "../../../../src/chromino/web/js/language/i18n.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
// There's no server, so read the catalogs from their files.
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));

test("the language is the one chosen before, or the first of the browser's languages that we have", () => {
  assert.equal(bestLanguage("ca", ["fr"]), "ca");
  assert.equal(bestLanguage(null, ["de-AT", "fr-CA", "en"]), "fr");
  assert.equal(bestLanguage(null, ["zh-TW"]), "zh-Hant");
  assert.equal(bestLanguage(null, ["ca"]), "ca");
  assert.equal(bestLanguage(null, ["de"]), "en");
  assert.equal(bestLanguage("xx", ["ja"]), "en");
});

test("values are filled in, and plurals are chosen", async () => {
  await setLanguage("en");
  assert.equal(t("hand.label", { n: 1 }), "Your hand, 1 tile");
  assert.equal(t("hand.label", { n: 8 }), "Your hand, 8 tiles");
  await setLanguage("fr");
  assert.equal(t("seats.tiles", { n: 0 }), "0 chromino");
  assert.equal(t("seats.tiles", { n: 2 }), "2 chrominos");
  await setLanguage("zh-Hant");
  assert.equal(t("seats.tiles", { n: 1 }), "1 塊");
  assert.equal(t("no.such.key"), "no.such.key");
});

test("lists follow the language", async () => {
  await setLanguage("es");
  assert.equal(listed(["Ada", "Bob", "Cy"]), "Ada, Bob y Cy");
});

test("a part of the catalogs follows the language", async () => {
  await setLanguage("en");
  assert.equal(t("learn.title"), "learn.title");
  await addPart("learn");
  await addPart("learn");
  assert.equal(t("learn.title"), "Learn to play");
  assert.equal(t("title"), "Chromino");
  await setLanguage("es");
  assert.equal(t("learn.title"), "Aprender a jugar");
  await assert.rejects(addPart("nothing"));
  await setLanguage("en");
});
