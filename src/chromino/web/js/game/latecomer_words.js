/** Words for people who arrive after the deal, depending on what they can still do. */

import { personName } from "../language/words.js";

/**
 * The title and the text, as catalog keys. isOpen: can they take a seat or ask to join the next game? isWaiting: have
 * they already asked to join it?
 * @param {import("../types.js").Latecomers} late
 * @returns {{title: string, about: string, isOpen: boolean, isWaiting: boolean}}
 */
export function lateWords({ seats, can_wait, waiting, over, watch }) {
  const isWaiting = waiting.some(({ mine }) => mine);
  const isOpen = seats.length > 0 || (can_wait && !isWaiting);
  return {
    title: isWaiting ? "late.in" : over ? "late.over" : "late.title",
    about: isWaiting
      ? "late.waiting"
      : seats.length
        ? "late.about_seats"
        : can_wait
          ? "late.about_next"
          : watch
            ? over
              ? "late.about_over"
              : "late.about_watch"
            : "late.about_closed",
    isOpen,
    isWaiting,
  };
}

/** The names of those who are joining the next game. @param {Pick<import("../types.js").Latecomers, "waiting">} late */
export function nextGameNames({ waiting }) {
  return waiting.map(({ name, program }) => personName(name, program));
}

/**
 * News for the players: who has taken over from a bot, and who wants to join the next game.
 * @param {import("../types.js").State | null} before @param {import("../types.js").State} now
 * @returns {[key: string, values: Record<string, any>][]}
 */
export function lateNews(before, now) {
  if (!before) return [];
  const newPlayers = now.seats.filter(({ bot, mine }, seat) => !bot && !mine && before.seats[seat]?.bot);
  const alreadyWaiting = nextGameNames(before.latecomers);
  const newlyWaiting = nextGameNames(now.latecomers).filter((name) => !alreadyWaiting.includes(name));
  return [
    ...newPlayers.map(({ name }) => /** @type {[string, {name: string}]} */ (["late.took", { name }])),
    ...newlyWaiting.map((name) => /** @type {[string, {name: string}]} */ (["late.waits", { name }])),
  ];
}
