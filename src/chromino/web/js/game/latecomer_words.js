/** What to tell people who come after the deal, depending on what they can still do. */

import { personName } from "../language/words.js";

/**
 * @param {import("../types.js").Latecomers} late
 * @returns {{title: string, about: string, isOpen: boolean, isWaiting: boolean}} keys; is there anything to ask for?
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
            ? "late.about_watch"
            : "late.about_closed",
    isOpen,
    isWaiting,
  };
}

/** Who joins the next game. @param {Pick<import("../types.js").Latecomers, "waiting">} late */
export function nextGameNames({ waiting }) {
  return waiting.map(({ name, program }) => personName(name, program));
}

/**
 * What's new for those who play: who took over from a bot, and who joins the next game.
 * @param {import("../types.js").State | null} before @param {import("../types.js").State} now
 * @returns {[key: string, values: Record<string, any>][]}
 */
export function lateNews(before, now) {
  if (!before) return [];
  const came = now.seats.filter(({ bot, mine }, seat) => !bot && !mine && before.seats[seat]?.bot);
  const known = nextGameNames(before.latecomers);
  const waits = nextGameNames(now.latecomers).filter((name) => !known.includes(name));
  return [
    ...came.map(({ name }) => /** @type {[string, {name: string}]} */ (["late.took", { name }])),
    ...waits.map((name) => /** @type {[string, {name: string}]} */ (["late.waits", { name }])),
  ];
}
