/** The words for the end of a game, as catalog keys and values. They're kind to people who lost. */

import { listed, t } from "../language/i18n.js";
import { isYou, seatName } from "../language/words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../language/words.js").Named} Named */
/** @typedef {[key: string, values?: Record<string, any>]} Words */

/** Losing by at most this many tiles or points counts as close. */
const CLOSE = 2;

/** Did someone on this device win? @param {State} state */
export function weWon({ view, seats }) {
  return view.winners.some((seat) => seats[seat]?.mine);
}

/** Who won, in words. @param {readonly Named[]} seats @param {readonly number[]} winners */
export function winnerWords(seats, winners) {
  const [key, values] = winnersLine(seats, winners);
  return t(key, values);
}

/** @param {readonly Named[]} seats @param {readonly number[]} winners @returns {Words} */
function winnersLine(seats, winners) {
  const [me] = winners.filter((seat) => isYou(seats, seat));
  const names = listed(winners.filter((seat) => seat !== me).map((seat) => seatName(seats, seat)));
  if (me !== undefined) return names ? ["end.you_together", { names }] : ["outcome.you_won"];
  if (!names) return ["end.nobody"];
  return [winners.length > 1 ? "end.win_together" : "end.wins", { names }];
}

/** @typedef {{last: number, best: number} | null} SoloResult The results to beat. */

/**
 * The headline and the sentences below it.
 * @param {State} state @param {SoloResult} [before] @returns {{headline: Words, sentences: Words[]}}
 */
export function endingWords(state, before = null) {
  const { headline, sentences } = resultWords(state, before);
  return { headline, sentences: [...sentences, ...ratedRankWords(state)] };
}

/** @param {State} state @param {SoloResult} before @returns {{headline: Words, sentences: Words[]}} */
function resultWords(state, before) {
  const { view, seats, turns } = state;
  const mine = seats.flatMap(({ mine }, seat) => (mine ? [seat] : []));
  const whoWon = winnersLine(seats, view.winners);
  const isSolo = seats.length === 1;
  /** @type {Words[]} */
  const sentences = view.hand_sizes.includes(0) ? [] : [[isSolo ? "end.solo_blocked" : "end.blocked"]];
  const [me] = mine;
  if (me === undefined || mine.length > 1) return { headline: whoWon, sentences };
  if (isSolo) {
    const isOut = view.winners.length > 0;
    const left = view.hand_sizes[me] ?? 0;
    if (!isOut) sentences.push(["end.solo_left", counted(left)]);
    sentences.push(view.rules.scoring ? ["end.solo_points", { n: view.scores[me] }] : ["end.turns", { n: turns }]);
    if (before) sentences.push([view.rules.scoring ? "end.beat_points" : "end.beat_turns", before]);
    const ending = left <= CLOSE ? "end.close" : "end.good_game";
    return { headline: [isOut ? (isBest(state, before) ? "end.best" : "end.done") : ending], sentences };
  }
  if (view.winners.includes(me)) {
    if (view.winners.length > 1) return { headline: whoWon, sentences };
    return { headline: ["end.you"], sentences: [...sentences, ...leadWords(state, me)] };
  }
  const deficit = -leadOf(state, me);
  const headline = deficit <= CLOSE ? "end.close" : "end.good_game";
  sentences.push(whoWon);
  if (deficit > 0) sentences.push([view.rules.scoring ? "end.points_short" : "end.short", counted(deficit)]);
  return { headline: [headline], sentences };
}

/** Did this solo game beat all earlier ones? @param {State} state @param {SoloResult} before */
function isBest({ view, turns }, before) {
  if (!before) return false;
  return view.rules.scoring ? (view.scores[0] ?? 0) > before.best : turns < before.best;
}

/**
 * In a rated game, the rank that counts for the rating and, if it's worse than the result at the table, why.
 * @param {State} state @returns {Words[]}
 */
function ratedRankWords(state) {
  const { ranks, seats } = state;
  const me = seats.findIndex(({ mine }) => mine);
  const rank = ranks?.[me];
  if (rank === undefined) return [];
  const results = seats.map((_, seat) => resultOf(state, seat));
  const betterCount = results.filter((other) => other > (results[me] ?? 0)).length;
  /** @type {Words} */
  const words = ["end.place", { n: rank, all: seats.length }];
  return rank > 1 + betterCount ? [words, ["end.place_absent"]] : [words];
}

/** A number for a sentence: in digits and, if the catalog has one, as a word. @param {number} n */
function counted(n) {
  return { n, count: t("end.counts").split(",")[n - 1] ?? String(n) };
}

/** How far ahead I was when I won, in words. @param {State} state @param {number} me @returns {Words[]} */
function leadWords(state, me) {
  const { view, seats } = state;
  if (view.rules.scoring) return [["end.points_ahead", { n: leadOf(state, me) }]];
  if (seats.length > 2) return [];
  const other = 1 - me;
  return [["end.left", { name: seatName(seats, other), ...counted(view.hand_sizes[other] ?? 0) }]];
}

/** A seat's lead over the best other seat, in points or in tiles. @param {State} state @param {number} me */
function leadOf({ view }, me) {
  const results = view.rules.scoring ? view.scores : view.hand_sizes.map((tiles) => -tiles);
  return (results[me] ?? 0) - Math.max(...results.filter((_, seat) => seat !== me));
}

/**
 * A seat's points. If leftover tiles cost points, the calculation is shown: "31 − 7 = 24 points".
 * @param {State} state @param {number} seat
 */
export function pointsWords({ view, costs }, seat) {
  const n = view.scores[seat] ?? 0;
  const lost = costs?.[seat]?.reduce((sum, cost) => sum + cost, 0);
  const points = t("seats.points", { n });
  return lost === undefined ? points : `${n + lost} − ${lost} = ${points}`;
}

/**
 * How many of my latest games I've won in a row.
 * @param {readonly import("../types.js").Summary[]} games most recent first
 */
export function winsInARow(games) {
  const finished = games.filter(({ over, seats }) => over && seats.length > 1);
  const firstLoss = finished.findIndex(({ seats, winners }) => !winners.some((seat) => seats[seat]?.mine));
  return firstLoss < 0 ? finished.length : firstLoss;
}

/** The seats, best first. @param {State} state */
export function ranked(state) {
  return state.seats.map((_, seat) => seat).sort((a, b) => resultOf(state, b) - resultOf(state, a));
}

/** How well a seat did at the table, as a number: higher is better. @param {State} state @param {number} seat */
function resultOf({ view }, seat) {
  return (
    (view.winners.includes(seat) ? 1e6 : 0) +
    (view.rules.scoring ? (view.scores[seat] ?? 0) : -(view.hand_sizes[seat] ?? 0))
  );
}

/**
 * Is this a rated game whose rematch would be unrated? It would be if other people are playing, because everyone has
 * to agree to a rated game.
 * @param {State} state
 */
export function isRematchUnrated({ rated, seats }) {
  return rated && seats.some(({ kind, mine }) => kind === "person" && !mine);
}
