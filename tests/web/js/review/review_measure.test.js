import assert from "node:assert/strict";
import { test } from "node:test";
import { measureNamed, niceAxis } from "../../../../src/chromino/web/js/review/review_measure.js";

test("an axis covers all values, with a few round numbers in even steps", () => {
  for (const values of [
    [0],
    [0, 0.2],
    [-14, 3.7],
    [0, 33.1],
    [157.2, 340.9],
    [-0.04, 0.01],
    [259.9, 260.1],
    [-1000, 7],
  ]) {
    const { low, high, ticks } = niceAxis(values);
    assert.ok(low <= Math.min(...values) && Math.max(...values) <= high, String(values));
    assert.ok(low < high);
    assert.ok(ticks.length >= 2 && ticks.length <= 7, String(ticks));
    assert.deepEqual(
      [ticks[0], ticks.at(-1)],
      [low, high].map((end) => Number(end.toPrecision(12))),
    );
    const [first = 0, second = 0] = ticks;
    const step = second - first;
    for (const [n, tick] of ticks.entries()) assert.ok(Math.abs(tick - first - n * step) < 1e-9);
    assert.match(step.toExponential(6), /^[125]\.0+e/);
  }
});

test("points are relative to others, or your own if you play solo", () => {
  assert.ok(measureNamed("points", false).axis([3, 5]).ticks.includes(0)); // At zero, nobody is ahead.
  assert.equal(measureNamed("points", false).withError({ mean: 2.46, error: 0.2 }), "+2.5 ± 0.2");
  assert.equal(measureNamed("points", false).withError({ mean: -0.01, error: 0 }), "0 ± 0");
  assert.equal(measureNamed("points", false).short(2.46), "+2.5");
  assert.equal(measureNamed("points", true).short(2.46), "2.5");
  assert.ok(!measureNamed("points", true).axis([203, 305]).ticks.includes(0));
  assert.deepEqual(measureNamed("win", true).axis([0.2]).ticks, [0, 0.5, 1]);
});
