/** SHA-256 of our own, and records. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { momentAt, readRecord } from "../../../../src/chromino/web/js/replay/record.js";
import { sha256 } from "../../../../src/chromino/web/js/replay/sha256.js";

test("the hash is that of Node", () => {
  for (const text of ["", "abc", "é".repeat(100), "x".repeat(55), "x".repeat(56), "x".repeat(64), "7RGB", "骨米諾"]) {
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"));
  }
});

const LINES = [
  {
    chromino: 1,
    rules: {},
    players: ["Ada", "Bob"],
    start: { first: 0, tile: "P*R", hands: [["RGB"], ["YYY"]], bag: ["PPP"], seed: null },
  },
  { seat: 0, place: "BGR@1,1>", points: [3, 3] },
  { seat: 1, draw: "PPP" },
  { seat: 1, pass: true },
];

test("a moment has what was laid, held and earned by then", () => {
  const record = readRecord(LINES.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assert.deepEqual(momentAt(record, 0).hands, [["RGB"], ["YYY"]]);
  const end = momentAt(record, 3);
  assert.deepEqual(
    end.laid.map(({ text }) => text),
    ["P*R@0,0>", "BGR@1,1>"],
  );
  assert.deepEqual(end.hands, [[], ["YYY", "PPP"]]);
  assert.deepEqual(end.earned, [6, 0]);
});
