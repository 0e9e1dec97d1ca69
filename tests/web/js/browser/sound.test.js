/** Sounds: none before the first touch or when muted, otherwise at the chosen volume. The browser's audio is fake. */

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {number[]} The volume of each sound that was played. */
const played = [];
let contexts = 0;
const page = new EventTarget();

class Context {
  state = "running";
  sampleRate = 8000;
  destination = {};
  constructor() {
    contexts += 1;
  }
  resume() {}
  createBuffer() {
    return { copyToChannel() {} };
  }
}
class Source {
  detune = { value: 0 };
  gain = 0;
  connect(/** @type {{gain: number}} */ node) {
    this.gain = node.gain;
    return node;
  }
  start() {
    played.push(Math.round(100 * this.gain) / 100);
  }
}
class Gain {
  constructor(/** @type {unknown} */ _, /** @type {{gain: number}} */ { gain }) {
    this.gain = gain;
  }
  connect() {}
}
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  document: Object.assign(new EventTarget(), { documentElement: { dataset: {} } }),
  AudioContext: Context,
  AudioBufferSourceNode: Source,
  GainNode: Gain,
});
const { changeSettings } = await import("../../../../src/chromino/web/js/browser/settings.js");
const { playSound } = await import("../../../../src/chromino/web/js/browser/sound.js");

/** A touch by a person: in a browser, a script's events aren't trusted. @param {string} type */
function touch(type) {
  const event = new Event(type);
  Object.defineProperty(event, "isTrusted", { value: true });
  page.dispatchEvent(event);
}

test("the page is silent before the first touch, and a script's click doesn't count", () => {
  playSound("turn");
  page.dispatchEvent(new Event("pointerup"));
  playSound("turn");
  assert.deepEqual([played, contexts], [[], 0]);
});

test("after a touch, sounds have the chosen volume and share one audio context", () => {
  touch("pointerdown");
  touch("pointerup");
  for (const volume of [1, 0.5, 0.1]) {
    changeSettings({ volume });
    playSound("lay");
  }
  assert.deepEqual([played.splice(0), contexts], [[1, 0.25, 0.01], 1]);
});

test("nothing is played when the sound is muted or turned down all the way", () => {
  changeSettings({ volume: 0 });
  playSound("lay");
  changeSettings({ volume: 1, sound: false });
  playSound("win");
  assert.deepEqual(played, []);
  changeSettings({ sound: true });
  playSound("win");
  assert.deepEqual(played, [1]);
});
