/** When a page asks for rematch offers: often enough for offers that last a minute, but never too often. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OfferWatch } from "../../../../src/chromino/web/js/server/offer_watch.js";

const MINUTE = 60_000;

/** How often a page asks in ten minutes. @param {{isSeen?: boolean, playedAt?: number}} options */
function countRequests({ isSeen = true, playedAt = -Infinity }) {
  const watch = new OfferWatch();
  let count = 0;
  for (let now = 0; now < 10 * MINUTE; now += 5000) {
    if (watch.isDue(now, { isSeen, isNew: now === 0, playedAt })) count++;
  }
  return count;
}

test("without a game with others, a page asks once, when it's opened", () => {
  assert.equal(countRequests({}), 1);
  assert.equal(countRequests({ playedAt: -60 * MINUTE }), 1);
});

test("after a game with others, a page asks four times a minute", () => {
  assert.equal(countRequests({ playedAt: 0 }), 40);
});

test("hidden pages never ask", () => {
  assert.equal(countRequests({ isSeen: false, playedAt: 0 }), 0);
});

test("someone who goes from page to page quickly causes one request at once and one a little later", () => {
  const watch = new OfferWatch();
  const opened = [0, 100, 200, 4000];
  const times = [...opened, 5000, 10_000, 60_000];
  const asks = times.filter((now) =>
    watch.isDue(now, { isSeen: true, isNew: opened.includes(now), playedAt: -Infinity }),
  );
  assert.deepEqual(asks, [0, 5000]);
});
