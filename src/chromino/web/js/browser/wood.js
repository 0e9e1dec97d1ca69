/**
 * Sounds of tiles on wood, computed sample by sample. Nothing here needs a browser. A struck bar of wood rings in
 * a few tones that die away quickly, the higher ones faster. The contact itself is a short burst of noise.
 */

/**
 * One knock on wood.
 * @typedef {object} Strike
 * @property {number} at seconds from the start
 * @property {number} pitch of the lowest tone, in Hz
 * @property {number} ring seconds until that tone has all but died away
 * @property {number} loud from 0 to 1
 * @property {number} [hard] how much you hear of the contact and the high tones, from 0 to 1
 * @property {number} [body] how much the table resonates, from 0 to 1
 */

/**
 * The rustle of a sliding tile; `at` and `length` in seconds.
 * @typedef {{at: number, length: number, loud: number}} Slide
 */

/** @typedef {{strikes: Strike[], slides?: Slide[]}} Recipe */

/** The tones of a free bar, as multiples of the lowest; marimba makers tune the second one to 4. */
const BAR = [1, 2.76, 5.4];
const TUNED = [1, 4, 9.2];
/** The tone of the table itself, in Hz. */
const TABLE = 128;
/** How many time constants it takes a tone to fade to a thousandth. */
const SILENT = 6.9;

/** @typedef {"pick" | "snap" | "lay" | "draw" | "refuse" | "turn" | "win" | "over"} Sound */

/** @type {Record<Sound, Recipe>} */
const RECIPES = {
  pick: { strikes: [{ at: 0, pitch: 940, ring: 0.07, loud: 0.3, hard: 0.5 }] },
  snap: { strikes: [{ at: 0, pitch: 1780, ring: 0.04, loud: 0.3, hard: 0.9 }] },
  lay: {
    strikes: [
      { at: 0, pitch: 470, ring: 0.14, loud: 0.75, hard: 0.7, body: 0.9 },
      { at: 0.045, pitch: 520, ring: 0.07, loud: 0.2, hard: 0.4, body: 0.2 },
    ],
  },
  draw: {
    slides: [{ at: 0, length: 0.17, loud: 0.22 }],
    strikes: [
      { at: 0.05, pitch: 820, ring: 0.05, loud: 0.16, hard: 0.4 },
      { at: 0.16, pitch: 690, ring: 0.08, loud: 0.36, hard: 0.5, body: 0.2 },
    ],
  },
  refuse: {
    strikes: [
      { at: 0, pitch: 196, ring: 0.13, loud: 0.55, hard: 0.2, body: 0.6 },
      { at: 0.11, pitch: 175, ring: 0.16, loud: 0.5, hard: 0.2, body: 0.6 },
    ],
  },
  turn: { strikes: melody([523.3, 784], 0.13, 0.5, 0.34) },
  win: { strikes: melody([523.3, 659.3, 784, 1046.5, 1568], 0.11, 0.75, 0.42) },
  over: { strikes: melody([523.3, 440, 392], 0.16, 0.6, 0.32) },
};

/**
 * Notes on wooden bars.
 * @param {number[]} pitches @param {number} step seconds from note to note @param {number} ring @param {number} loud
 * @returns {Strike[]}
 */
function melody(pitches, step, ring, loud) {
  return pitches.map((pitch, n) => ({ at: n * step, pitch, ring, loud, hard: 0.12 }));
}

/** The names of all sounds. */
export const SOUNDS = /** @type {Sound[]} */ (Object.keys(RECIPES));

/** How long a sound lasts, in seconds. @param {Sound} name */
export function lengthOf(name) {
  const { strikes, slides = [] } = recipe(name);
  return Math.max(...strikes.map(({ at, ring }) => at + ring), ...slides.map(({ at, length }) => at + length));
}

/**
 * A sound as samples between -1 and 1, the same each time.
 * @param {Sound} name @param {number} rate samples per second @returns {Float32Array<ArrayBuffer>}
 */
export function synthesize(name, rate) {
  const { strikes, slides = [] } = recipe(name);
  const samples = new Float32Array(Math.ceil(lengthOf(name) * rate));
  const noise = noiseFrom(7);
  for (const slide of slides) addSlide(samples, rate, slide, noise);
  for (const strike of strikes) addStrike(samples, rate, strike, noise);
  return soften(samples, rate);
}

/** @param {Sound} name @returns {Recipe} */
function recipe(name) {
  const found = RECIPES[name];
  if (!found) throw new Error(`no such sound: ${name}`);
  return found;
}

/** @param {Float32Array} samples @param {number} rate @param {Strike} strike @param {() => number} noise */
function addStrike(samples, rate, { at, pitch, ring, loud, hard = 0, body = 0 }, noise) {
  const start = Math.round(at * rate);
  const count = Math.min(samples.length - start, Math.ceil(ring * rate));
  const tones = (hard < 0.2 ? TUNED : BAR).map((multiple, n) => ({
    angle: (2 * Math.PI * pitch * multiple) / rate,
    decay: (SILENT * multiple ** 0.7) / (ring * rate),
    share: n ? (0.15 + 0.5 * hard) / (n + 1) : 1,
  }));
  const tableAngle = (2 * Math.PI * TABLE) / rate;
  let contact = 0;
  for (let n = 0; n < count; n += 1) {
    let sample = body * Math.sin(tableAngle * n) * Math.exp((-SILENT * n) / count);
    for (const { angle, decay, share } of tones) sample += share * Math.sin(angle * n) * Math.exp(-decay * n);
    contact += 0.5 * (noise() - contact);
    sample += 1.6 * hard * contact * Math.exp(-n / (0.0022 * rate));
    samples[start + n] = (samples[start + n] ?? 0) + 0.5 * loud * sample;
  }
}

/** @param {Float32Array} samples @param {number} rate @param {Slide} slide @param {() => number} noise */
function addSlide(samples, rate, { at, length, loud }, noise) {
  const start = Math.round(at * rate);
  const count = Math.floor(length * rate);
  let low = 0;
  let lower = 0;
  for (let n = 0; n < count; n += 1) {
    low += 0.35 * (noise() - low);
    // The frequencies between these two filters are the rustle of wood on cloth.
    lower += 0.06 * (low - lower);
    samples[start + n] = (samples[start + n] ?? 0) + loud * (low - lower) * Math.sin((Math.PI * n) / count) ** 2;
  }
}

/**
 * Fade in and out to avoid clicks, and keep the samples in a range that speakers can play.
 * @param {Float32Array<ArrayBuffer>} samples @param {number} rate
 */
function soften(samples, rate) {
  const edge = Math.ceil(0.001 * rate);
  return samples.map((sample, n) => {
    const fade = Math.min(1, n / edge, (samples.length - 1 - n) / (4 * edge));
    return Math.tanh(sample) * fade;
  });
}

/** A source of noise between -1 and 1, the same each time. @param {number} seed */
function noiseFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
