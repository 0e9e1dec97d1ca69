/** Individual rule choices: what can't be chosen now, and what's unusual. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { setLanguage } from "../../../../src/chromino/web/js/language/i18n.js";
import { unusualChoices, whyNot } from "../../../../src/chromino/web/js/start/rule_choices.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

/** @param {number} value @param {string | null} why */
const option = (value, why = null) => ({ value, fits: why === null, why, sets: {} });

test("each reason is shown once, with everything it rules out", () => {
  assert.equal(whyNot("hand_size", [option(8), option(9)]), "");
  assert.equal(
    whyNot("hand_size", [option(8), option(10, "bag-too-small"), option(12, "bag-too-small")]),
    "Not available: “10 tiles each” and “12 tiles each”. There aren’t enough tiles in the bag. Choose fewer players or smaller hands.",
  );
});

test("what differs from a preset is named", () => {
  const usual = { hand_size: 8, chameleons: true };
  const rules = { hand_size: 6, chameleons: true };
  const options = /** @type {any} */ ({
    choices: { hand_size: [], chameleons: [] },
    presets: { classic: usual },
    rules,
  });
  assert.deepEqual(unusualChoices(options, "classic"), ["Hand size: 6 tiles each"]);
  assert.deepEqual(unusualChoices({ ...options, rules: usual }, "classic"), []);
});
