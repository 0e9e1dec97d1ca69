/** What to do after a game: the same again, against stronger bots, or something else. */

import { ApiError, startGame } from "./api.js";
import { weWon } from "./ending.js";
import { change, settings } from "./settings.js";

/** @typedef {import("./types.js").State} State */

/** @param {import("./game.js").GamePage} page @param {State} state @returns {{label: string, go: () => void}[]} the best first */
export function waysOn(page, state) {
  const level = onlyBotLevel(state);
  return [
    { label: "end.again", go: () => void again(page, state, 0) },
    ...(level && level < 5 && weWon(state) ? [{ label: "end.stronger", go: () => void again(page, state, 1) }] : []),
    { label: "end.look", go: () => {} },
    { label: "nav.home", go: () => page.go("/") },
  ];
}

/** The level of the bots, if it is one person against bots of one level. @param {State} state */
function onlyBotLevel({ seats }) {
  const levels = new Set(seats.map(({ level }) => level).filter((level) => level !== null));
  return seats.filter(({ mine }) => mine).length === 1 && levels.size === 1 ? [...levels][0] : null;
}

/**
 * The same seats and rules again; the next player begins.
 * @param {import("./game.js").GamePage} page @param {State} state @param {number} stronger levels to add
 */
async function again(page, { seats, view, aids, pace }, stronger) {
  const me = seats.findIndex(({ mine }) => mine);
  const chosen = seats.map(({ bot, name, level }, seat) =>
    bot
      ? { kind: /** @type {const} */ ("bot"), name, level: Math.min(5, (level ?? 1) + stronger) }
      : { kind: seat === me ? /** @type {const} */ ("me") : /** @type {const} */ ("here"), name },
  );
  const first = (view.first + 1) % seats.length;
  try {
    const game = await startGame({ seats: chosen, rules: view.rules, first, aids, pace });
    if (stronger) change({ level: Math.min(5, settings.level + stronger) });
    page.go(`/game/${game}`);
  } catch (error) {
    page.refuse(`problem.${error instanceof ApiError ? error.code : "failed"}`);
  }
}
