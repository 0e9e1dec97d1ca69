/** A page ends everything it started: listeners, timers, and anything with its signal. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { createElement: () => ({}) }));
const { Page } = await import("../../../../src/chromino/web/js/page/page.js");

class RecordingPage extends Page {
  /** @type {string[]} */
  done = [];

  start() {
    this.done.push("start");
  }

  show() {
    this.done.push("show");
  }
}

function opened() {
  const page = new RecordingPage(() => {});
  /** @type {unknown[]} */
  const shown = [];
  page.open(/** @type {any} */ ({ replaceChildren: (/** @type {unknown} */ content) => shown.push(content) }));
  return { page, shown };
}

test("a page is put on the screen and then started; nothing happens before that", () => {
  assert.deepEqual(new RecordingPage(() => {}).done, []);
  const { page, shown } = opened();
  assert.deepEqual(shown, [page.content]);
  assert.deepEqual(page.done, ["start"]);
});

test("a page is rendered again when the language changes, until it's closed", () => {
  const { page } = opened();
  document.dispatchEvent(new Event("language"));
  page.close();
  document.dispatchEvent(new Event("language"));
  assert.deepEqual(page.done, ["start", "show"]);
});

test("listeners are removed when a page closes", () => {
  const { page } = opened();
  const target = new EventTarget();
  let heard = 0;
  page.listen(target, "tap", () => (heard += 1));
  target.dispatchEvent(new Event("tap"));
  page.close();
  target.dispatchEvent(new Event("tap"));
  assert.equal(heard, 1);
});

test("timers stop when a page closes", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { page } = opened();
  /** @type {string[]} */
  const done = [];
  page.every(10, () => done.push("every"));
  page.after(15, () => done.push("after"));
  page.after(50, () => done.push("too late"));
  const stop = page.every(10, () => done.push("stopped"));
  t.mock.timers.tick(10);
  stop();
  t.mock.timers.tick(10);
  page.close();
  t.mock.timers.tick(100);
  assert.deepEqual(done, ["every", "stopped", "after", "every"]);
});

test("anything that uses a page's signal ends when the page closes", () => {
  const { page } = opened();
  let ended = false;
  page.signal.addEventListener("abort", () => (ended = true));
  assert.equal(page.isClosed, false);
  page.close();
  assert.ok(ended && page.isClosed);
});
