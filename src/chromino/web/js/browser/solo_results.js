/** The last and the best result of solo games for each set of rules, stored in this browser. */

import { readStored, store } from "./storage.js";

/** @typedef {import("../types.js").State} State */
/**
 * The last game, its result, the best result, and both results before that game.
 * @typedef {{game: string, last: number, best: number, before: {last: number, best: number} | null}} StoredResult
 */

const KEY = "chromino.solo";
/** How many sets of rules we store results for. Beyond that, the oldest are forgotten. */
const MAX_RULES = 50;

/**
 * A key for a set of rules: only results under the same rules can be compared.
 * @param {Partial<import("../types.js").Rules>} rules
 */
function keyOf(rules) {
  return JSON.stringify(Object.entries(rules).sort());
}

/**
 * Store the result of a solo game, once per game, and return the results it had to beat. A blocked game has no result.
 * @param {State} state of a solo game that's over
 * @returns {{last: number, best: number} | null}
 */
export function keepSoloResult({ game, turns, view }) {
  /** @type {Record<string, StoredResult>} */
  const results = readStored(KEY) ?? {};
  const key = keyOf(view.rules);
  const previous = results[key];
  if (previous?.game === game) return previous.before;
  const before = previous ? { last: previous.last, best: previous.best } : null;
  if (!view.winners.length) return before;
  const result = view.rules.scoring ? (view.scores[0] ?? 0) : turns;
  const betterOf = view.rules.scoring ? Math.max : Math.min;
  const { [key]: _, ...others } = results;
  const best = before ? betterOf(before.best, result) : result;
  store(
    KEY,
    Object.fromEntries([...Object.entries(others), [key, { game, last: result, best, before }]].slice(-MAX_RULES)),
  );
  return before;
}

/**
 * The results that the next game has to beat.
 * @param {Partial<import("../types.js").Rules>} rules @returns {{last: number, best: number} | null}
 */
export function soloResult(rules) {
  return readStored(KEY)?.[keyOf(rules)] ?? null;
}
