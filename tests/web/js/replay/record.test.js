/** Our own SHA-256, and game records. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import {
  matchesWhatWasSeen,
  positionAfter,
  readRecord,
  verifiedSeedHash,
} from "../../../../src/chromino/web/js/replay/record.js";
import { sha256 } from "../../../../src/chromino/web/js/replay/sha256.js";

test("the hash matches Node's", () => {
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

test("each moment has the table, hands and points at that time", () => {
  const record = readRecord(LINES.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assert.deepEqual(positionAfter(record, 0).hands, [["RGB"], ["YYY"]]);
  const end = positionAfter(record, 3);
  assert.deepEqual(
    end.laid.map(({ text }) => text),
    ["P*R@0,0>", "BGR@1,1>"],
  );
  assert.deepEqual(end.hands, [[], ["YYY", "PPP"]]);
  assert.deepEqual(end.earned, [6, 0]);
});

/** A deal as docs/rules.md describes it: sorted by the hash of seed and tile, the first tile by a separate hash. */
function dealt(seed) {
  const hash = (text) => createHash("sha256").update(text).digest("hex");
  const by = (prefix) => (one, other) => (hash(prefix + one) < hash(prefix + other) ? -1 : 1);
  const tiles = ["R*G", "B*Y", "RGB", "YYP", "GGG", "RBP", "PPY", "BGY"];
  const [tile] = tiles.filter((one) => one[1] === "*").toSorted(by(`${seed}start`));
  const order = tiles.filter((one) => one !== tile).toSorted(by(seed));
  const start = { first: 0, tile, hands: [order.slice(0, 2), order.slice(2, 4)], bag: order.slice(4), seed };
  return { hash: hash(seed), record: { rules: { chameleons: true }, players: ["Ada", "Bob"], start, events: [] } };
}

test("a deal is fair if it follows from its seed, whose hash was published", () => {
  for (const seed of ["7", "seven", "骨"]) {
    const { hash, record } = dealt(seed);
    assert.equal(verifiedSeedHash(record), hash);
  }
});

test("a server that lies about a deal doesn't fool the page", () => {
  const { record } = dealt("7");
  const { hands, bag } = record.start;
  [hands[0][0], hands[1][0]] = [hands[1][0], hands[0][0]];
  assert.equal(verifiedSeedHash(record), null);
  [hands[0][0], hands[1][0]] = [hands[1][0], hands[0][0]];
  bag.reverse();
  assert.equal(verifiedSeedHash(record), null);
  bag.reverse();
  record.start.seed = "8";
  assert.equal(verifiedSeedHash(record), null);
  record.start.seed = null;
  assert.equal(verifiedSeedHash(record), null);
});

/** The record of a game with all 75 tiles, and what its first seat saw. */
function wholeGame() {
  const colors = [..."RGBYP"];
  const tiles = colors.flatMap((a, n) => colors.slice(n).flatMap((c) => colors.map((b) => a + b + c)));
  const [tile, ...rest] = tiles;
  const hands = [rest.slice(0, 8), rest.slice(8, 16)];
  const start = { first: 0, tile, hands, bag: rest.slice(16), seed: "7" };
  const events = [
    { seat: 0, draw: start.bag[0] },
    { seat: 1, draw: start.bag[1] },
    { seat: 1, pass: true },
  ];
  const record = { rules: { chameleons: false, hand_size: 8 }, players: ["Ada", "Bob"], start, events };
  const seen = { laid: `${tile}@0,0>`, dealt: [hands[0].toReversed(), null] };
  const log = [events[0], { seat: 1, draw: null }, events[2]];
  return { record, seen, log };
}

test("a record has to match the game that was seen", () => {
  const { record, seen, log } = wholeGame();
  assert.ok(matchesWhatWasSeen(record, seen, log));
  assert.ok(matchesWhatWasSeen(record, null, null));
});

test("a record that differs from the game is caught", () => {
  const cheats = {
    "another hand": ({ seen }) => {
      seen.dealt[0] = [...seen.dealt[0].slice(1), "PPP"];
    },
    "another tile on the table": ({ seen }) => {
      seen.laid = "PPP@0,0>";
    },
    "draws out of order": ({ record }) => {
      record.start.bag.reverse();
    },
    "a tile twice": ({ record }) => {
      record.start.bag[5] = record.start.bag[6];
    },
    "a tile missing": ({ record }) => {
      record.start.bag.pop();
    },
    "a larger hand": ({ record }) => {
      record.start.hands[1].push(record.start.bag.pop());
    },
    "another draw": ({ log, record }) => {
      log[0] = { seat: 0, draw: record.start.bag[9] };
    },
    "another move": ({ log }) => {
      log[2] = { seat: 1, place: "RRR@0,1>" };
    },
    "one event too few": ({ log }) => {
      log.pop();
    },
  };
  for (const [name, cheat] of Object.entries(cheats)) {
    const game = wholeGame();
    cheat(game);
    assert.ok(!matchesWhatWasSeen(game.record, game.seen, game.log), name);
  }
});
