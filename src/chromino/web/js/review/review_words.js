/** A review in words and numbers: how the game ended, what the choices cost, and what else led to the result. */

import { joinSentences, t } from "../language/i18n.js";
import { placeWords, seatName } from "../language/words.js";
import { positionAfter } from "../replay/record.js";
import { parsePlacement } from "../table/geometry.js";
import { measureNamed } from "./review_measure.js";

/** @typedef {import("../types.js").Review} Review */
/** @typedef {import("../types.js").Choice} Choice */
/** @typedef {import("../replay/record.js").Record} Record */

/** What a review measures, and how its values are written. @param {Review} review */
export function measureOfReview({ measure, seats }) {
  return measureNamed(measure, seats.length === 1);
}

/** "You won." @param {Review} review @param {Record} record */
export function resultWords(review, record) {
  const { seat, seats } = review;
  const who = seats[seat]?.mine ? "you" : "they";
  const sentences = [t(`outcome.${who}_${outcome(review, record)}`, { name: seatName(seats, seat) })];
  if (seats.length === 1)
    sentences.push(t("end.turns", { n: record.events.filter(({ draw }) => draw === undefined).length }));
  return joinSentences(sentences);
}

/** Did this seat win? @param {Review} review @param {Record} record @returns {"won" | "shared" | "lost"} */
function outcome({ measure, result, seats, seat }, record) {
  if (seats.length === 1) {
    const left = positionAfter(record, record.events.length).hands[seat];
    return left?.length ? "lost" : "won"; // You win a solo game by running out of tiles, whatever your points.
  }
  if (measure === "points") return result > 0 ? "won" : result < 0 ? "lost" : "shared";
  return result === 1 ? "won" : result === 0 ? "lost" : "shared";
}

/** The headline: what the choices that clearly cost something cost together. @param {Review} review @returns {{number: string, words: string}} */
export function headline(review) {
  const { amount, shortAmount } = measureOfReview(review);
  const error = shortAmount(review.cost.error);
  return {
    number: amount(review.cost.mean),
    words: t(review.choices.some(({ clear }) => clear) ? "review.headline" : "review.nothing_costly", { error }),
  };
}

/** A sentence about luck and choices. @param {Review} review */
export function summaryWords(review) {
  const { gains, seats } = review;
  const { gain } = measureOfReview(review);
  const luck = gain(gains.deal.mean + gains.draw.mean);
  const choices = gain(gains.choice.mean);
  if (seats.length === 1) return t("review.summary_solo", { luck, choices });
  return t("review.summary", { luck, choices, others: gain(gains.others.mean) });
}

/**
 * The breakdown, line by line, from the expected value to the result.
 * @param {Review} review @returns {[key: string, words: string][]}
 */
export function gainLines(review) {
  const { gains, result, fair, seats } = review;
  const { withError, value, fair: fairKey } = measureOfReview(review);
  /** @type {[string, string][]} */
  const lines = [
    [fairKey, value(fair)],
    ["gain.deal", withError(gains.deal)],
    ["gain.draw", withError(gains.draw)],
    ["gain.choice", withError(gains.choice)],
    ["gain.others", withError(gains.others)],
    ["gain.result", value(result)],
  ];
  return lines.filter(([key]) => seats.length > 1 || key !== "gain.others");
}

/** The name of a point in the chart. @param {Review} review @param {Choice} choice */
export function chartPointWords(review, { version, value, cost, clear }) {
  const measure = measureOfReview(review);
  const values = { n: version + 1, value: measure.value(value.mean), cost: measure.amount(cost) };
  return t(clear ? "review.point_cost" : "review.point", values);
}

/**
 * A sentence about a choice. It names the places, for people who can't see the table.
 * @param {Review} review @param {Choice} choice
 */
export function moveWords(review, { version, chosen, best, value, best_value, clear }) {
  const measure = measureOfReview(review);
  const values = {
    n: version + 1,
    place: placeWords(parsePlacement(chosen)),
    value: measure.value(value.mean),
    better: placeWords(parsePlacement(best)),
    best: measure.value(best_value.mean),
  };
  return t(clear ? "review.move_better" : "review.move_good", values);
}
