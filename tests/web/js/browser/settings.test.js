/** Settings stored by earlier versions are read, and changes made in another tab are kept. */

import assert from "node:assert/strict";
import { test } from "node:test";

const stored = new Map();
const page = new EventTarget();
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  document: Object.assign(new EventTarget(), { documentElement: { dataset: {} } }),
  localStorage: {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
    clear: () => stored.clear(),
  },
});

let loads = 0;

/** The settings module, loaded with this in the browser's storage. @param {unknown} found */
async function loadedWith(found) {
  stored.clear();
  if (found !== undefined) stored.set("chromino", typeof found === "string" ? found : JSON.stringify(found));
  return import(`../../../../src/chromino/web/js/browser/settings.js?load=${loads++}`);
}

test("settings stored by version 1.0 are read: the texture and confirmation switches became choices", async () => {
  const old = { language: "fr", theme: "dark", textures: false, confirm: true, lit: false, sound: false, name: "Ada" };
  const { settings } = await loadedWith(old);
  const { language, theme, squares, ask, lit, sound, name } = settings;
  assert.deepEqual(
    [language, theme, squares, ask, lit, sound, name],
    ["fr", "dark", "plain", "always", false, false, "Ada"],
  );
  assert.equal(settings.volume, 0.7); // This setting is newer.
  assert.ok(!("textures" in settings) && !("confirm" in settings));
});

test("the default settings of 1.0 are still the defaults", async () => {
  const { settings } = await loadedWith({ textures: true, confirm: false });
  assert.deepEqual([settings.squares, settings.ask], ["vivid", "never"]);
});

test("the new choices override the old switches", async () => {
  const { settings } = await loadedWith({ textures: false, confirm: true, squares: "distinct", ask: "touch" });
  assert.deepEqual([settings.squares, settings.ask], ["distinct", "touch"]);
});

test("empty, broken or unexpected stored data gives the default settings", async () => {
  for (const found of [undefined, "{", "7", "null"]) {
    const { settings } = await loadedWith(found);
    assert.deepEqual([settings.squares, settings.ask, settings.sound], ["vivid", "never", true]);
  }
});

test("a change keeps changes made in another tab", async () => {
  const { settings, changeSettings } = await loadedWith({ name: "Ada" });
  stored.set("chromino", JSON.stringify({ name: "Bob" }));
  changeSettings({ volume: 0.2 });
  assert.deepEqual([settings.name, settings.volume], ["Bob", 0.2]);
  assert.equal(JSON.parse(stored.get("chromino")).volume, 0.2);
});
