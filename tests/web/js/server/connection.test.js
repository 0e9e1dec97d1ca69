/** A lost connection is tried again soon at first, then less and less often. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { pauseBefore } from "../../../../src/chromino/web/js/server/connection.js";

test("each pause is longer than the one before, up to a limit", () => {
  for (const chance of [0, 0.5, 1]) {
    const pauses = [1, 2, 3, 4].map((tries) => pauseBefore(tries, chance));
    assert.deepEqual(pauses, pauses.toSorted((one, other) => one - other));
    assert.equal(new Set(pauses).size, pauses.length);
    assert.ok(pauseBefore(1, chance) < 500);
    assert.equal(pauseBefore(5, chance), pauseBefore(50, chance));
    assert.ok(pauseBefore(50, chance) <= 5000);
  }
});
