/** What a review measures, and how its values are written: chances in percent, or points. */

import { formatNumber, t } from "../language/i18n.js";
import { percent, signedPercent } from "../language/percent.js";

/**
 * @typedef {object} Measure
 * @property {string} name a key: the measure's name
 * @property {string} chart a key: the chart's title
 * @property {string} about a key: what the chart means
 * @property {string} fair a key: the label of the starting value
 * @property {(value: number) => string} value a value in words
 * @property {(amount: number) => string} amount how much something cost
 * @property {(value: number) => string} short a value in a narrow column
 * @property {(amount: number) => string} shortAmount a cost in a narrow column
 * @property {(gain: number) => string} gain how much something gained or lost, in a sentence
 * @property {(value: {mean: number, error: number}) => string} withError a gain with its margin of error, in a list
 * @property {(values: number[]) => import("./chart.js").Axis} axis
 */

/** @type {Measure} */
const WIN = {
  name: "measure.win",
  chart: "review.chart",
  about: "review.about",
  fair: "gain.fair",
  value: percent,
  amount: percent,
  short: percent,
  shortAmount: percent,
  gain: signedPercent,
  withError: ({ mean, error }) => `${signedPercent(mean)} ± ${percent(error)}`,
  axis: () => ({ low: 0, high: 1, ticks: [0, 0.5, 1], words: percent, base: null }),
};

/** For solo games: the chance of playing every tile, since there's nobody to beat. @type {Measure} */
const SOLO_WIN = {
  ...WIN,
  name: "measure.out",
  chart: "review.chart_out",
  about: "review.about_out",
  fair: "gain.average",
};

/** How many points someone is ahead of the others, or behind. @type {Measure} */
const LEAD = {
  name: "measure.points",
  chart: "review.chart_ahead",
  about: "review.about_ahead",
  fair: "gain.average",
  value: (value) => points(value, true),
  amount: (amount) => points(amount, false),
  short: (value) => number(value, true),
  shortAmount: (amount) => number(amount, false),
  gain: (gain) => points(gain, true),
  withError: ({ mean, error }) => `${number(mean, true)} ± ${number(error, false)}`,
  axis: (values) => ({ ...niceAxis([0, ...values]), words: (value) => number(value, true), base: 0 }),
};

/** For solo games: the player's own points. @type {Measure} */
const SOLO_POINTS = {
  ...LEAD,
  chart: "review.chart_points",
  about: "review.about_points",
  value: (value) => points(value, false),
  short: (value) => number(value, false),
  axis: (values) => ({ ...niceAxis(values), words: (value) => number(value, false), base: null }),
};

/** @param {"win" | "points"} measure @param {boolean} solo @returns {Measure} */
export function measureNamed(measure, solo) {
  if (measure === "points") return solo ? SOLO_POINTS : LEAD;
  return solo ? SOLO_WIN : WIN;
}

/** "2.5", "+2.5". @param {number} value @param {boolean} signed */
function number(value, signed) {
  const rounded = Math.round(value * 10) / 10 || 0; // Avoids a minus sign before zero.
  return formatNumber(rounded, { maximumFractionDigits: 1, signDisplay: signed ? "exceptZero" : "auto" });
}

/** "2.5 points", "+1 point". @param {number} value @param {boolean} signed */
function points(value, signed) {
  return t("review.points", { n: Math.abs(Math.round(value * 10) / 10), number: number(value, signed) });
}

/** An axis that fits all values, with round numbers as ticks. @param {number[]} values */
export function niceAxis(values) {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const rough = Math.max(max - min, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const [first, last] = [Math.floor(min / step), Math.ceil(max / step)];
  const end = last > first ? last : first + 1;
  const ticks = Array.from({ length: end - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
  return { low: first * step, high: end * step, ticks };
}
