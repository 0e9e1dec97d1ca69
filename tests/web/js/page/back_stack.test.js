/** Back closes what's on top of a page first, and then leaves the page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BackStack } from "../../../../src/chromino/web/js/page/back_stack.js";

/** A fake browser history. Going back takes a moment, and then the page is notified. */
class FakeHistory {
  /** @type {{state: any, path: string}[]} */
  all = [
    { state: null, path: "/" },
    { state: null, path: "/game" },
  ];
  at = 1;
  /** @type {(() => void)[]} */
  pending = [];
  moved = () => {};

  get state() {
    return this.all[this.at]?.state ?? null;
  }

  get path() {
    return this.all[this.at]?.path;
  }

  pushState(/** @type {any} */ state, /** @type {string} */ _, path = this.path ?? "") {
    this.all.splice(this.at + 1, Infinity, { state, path });
    this.at += 1;
  }

  replaceState(/** @type {any} */ state, /** @type {string} */ _, path = this.path ?? "") {
    this.all[this.at] = { state, path };
  }

  back() {
    this.pending.push(() => {
      this.at -= 1;
      this.moved();
    });
  }

  /** Run everything that's pending. */
  settle() {
    for (let next = this.pending.shift(); next; next = this.pending.shift()) next();
  }
}

function page() {
  const entries = new FakeHistory();
  const stack = new BackStack(/** @type {any} */ (entries));
  /** @type {string[]} */
  const left = [];
  let shown = entries.path;
  entries.moved = () => {
    stack.moved();
    if (entries.path === shown) return;
    shown = entries.path;
    left.push(shown ?? "");
  };
  /** Go to another page. */
  const go = (/** @type {string} */ path) => stack.leave(path, () => (shown = path));
  /** Open a dialog. After it's closed, the browser takes a moment to report that. */
  const dialog = () => {
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      entries.pending.push(() => closed());
    };
    const closed = stack.cover({ close, isOpen: () => open });
    return { close, isOpen: () => open };
  };
  return { dialog, entries, go, left };
}

test("Back closes one dialog after the other, the last one first, and then leaves the page", () => {
  const { dialog, entries, left } = page();
  const [one, two] = [dialog(), dialog()];
  const open = () => [one.isOpen(), two.isOpen()];
  entries.back();
  entries.settle();
  assert.deepEqual([open(), entries.path, left], [[true, false], "/game", []]);
  entries.back();
  entries.settle();
  assert.deepEqual([open(), entries.path, left], [[false, false], "/game", []]);
  entries.back();
  entries.settle();
  assert.deepEqual([entries.path, left], ["/", ["/"]]);
});

test("a dialog closed another way leaves no entry behind", () => {
  const { dialog, entries, left } = page();
  dialog().close();
  entries.settle();
  assert.deepEqual([entries.at, entries.state, left], [1, null, []]);
  entries.back();
  entries.settle();
  assert.deepEqual(left, ["/"]);
});

test("a dialog that closes in favor of another hands over its entry", () => {
  const { dialog, entries } = page();
  dialog().close();
  const next = dialog();
  entries.settle();
  assert.deepEqual([entries.at, next.isOpen()], [2, true]);
  entries.back();
  entries.settle();
  assert.deepEqual([entries.at, next.isOpen()], [1, false]);
});

test("a dialog that opens while the last one's entry is being removed gets an entry of its own", () => {
  const { dialog, entries } = page();
  const first = dialog();
  first.close();
  entries.pending.shift()?.(); // The dialog is closed, and the history is on its way back.
  const next = dialog();
  entries.settle();
  assert.deepEqual([entries.at, entries.state !== null, next.isOpen()], [2, true, true]);
  entries.back();
  entries.settle();
  assert.deepEqual([entries.at, next.isOpen()], [1, false]);
});

test("a dialog that leads to another page is skipped on the way back", () => {
  for (const isLate of [false, true]) {
    const { dialog, entries, go, left } = page();
    dialog().close();
    if (isLate) entries.pending.shift()?.(); // The history is already on its way back.
    go("/next");
    entries.settle();
    assert.deepEqual([entries.at, entries.path, entries.state], [2, "/next", null]);
    entries.back();
    entries.settle();
    assert.deepEqual(left, ["/game"]);
  }
});

test("after a reload, the entry of a dialog that was open is removed", () => {
  const { entries } = page();
  entries.pushState({ cover: 3 }, "");
  const reloaded = new BackStack(/** @type {any} */ (entries));
  entries.moved = () => reloaded.moved();
  reloaded.begin();
  entries.settle();
  assert.deepEqual([entries.at, entries.state], [1, null]);
});
