/** The last and the best result of solo games, by rules; this browser keeps them. */

import { readStored, store } from "./storage.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {{game: string, last: number, best: number, before: {last: number, best: number} | null}} StoredResult The game that was
 * the last, its result and the best one; and what they were before it. */

const KEY = "chromino.solo";
const MAX_RULES = 50; // The oldest are forgotten.

/** Results that can be compared: turns in a race, points in a game with scoring. @param {Partial<import("../types.js").Rules>} rules */
function nameOf(rules) {
  return JSON.stringify(Object.entries(rules).sort());
}

/**
 * The results to beat before this game. A game that was won is stored, once; a blocked one has no result.
 * @param {State} state of a solo game that's over
 * @returns {{last: number, best: number} | null}
 */
export function keepSoloResult({ game, turns, view }) {
  /** @type {Record<string, StoredResult>} */
  const kept = readStored(KEY) ?? {};
  const name = nameOf(view.rules);
  const known = kept[name];
  if (known?.game === game) return known.before;
  const before = known ? { last: known.last, best: known.best } : null;
  if (!view.winners.length) return before;
  const result = view.rules.scoring ? (view.scores[0] ?? 0) : turns;
  const better = view.rules.scoring ? Math.max : Math.min;
  const { [name]: _, ...others } = kept;
  const best = before ? better(before.best, result) : result;
  store(
    KEY,
    Object.fromEntries([...Object.entries(others), [name, { game, last: result, best, before }]].slice(-MAX_RULES)),
  );
  return before;
}

/** The results to beat now. @param {Partial<import("../types.js").Rules>} rules @returns {{last: number, best: number} | null} */
export function soloResult(rules) {
  return readStored(KEY)?.[nameOf(rules)] ?? null;
}
