/** Help says what was chosen for this game. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setLanguage } from "../../../../src/chromino/web/js/language/i18n.js";
import { rulesSummary } from "../../../../src/chromino/web/js/language/rules_summary.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
// There's no server, so read the catalogs from their files.
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

const SCORINGS = { expert: "6.4-expert", a: "6.4-a", b: "6.4-b", c: "6.4-c" };
const CHOICES = /** @type {any[]} */ ([
  { name: "joining", default: "contacts", rule: "6.3", own_rules: {} },
  { name: "draw_limit", default: 1, rule: "6.1", own_rules: {} },
  { name: "scoring", default: null, rule: "6.4", own_rules: SCORINGS },
  { name: "ending", default: "round", rule: "5.4", own_rules: {} },
  { name: "chameleons", default: true, rule: "1.5", own_rules: {} },
]);

/** What help says about one choice. */
function explanation(/** @type {string} */ title, /** @type {any} */ rules, players = 2) {
  return rulesSummary(CHOICES, rules, players).find(({ name }) => name === title)?.about ?? "";
}

test("a game without choices is the classic one", () => {
  const lines = rulesSummary(CHOICES, {}, 2);
  assert.ok(lines.every(({ isUsual, about, value }) => isUsual && about && value));
  assert.deepEqual(
    lines.map(({ rule }) => rule),
    ["6.3", "6.1", "6.4", "5.4", "1.5"],
  );
});

test("the explanation of drawing matches the choice", () => {
  assert.match(explanation("Drawing", { draw_limit: 1 }), /draw a tile\. .* if not, your turn is over/);
  assert.match(explanation("Drawing", { draw_limit: 4 }), /up to 4 tiles/);
  assert.match(explanation("Drawing", { draw_limit: null }), /keep drawing until a tile fits/);
});

test("the explanation of the ending matches the choice", () => {
  const end = "When someone runs out of tiles";
  assert.match(explanation(end, { ending: "round" }), /finish the round/);
  assert.match(explanation(end, { ending: "one_more_turn" }), /everyone else gets one more turn/);
  assert.match(explanation(end, { ending: "at_once" }), /over right away/);
});

test("leftovers cost points in A, B and C, and nothing in Expert", () => {
  for (const scoring of ["a", "b", "c"]) {
    assert.match(
      explanation("Winning", { scoring }),
      /you lose what .* leftover tiles? (is|are) worth.* The highest score wins\.$/,
    );
  }
  assert.match(
    explanation("Winning", { scoring: "expert" }),
    /Leftover tiles cost nothing\. The highest score wins\.$/,
  );
});

test("in a solo game, the goal is different and there's no round to finish", () => {
  assert.equal(explanation("Winning", {}, 1), "Play all your tiles in as few turns as you can.");
  assert.match(explanation("Winning", { scoring: "expert" }, 1), /Score as many points as you can\.$/);
  assert.equal(explanation("When someone runs out of tiles", {}, 1), "");
});

test("a value with its own rule links to it, and whatever isn't classic is marked", () => {
  const line = rulesSummary(CHOICES, /** @type {any} */ ({ scoring: "b" }), 2).find(({ name }) => name === "Winning");
  assert.equal(line?.rule, "6.4-b");
  assert.equal(line?.isUsual, false);
});
