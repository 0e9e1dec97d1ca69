/** What the page says at the end of a game. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import {
  endingWords,
  isRematchUnrated,
  pointsWords,
  ranked,
  winnerWords,
  winsInARow,
} from "../../../../src/chromino/web/js/ending/ending_words.js";
import { setLanguage, t } from "../../../../src/chromino/web/js/language/i18n.js";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
// There's no server, so read the catalogs from their files.
globalThis.fetch = async (path) => new Response(await readFile(new URL(String(path).replace("/lang/", ""), lang)));
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { documentElement: {} }));
await setLanguage("en");

const ADA = { kind: "person", name: "Ada", bot: null, mine: true };
const BOB = { kind: "person", name: "Bob", bot: null, mine: false };
const FOX = { kind: "bot", name: "Fox", bot: "fox", mine: false };

/** A finished game. */
function over(
  /** @type {any[]} */ seats,
  /** @type {number[]} */ winners,
  /** @type {number[]} */ tiles,
  scores = null,
) {
  const rules = { scoring: scores ? "expert" : null };
  return /** @type {any} */ ({ seats, turns: 17, view: { winners, hand_sizes: tiles, scores: scores ?? [], rules } });
}

/** Everything the page says. */
function said(/** @type {any} */ state, before = null) {
  const { headline, sentences } = endingWords(state, before);
  return [headline, ...sentences].map(([key, values]) => t(key, values)).join(" ");
}

test("the words for a win say how it was won", () => {
  assert.equal(said(over([ADA, FOX], [0], [0, 3])), "You won! Fox had three tiles left.");
  assert.equal(said(over([ADA, FOX, BOB], [0], [0, 3, 1])), "You won!");
  assert.equal(
    said(over([FOX, ADA], [1], [0, 2], /** @type {any} */ ([30, 34]))),
    "You won! You finished 4 points ahead.",
  );
});

test("the words for a loss are kind, and spell out how close it was", async () => {
  assert.equal(said(over([ADA, FOX], [1], [2, 0])), "So close! Fox won. You were two tiles behind.");
  assert.equal(said(over([ADA, FOX], [1], [1, 0])), "So close! Fox won. You were one tile behind.");
  assert.equal(said(over([ADA, FOX, BOB], [1], [5, 0, 9])), "Good game! Fox won. You were five tiles behind.");
  assert.equal(said(over([ADA, FOX], [1], [11, 0])), "Good game! Fox won. You were 11 tiles behind.");
  const points = /** @type {any} */ ([20, 26]);
  assert.equal(said(over([ADA, FOX], [1], [0, 4], points)), "Good game! Fox won. You were 6 points short.");
  await setLanguage("ca");
  assert.equal(
    said(over([ADA, FOX], [1], [2, 0])),
    "Per poc! Ha guanyat Guineu. Has quedat a dues fitxes de la victòria.",
  );
  await setLanguage("en");
});

test("a blocked game says so", () => {
  const blocked = "Nobody can play anymore.";
  assert.equal(said(over([ADA, FOX], [0], [1, 3])), `You won! ${blocked} Fox had three tiles left.`);
  assert.equal(said(over([ADA, FOX], [1], [3, 1])), `So close! ${blocked} Fox won. You were two tiles behind.`);
});

test("names say who won if there are several winners, several people on a device, or spectators", () => {
  assert.equal(said(over([ADA, FOX], [0, 1], [0, 0])), "Ada and Fox shared the win.");
  assert.equal(said(over([ADA, { ...BOB, mine: true }], [1], [2, 0])), "Bob won.");
  assert.equal(said(over([BOB, FOX], [1], [2, 0])), "Fox won.");
  assert.equal(said(over([BOB, FOX], [], [2, 2])), "Nobody won. Nobody can play anymore.");
});

test("in a solo game, turns count", () => {
  assert.equal(said(over([ADA], [0], [0])), "All tiles placed! The game took 17 turns.");
  const blocked = "You can’t play anymore.";
  assert.equal(said(over([ADA], [], [2])), `So close! ${blocked} You had two tiles left. The game took 17 turns.`);
  assert.equal(said(over([ADA], [], [1])), `So close! ${blocked} You had one tile left. The game took 17 turns.`);
  assert.equal(said(over([ADA], [], [9])), `Good game! ${blocked} You had 9 tiles left. The game took 17 turns.`);
});

