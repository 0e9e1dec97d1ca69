/** Soft sounds, made with WebAudio. Browsers allow none before somebody has touched the page. */

import { settings } from "./settings.js";

/** @type {Record<string, [number, number, number][]>} Notes: frequency, start and length in seconds. */
const SOUNDS = {
  place: [
    [220, 0, 0.09],
    [330, 0.03, 0.12],
  ],
  draw: [
    [392, 0, 0.08],
    [294, 0.07, 0.1],
  ],
  turn: [
    [523, 0, 0.14],
    [659, 0.1, 0.2],
  ],
  refused: [[147, 0, 0.16]],
  win: [
    [523, 0, 0.16],
    [659, 0.12, 0.16],
    [784, 0.24, 0.3],
  ],
  over: [
    [392, 0, 0.2],
    [330, 0.16, 0.3],
  ],
};

/** @type {AudioContext | null} */
let context = null;

/** @param {keyof typeof SOUNDS & string} name */
export function play(name) {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const [frequency, start, length] of SOUNDS[name] ?? []) note(context, frequency, start, length);
}

/** @param {AudioContext} audio @param {number} frequency @param {number} start @param {number} length */
function note(audio, frequency, start, length) {
  const begin = audio.currentTime + start;
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.linearRampToValueAtTime(0.12, begin + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length + 0.02);
}
