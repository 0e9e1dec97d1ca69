/** However many changes come together, they're rendered once. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { RenderBatch } from "../../../../src/chromino/web/js/placing/render_batch.js";

function watched() {
  /** @type {string[]} */
  const done = [];
  return { done, batch: new RenderBatch((all) => done.push(all ? "all" : "tiles")) };
}

test("a single change is rendered at once", () => {
  const { batch, done } = watched();
  batch.request("tiles");
  batch.request("all");
  assert.deepEqual(done, ["tiles", "all"]);
});

test("changes made together are rendered once, and everything is rendered if one of them needs it", () => {
  const { batch, done } = watched();
  batch.run(() => {
    batch.request("tiles");
    batch.run(() => batch.request("all"));
    batch.request("tiles");
    assert.deepEqual(done, []);
  });
  assert.deepEqual(done, ["all"]);
});

test("without a change, nothing is rendered", () => {
  const { batch, done } = watched();
  assert.equal(
    batch.run(() => 7),
    7,
  );
  assert.deepEqual(done, []);
});

test("work that needs the new elements runs after they exist", () => {
  const { batch, done } = watched();
  batch.run(() => {
    batch.afterRendering(() => done.push("focus"));
    batch.request("tiles");
  });
  batch.afterRendering(() => done.push("at once"));
  assert.deepEqual(done, ["tiles", "focus", "at once"]);
});

test("a batch stays usable after an error", () => {
  const { batch, done } = watched();
  assert.throws(() =>
    batch.run(() => {
      throw new Error("broken");
    }),
  );
  batch.request("tiles");
  assert.deepEqual(done, ["tiles"]);
});
