/** Plays the sounds from `wood.js`. The page is silent until you click, tap or press a key, and while sound is off. */

import { settings } from "./settings.js";
import { synthesize } from "./wood.js";

/** Cents of random detuning, because no two knocks on wood sound quite alike. */
const DETUNE = 60;
/** Melodies, which aren't detuned. */
const TUNED = new Set(["turn", "win", "over"]);

const TOUCHES = ["pointerdown", "pointerup", "keydown"];
/** Has the page been touched? */
let isTouched = false;
/** @type {AudioContext | null} */
let sharedContext = null;
/** @type {Map<string, AudioBuffer>} */
const buffers = new Map();

/** @param {import("./wood.js").Sound} name */
export function playSound(name) {
  if (!isTouched || !settings.sound || !settings.volume) return;
  const context = audioContext();
  if (context.state === "suspended") void context.resume();
  const source = new AudioBufferSourceNode(context, { buffer: bufferOf(context, name) });
  if (!TUNED.has(name)) source.detune.value = (Math.random() - 0.5) * DETUNE;
  source.connect(new GainNode(context, { gain: settings.volume ** 2 })).connect(context.destination);
  source.start();
}

/** Our only audio context; browsers allow just a few. */
function audioContext() {
  sharedContext ??= new AudioContext({ latencyHint: "interactive" });
  return sharedContext;
}

/** @param {AudioContext} audio @param {import("./wood.js").Sound} name */
function bufferOf(audio, name) {
  let buffer = buffers.get(name);
  if (!buffer) {
    const samples = synthesize(name, audio.sampleRate);
    buffer = audio.createBuffer(1, samples.length, audio.sampleRate);
    buffer.copyToChannel(samples, 0);
    buffers.set(name, buffer);
  }
  return buffer;
}

/** Start audio during a touch: some browsers don't allow it later, when a message arrives. @param {Event} event */
function wake({ isTrusted, type }) {
  if (!isTrusted) return;
  isTouched = true;
  if (!settings.sound) return;
  void audioContext().resume();
  // Touchscreens can't start sound before pointerup.
  if (type === "pointerdown") return;
  for (const touch of TOUCHES) removeEventListener(touch, wake, { capture: true });
}

for (const type of TOUCHES) addEventListener(type, wake, { capture: true });
