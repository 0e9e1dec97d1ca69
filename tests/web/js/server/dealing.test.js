/** How the page contributes to a deal, step by step, and when it asks the person first. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { myParts, newPart, wasStopped } from "../../../../src/chromino/web/js/replay/fair_deal.js";
import { sha256 } from "../../../../src/chromino/web/js/replay/sha256.js";
import { newCommitment, takePart } from "../../../../src/chromino/web/js/server/dealing.js";

/** The requests that were sent: the step, and its body. @type {[string, any][]} */
let sent = [];
let games = 0;

/** A table where this page and the server have committed, and the host has begun the deal. */
function table() {
  const game = `table-${++games}`;
  return { game, terms: termsWith(newCommitment(game)) };
}

/** @param {string} commitment mine */
function termsWith(commitment, begun = true) {
  return {
    begun,
    commitments: [commitment, sha256(newPart())],
    givers: [[0], [1]],
    mine: 0,
    seats: [0],
    players: 2,
    rules: /** @type {any} */ ({}),
    first: 0,
  };
}

beforeEach(() => {
  sent = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ path, /** @type {any} */ { body }) => {
      const request = JSON.parse(body);
      sent.push([path.split("/").pop() ?? "", request]);
      return Response.json("commitment" in request ? { deal: termsWith(request.commitment) } : { deal: null });
    }
  );
});

const steps = () => sent.map(([step]) => step);

test("a part is revealed once everyone has committed", async () => {
  const { game, terms } = table();
  assert.equal(await takePart(game, terms), true);
  assert.deepEqual(sent, [["reveal", { part: myParts(game)[0]?.part }]]);
});

test("joining a rematch means agreeing to its deal", async () => {
  const game = "a rematch";
  assert.equal(wasStopped(game, termsWith("")), false);
  await takePart(game, termsWith(""));
  assert.deepEqual(steps(), ["commit", "reveal"]);
});

test("the page gets the table as it is after its commitment, since older states may arrive later", async () => {
  /** @type {string[]} */
  const known = [];
  await takePart("a table", termsWith(""), false, ({ deal }) => known.push(deal.commitments[0] ?? ""));
  assert.deepEqual(known, [sent[0]?.[1].commitment]);
});

test("a deal that was stopped before this page revealed its part is repeated without asking", async () => {
  const { game } = table();
  assert.equal(wasStopped(game, termsWith("", false)), false);
  await takePart(game, termsWith("", false));
  assert.deepEqual(steps()[0], "commit");
});

test("a deal that was stopped after this page revealed its part is repeated only if the person agrees", async () => {
  const { game, terms } = table();
  await takePart(game, terms);
  assert.equal(wasStopped(game, terms), false); // The deal is still going on.
  for (const begun of [false, true]) {
    assert.equal(wasStopped(game, termsWith("", begun)), true);
    assert.equal(await takePart(game, termsWith("", begun)), false);
  }
  assert.equal(wasStopped(game, { ...terms, mine: null }), true); // The chair was given to someone else.
  assert.deepEqual(steps(), ["reveal"]);
  assert.equal(await takePart(game, termsWith("", false), true), true);
  assert.deepEqual(steps(), ["reveal", "commit", "reveal"]);
  assert.notEqual(sent[2]?.[1].part, sent[0]?.[1].part);
});

test("many new commitments don't make a page forget that a deal was stopped", async () => {
  const { game, terms } = table();
  await takePart(game, terms);
  for (let n = 0; n < 20; n += 1) newCommitment(game);
  assert.equal(wasStopped(game, termsWith("")), true);
});