test("winners come first, and the others are ranked by points or by tiles", () => {
  assert.deepEqual(ranked(over([ADA, FOX, BOB], [2], [3, 1, 0])), [2, 1, 0]);
  assert.deepEqual(ranked(over([ADA, FOX, BOB], [0], [0, 1, 0], /** @type {any} */ ([9, 3, 8]))), [0, 2, 1]);
});

test("wins in a row are counted from the latest game, without solo games", () => {
  const game = (/** @type {number[]} */ winners, over = true, seats = [ADA, FOX]) => ({ over, seats, winners });
  const games = [game([], false), game([0]), game([0], true, [ADA]), game([0, 1]), game([1]), game([0])];
  assert.equal(winsInARow(/** @type {any} */ (games)), 2);
  assert.equal(winsInARow([]), 0);
});

test("when leftover tiles cost points, the sum is shown", () => {
  const state = over([ADA, FOX], [0], [0, 2], /** @type {any} */ ([30, 12]));
  assert.equal(pointsWords(state, 1), "12 points");
  state.costs = [[], [4, 3]];
  assert.equal(pointsWords(state, 0), "30 − 0 = 30 points");
  assert.equal(pointsWords(state, 1), "19 − 7 = 12 points");
});

test("without a name of my own, I'm called You", () => {
  const me = { ...ADA, name: "Player 1" };
  assert.equal(said(over([me, FOX, BOB], [0, 1], [0, 0, 4])), "You shared the win with Fox.");
  assert.equal(winnerWords([me, FOX], [0]), "You won.");
  assert.equal(winnerWords([me, FOX], [1]), "Fox won.");
  assert.equal(winnerWords([me, FOX], []), "Nobody won.");
});

test("a solo game shows the last and the best result", () => {
  const before = /** @type {any} */ ({ last: 20, best: 18 });
  assert.equal(
    said(over([ADA], [0], [0]), before),
    "New record! The game took 17 turns. Turns last time: 20. Best before this game: 18.",
  );
  assert.equal(
    said(over([ADA], [0], [0]), /** @type {any} */ ({ last: 20, best: 12 })),
    "All tiles placed! The game took 17 turns. Turns last time: 20. Best before this game: 12.",
  );
  const points = /** @type {any} */ ([40]);
  assert.equal(
    said(over([ADA], [0], [0], points), before),
    "New record! You scored 40 points. Points last time: 20. Best before this game: 18.",
  );
});

test("a rated game shows the rank that counts, and why it differs from the result", () => {
  const won = { ...over([ADA, FOX], [0], [0, 3]), rated: true };
  assert.equal(
    said({ ...won, ranks: [1, 2] }),
    "You won! Fox had three tiles left. For your rating, this counts as rank 1 of 2.",
  );
  assert.match(
    said({ ...won, ranks: [2, 1] }),
    /For your rating, this counts as rank 2 of 2\. That’s because a bot played for you too often, or finished for you\./,
  );
  assert.doesNotMatch(
    said({ ...over([ADA, FOX, BOB], [1, 2], [5, 0, 0]), rated: true, ranks: [3, 1, 1] }),
    /bot played/,
  );
  // I'm watching.
  assert.doesNotMatch(said({ ...over([BOB, FOX], [0], [0, 3]), rated: true, ranks: [1, 2] }), /rating/);
  assert.doesNotMatch(said({ ...won, rated: false, ranks: null }), /rating/);
});

test("a rematch is rated again only if nobody else has to agree to it", () => {
  const rated = { rated: true };
  assert.equal(isRematchUnrated({ ...over([ADA, FOX], [0], [0, 3]), ...rated }), false);
  assert.equal(isRematchUnrated({ ...over([ADA, BOB], [0], [0, 3]), ...rated }), true);
  assert.equal(isRematchUnrated({ ...over([ADA, BOB], [0], [0, 3]), rated: false }), false);
});
