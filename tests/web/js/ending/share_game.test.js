/** Sharing a finished game: a picture and a link, with the share sheet or the clipboard. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";

const lang = new URL("../../../../src/chromino/web/lang/", import.meta.url);
const element = { getAttribute() {}, setAttribute() {}, append() {}, children: [], select() {}, remove() {} };
let reach = "anywhere";
let isPhone = true;
/** @type {any} */
let sharing = {};

Object.assign(globalThis, {
  document: Object.assign(new EventTarget(), {
    createElement: () => ({ ...element, dataset: {}, click: () => (sharing.downloaded = true), addEventListener() {} }),
    documentElement: { dataset: {} },
    body: element,
    querySelector: () => null,
    execCommand: () => sharing.hasOldClipboard ?? false,
  }),
  matchMedia: () => ({ matches: isPhone }),
  fetch: async (/** @type {string} */ path) => {
    if (path.startsWith("/lang/")) return new Response(await readFile(new URL(path.replace("/lang/", ""), lang)));
    if (path.endsWith("/share")) return Response.json({ url: "https://play.example/replay/g", reach });
    return new Response("a picture");
  },
  ClipboardItem: class {
    /** @param {any} content */
    constructor(content) {
      this.content = content;
    }
  },
  setTimeout: () => 0, // The message doesn't have to disappear.
});
const { setLanguage } = await import("../../../../src/chromino/web/js/language/i18n.js");
const { shareGame, wonWords } = await import("../../../../src/chromino/web/js/ending/share_game.js");
await setLanguage("en");

const ADA = { kind: "person", name: "Ada", bot: null, mine: true, program: false };
const FOX = { kind: "bot", name: "Fox", bot: "fox", mine: false, program: false };
const STATE = /** @type {any} */ ({ game: "g", seats: [ADA, FOX], view: { winners: [0] } });

beforeEach(() => {
  sharing = {};
  const clipboard = {
    write: async (/** @type {any[]} */ [item]) => (sharing.copied = await (await item.content["text/plain"]).text()),
    writeText: async () => Promise.reject(new Error("not here")),
  };
  const share = async (/** @type {any} */ data) => (sharing.shared = data);
  Object.defineProperty(globalThis, "navigator", {
    value: { canShare: () => true, share, clipboard },
    configurable: true,
  });
  [reach, isPhone] = ["anywhere", true];
});

test("a phone's share sheet gets the picture, the result and the link", async () => {
  await shareGame(STATE);
  assert.equal(sharing.shared.files.length, 1);
  assert.match(sharing.shared.text, /Ada won\.\nhttps:\/\/play\.example\/replay\/g$/);
});

test("without a share sheet, the picture and the link are copied", async () => {
  isPhone = false;
  await shareGame(STATE);
  assert.match(sharing.copied, /https:\/\/play\.example\/replay\/g$/);
});

test("a link that only this device could open isn't sent", async () => {
  reach = "device";
  await shareGame(STATE);
  assert.match(sharing.shared.text, /Ada won\.$/);
});

test("if pictures can't be copied, the link is copied, and if nothing can, the picture is downloaded", async () => {
  isPhone = false;
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  sharing.hasOldClipboard = true;
  await shareGame(STATE);
  assert.equal(sharing.downloaded, undefined);
  sharing.hasOldClipboard = false;
  await shareGame(STATE);
  assert.equal(sharing.downloaded, true);
});

test("a French colon has a space before it", async () => {
  await setLanguage("fr");
  assert.equal(wonWords(STATE), "Chromino\u00a0: Ada a gagné.");
  await setLanguage("en");
});
