/** Joint deals: what the page reveals, and which cheats it catches. The tests play a cheating server. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  botSeats,
  dealKey,
  keepPart,
  knowsPart,
  newPart,
  partToReveal,
  silentSeats,
  verdict,
} from "../../../../src/chromino/web/js/replay/fair_deal.js";
import { sha256 } from "../../../../src/chromino/web/js/replay/sha256.js";

const RULES = /** @type {any} */ ({ hand_size: 8, chameleons: true });
let games = 0;

/** A table where Bob, this page and the server have committed, and the host has begun. */
function table() {
  const game = `game-${++games}`;
  const [bob, mine, server] = [newPart(), newPart(), newPart()];
  const commitments = [sha256(bob), keepPart(game, mine), sha256(server)];
  const givers = [[0], [1], []];
  const terms = { begun: true, commitments, givers, mine: 1, seats: [1], players: 2, first: 0, rules: RULES };
  return { game, bob, mine, server, terms };
}

/** What the page says after a game that was dealt from these parts. @param {string} game @param {string[]} parts */
function after(game, parts, changes = {}) {
  const seed = parts.join("-");
  return verdict(game, {
    seed,
    hash: sha256(seed),
    rules: RULES,
    seats: [1],
    players: 2,
    first: 0,
    fits: true,
    ...changes,
  });
}

test("an honest deal is verified", () => {
  const { game, bob, mine, server, terms } = table();
  assert.equal(partToReveal(game, terms), mine);
  assert.equal(partToReveal(game, structuredClone(terms)), mine); // Sent again, if the answer was lost.
  assert.equal(after(game, [bob, mine, server]), "verified");
  assert.equal(after(game, [bob, mine, server], { hash: null, seats: null }), "verified");
});

test("a server that picks its part after seeing the others is caught", () => {
  const { game, bob, mine, terms } = table();
  partToReveal(game, terms);
  for (let tries = 0; tries < 5; tries += 1) assert.equal(after(game, [bob, mine, newPart()]), "changed");
});

test("a puppet seat that changes its part after seeing the others is caught", () => {
  const { game, mine, server, terms } = table();
  partToReveal(game, terms);
  const puppet = newPart();
  terms.commitments[0] = sha256(puppet); // The server shows another commitment now.
  assert.equal(partToReveal(game, terms), null);
  assert.equal(after(game, [puppet, mine, server]), "changed");
});

test("a deal without this page's part is reported", () => {
  const { game, bob, server, terms } = table();
  assert.equal(after(game, [bob, newPart(), server]), "not-in-it"); // The game began before anything was revealed.
  partToReveal(game, terms);
  assert.equal(after(game, [newPart()]), "not-in-it");
});

test("different seats, first player, seed or tiles are reported", () => {
  const { game, bob, mine, server, terms } = table();
  partToReveal(game, terms);
  assert.equal(after(game, [bob, mine, server], { seats: [0] }), "other-seats");
  assert.equal(after(game, [bob, mine, server], { first: 1 }), "other-seats");
  assert.equal(after(game, [bob, mine, server], { rules: { ...RULES, hand_size: 9 } }), "other-rules");
  assert.equal(after(game, [bob, mine, server], { rules: { chameleons: true, hand_size: 8 } }), "verified");
  assert.equal(after(game, [bob, mine, server], { hash: sha256("another") }), "other-hash");
  assert.equal(after(game, [bob, mine, server], { fits: false }), "other-tiles");
});

test("a random first player is checked the same way as in Python", () => {
  const game = "by-chance";
  const part = "0".repeat(32);
  const commitments = [keepPart(game, part), sha256(part)];
  const shown = { commitments, givers: [[0], [1]], mine: 0, seats: [0], players: 2, first: null, rules: RULES };
  partToReveal(game, { begun: true, ...shown });
  const first = Number(BigInt(`0x${sha256(`${part}-${part}first`)}`) % 2n);
  assert.equal(after(game, [part, part], { seats: [0], first }), "verified");
  assert.equal(after(game, [part, part], { seats: [0], first: 1 - first }), "other-seats");
});

test("people who contributed nothing are named", () => {
  const { game, terms } = table();
  assert.deepEqual(silentSeats(game, null), []); // Nothing has been revealed yet.
  partToReveal(game, { ...terms, givers: [[0, 5], [1], [2]], players: 6 });
  assert.deepEqual(silentSeats(game, null), [3, 4]);
  assert.deepEqual(silentSeats(game, [0, 1, 2, 3, 5]), [2, 3]); // A person has the seat that was called a bot's.
  assert.deepEqual(botSeats(game), [2]);
});

test("a part isn't revealed again for different commitments", () => {
  const { game, mine, terms } = table();
  assert.equal(partToReveal(game, terms), mine);
  assert.equal(partToReveal(game, { ...terms, givers: [[], [1], [0]] }), null);
});

test("without a part from this browser, the deal is labeled as unchecked", () => {
  assert.equal(dealKey({ deal: "fixed", watching: false }), "deal.fixed");
  assert.equal(dealKey({ deal: "server", watching: true }), "deal.server");
  assert.equal(dealKey({ deal: "joint", watching: true }), null);
  assert.equal(dealKey({ deal: "joint", watching: false }), "fair.unchecked");
});

test("parts aren't revealed too early", () => {
  const { game, terms } = table();
  assert.equal(partToReveal(game, { ...terms, begun: false }), null);
  assert.equal(partToReveal(game, { ...terms, commitments: ["", ...terms.commitments.slice(1)] }), null);
  assert.equal(partToReveal(game, { ...terms, mine: null }), null);
  assert.equal(partToReveal("elsewhere", terms), null);
});

test("once a newer part has been revealed, an older one stays secret", () => {
  const { game, terms } = table();
  const newer = newPart();
  const again = { ...terms, commitments: [terms.commitments[0] ?? "", keepPart(game, newer), sha256(newPart())] };
  assert.ok(knowsPart(game, again.commitments[1] ?? ""));
  assert.equal(partToReveal(game, again), newer);
  assert.equal(partToReveal(game, terms), null);
});

test("a browser that contributed nothing has no verdict", () => {
  assert.equal(after("never seen", [newPart()]), null);
});

test("a server that makes everyone commit again until a deal suits it is reported", () => {
  const { game, bob, mine, server, terms } = table();
  assert.equal(partToReveal(game, terms), mine);
  for (let round = 0; round < 20; round += 1) {
    const again = newPart();
    const commitments = [sha256(bob), keepPart(game, again), sha256(server)];
    assert.equal(partToReveal(game, { ...terms, commitments }), again);
    assert.equal(after(game, [bob, again, server]), "repeated");
  }
});
