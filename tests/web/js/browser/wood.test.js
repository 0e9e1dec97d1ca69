/** The sounds of tiles on wood, as samples. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { lengthOf, SOUNDS, synthesize } from "../../../../src/chromino/web/js/browser/wood.js";

const RATE = 44_100;
const all = new Map(SOUNDS.map((name) => [name, synthesize(name, RATE)]));

/** How loud a sound is on average, and how high: the share of samples where it changes sign. */
function measured(/** @type {Float32Array} */ samples) {
  let [power, crossings] = [0, 0];
  samples.forEach((sample, n) => {
    power += sample ** 2;
    if (n && sample > 0 !== (samples[n - 1] ?? 0) > 0) crossings += 1;
  });
  return { loud: Math.sqrt(power / samples.length), high: crossings / samples.length };
}

test("there's a sound for every touch and every big moment", () => {
  assert.deepEqual(SOUNDS, ["pick", "snap", "lay", "draw", "refuse", "turn", "win", "over"]);
  assert.throws(() => synthesize(/** @type {any} */ ("gong"), RATE), /no such sound: gong/);
});

test("every sound starts and ends in silence, is audible, and never clips", () => {
  for (const [name, samples] of all) {
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.ok(Math.abs(samples[0] ?? 1) < 1e-6 && Math.abs(samples.at(-1) ?? 1) < 1e-6, name);
    assert.ok(peak > 0.05 && peak < 0.95, `${name}: ${peak}`);
    assert.equal(samples.length, Math.ceil(lengthOf(name) * RATE));
  }
});

test("touch sounds last at most 0.3 seconds, and melodies at most 1.25", () => {
  for (const name of ["pick", "snap"]) assert.ok(lengthOf(name) <= 0.1, name);
  for (const name of ["lay", "draw", "refuse"]) assert.ok(lengthOf(name) <= 0.3, name);
  for (const name of ["turn", "win", "over"]) assert.ok(lengthOf(name) <= 1.25, name);
});

test("any two sounds differ in length, pitch or loudness", () => {
  for (const [one, samples] of all) {
    for (const [other, otherSamples] of all) {
      if (one >= other) continue;
      const [a, b] = [measured(samples), measured(otherSamples)];
      const ratios = [lengthOf(one) / lengthOf(other), a.high / b.high, a.loud / b.loud];
      const most = Math.max(...ratios.map((ratio) => Math.max(ratio, 1 / ratio)));
      assert.ok(most > 1.3, `${one} and ${other}: ${most.toFixed(2)}`);
    }
  }
});

test("a sound is the same every time, and in tune at every sample rate", () => {
  assert.deepEqual(synthesize("lay", RATE), all.get("lay"));
  const [slow, fast] = [22_050, 48_000].map((rate) => measured(synthesize("turn", rate)).high * rate);
  assert.ok(Math.abs((slow ?? 0) / (fast ?? 1) - 1) < 0.1, `${slow} ${fast}`);
});
