/** What the end of a game says: keys of the catalogs with their values. Kind to those who lost. */

import { listed, t } from "../language/i18n.js";
import { isYou, seatName } from "../language/words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../language/words.js").Named} Named */
/** @typedef {[key: string, values?: Record<string, any>]} Words */

const CLOSE = 2; // Tiles or points: a loser this close is told so.

/** Did someone on this device win? @param {State} state */
export function weWon({ view, seats }) {
  return view.winners.some((seat) => seats[seat]?.mine);
}

/** Who won. @param {readonly Named[]} seats @param {readonly number[]} winners */
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
 * The headline, and sentences below it.
 * @param {State} state @param {SoloResult} [before] @returns {{headline: Words, sentences: Words[]}}
 */
export function endingWords(state, before = null) {
  const { headline, sentences } = resultWords(state, before);
  return { headline, sentences: [...sentences, ...rankInRatings(state)] };
}

/** @param {State} state @param {SoloResult} before @returns {{headline: Words, sentences: Words[]}} */
function resultWords(state, before) {
  const { view, seats, turns } = state;
  const mine = seats.flatMap(({ mine }, seat) => (mine ? [seat] : []));
  const won = winnersLine(seats, view.winners);
  const isSolo = seats.length === 1;
  /** @type {Words[]} */
  const sentences = view.hand_sizes.includes(0) ? [] : [[isSolo ? "end.solo_blocked" : "end.blocked"]];
  const [me] = mine;
  if (me === undefined || mine.length > 1) return { headline: won, sentences };
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
    if (view.winners.length > 1) return { headline: won, sentences };
    return { headline: ["end.you"], sentences: [...sentences, ...lead(state, me)] };
  }
  const short = -leadOf(state, me);
  const headline = short <= CLOSE ? "end.close" : "end.good_game";
  sentences.push(won);
  if (short > 0) sentences.push([view.rules.scoring ? "end.points_short" : "end.short", counted(short)]);
  return { headline: [headline], sentences };
}

/** Is a solo game better than all before it? @param {State} state @param {SoloResult} before */
function isBest({ view, turns }, before) {
  if (!before) return false;
  return view.rules.scoring ? (view.scores[0] ?? 0) > before.best : turns < before.best;
}

/** In a rated game, the rank that counts, and why it differs from the result at the table. @param {State} state @returns {Words[]} */
function rankInRatings(state) {
  const { places, seats } = state;
  const me = seats.findIndex(({ mine }) => mine);
  const rank = places?.[me];
  if (rank === undefined) return [];
  const worth = seats.map((_, seat) => worthOf(state, seat));
  const better = worth.filter((other) => other > (worth[me] ?? 0)).length;
  /** @type {Words} */
  const words = ["end.place", { n: rank, all: seats.length }];
  return rank > 1 + better ? [words, ["end.place_absent"]] : [words];
}

/** A number of tiles, in words if it's small, as far as hands usually go. @param {number} n */
function counted(n) {
  return { n, count: t("end.counts").split(",")[n - 1] ?? String(n) };
}

/** What to say about a win: how far ahead it was. @param {State} state @param {number} me @returns {Words[]} */
function lead(state, me) {
  const { view, seats } = state;
  if (view.rules.scoring) return [["end.points_ahead", { n: leadOf(state, me) }]];
  if (seats.length > 2) return [];
  const other = 1 - me;
  return [["end.left", { name: seatName(seats, other), n: view.hand_sizes[other] }]];
}

/** A seat's lead over the best other seat, in points or in tiles. @param {State} state @param {number} me */
function leadOf({ view }, me) {
  const worth = view.rules.scoring ? view.scores : view.hand_sizes.map((tiles) => -tiles);
  return (worth[me] ?? 0) - Math.max(...worth.filter((_, seat) => seat !== me));
}

/** A seat's points, and how they add up if leftovers cost some: "31 − 7 = 24 points". @param {State} state @param {number} seat */
export function pointsWords({ view, costs }, seat) {
  const n = view.scores[seat] ?? 0;
  const left = costs?.[seat]?.reduce((sum, cost) => sum + cost, 0);
  const points = t("seats.points", { n });
  return left === undefined ? points : `${n + left} − ${left} = ${points}`;
}

/**
 * How many games in a row I won, the latest first.
 * @param {readonly import("../types.js").Summary[]} games
 */
export function winsInARow(games) {
  const finished = games.filter(({ over, seats }) => over && seats.length > 1);
  const lost = finished.findIndex(({ seats, winners }) => !winners.some((seat) => seats[seat]?.mine));
  return lost < 0 ? finished.length : lost;
}

/** The seats, best first. @param {State} state */
export function ranked(state) {
  return state.seats.map((_, seat) => seat).sort((a, b) => worthOf(state, b) - worthOf(state, a));
}

/** How well a seat did at the table: more is better. @param {State} state @param {number} seat */
function worthOf({ view }, seat) {
  return (
    (view.winners.includes(seat) ? 1e6 : 0) +
    (view.rules.scoring ? (view.scores[seat] ?? 0) : -(view.hand_sizes[seat] ?? 0))
  );
}

/** Would the next game be unrated? Everyone has to agree to a rated one. @param {State} state */
export function isRematchUnrated({ rated, seats }) {
  return rated && seats.some(({ kind, mine }) => kind === "person" && !mine);
}
