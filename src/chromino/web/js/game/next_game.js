/** What to do after a game: the same again, against stronger bots, or something else. */

import { say } from "../browser/announce.js";
import { h } from "../browser/dom.js";
import { change, settings } from "../browser/settings.js";
import { t } from "../language/i18n.js";
import { problemKey } from "../page/problem.js";
import { pathWords } from "../review/bot_ladder.js";
import { myPath } from "../server/api.js";
import { rematch, startGame } from "../server/dealing.js";
import { weWon } from "./ending.js";

/** @typedef {import("../types.js").State} State */

/**
 * @param {import("./game_page.js").GamePage} page
 * @param {State} state
 * @returns {{label: string, go: () => void}[]} the best first
 */
export function nextSteps(page, state) {
  const level = onlyBotLevel(state);
  if (state.watching) return [replay(page, state), review(page, state), { label: "nav.home", go: () => page.go("/") }];
  return [
    { label: state.next_game ? "end.join_rematch" : "end.again", go: () => void playAgain(page, state) },
    ...(level && level < 5 && weWon(state)
      ? [{ label: "end.stronger", go: () => void playStronger(page, state) }]
      : []),
    { label: "end.look", go: () => {} },
    ...(state.seats.length > 1 ? [review(page, state)] : []), // A solo game has no review here.
    replay(page, state),
    { label: "nav.home", go: () => page.go("/") },
  ];
}

/** @param {import("./game_page.js").GamePage} page @param {State} state */
function replay(page, { game }) {
  return { label: "end.replay", go: () => page.go(`/replay/${game}`) };
}

/** @param {import("./game_page.js").GamePage} page @param {State} state */
function review(page, { game }) {
  return { label: "end.review", go: () => page.go(`/review/${game}`) };
}

/**
 * Play again with the same people; the second to ask joins the first.
 * @param {import("./game_page.js").GamePage} page
 * @param {State} state
 */
async function playAgain(page, { game }) {
  await goTo(page, () => rematch(game));
}

/**
 * Open what begins, or say why nothing does.
 * @param {import("./game_page.js").GamePage} page
 * @param {() => Promise<string>} begin gives its address
 */
async function goTo(page, begin) {
  try {
    page.go(await begin());
  } catch (error) {
    page.play.refuse(problemKey(error));
  }
}

/** Somebody wants a rematch: offer it in the dialog at the end. @param {import("./game_page.js").GamePage} page */
export function tellRematch(page) {
  say(t("end.rematch_wanted"));
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector(".dialog.ending"));
  if (!dialog) return;
  dialog.close();
  page.openEnding();
}

/** After a game against one bot, suggest the next one. @param {State} state @param {HTMLDialogElement} dialog */
export async function tellPath(state, dialog) {
  if (state.watching || state.seats.length !== 2 || !onlyBotLevel(state)) return;
  const path = await myPath().catch(() => null);
  if (path) dialog.querySelector(".result")?.after(h("p", { class: "path-words" }, pathWords(path)));
}

/** The level of the bots, if it is one person against bots of one level. @param {State} state */
function onlyBotLevel({ seats }) {
  const levels = new Set(seats.map(({ level }) => level).filter((level) => level !== null));
  return seats.filter(({ mine }) => mine).length === 1 && levels.size === 1 ? [...levels][0] : null;
}

/**
 * The same rules against bots of the next level.
 * @param {import("./game_page.js").GamePage} page
 * @param {State} state
 */
async function playStronger(page, { seats, view, aids, pace }) {
  const chosen = seats.map(({ bot, name, level }) =>
    bot
      ? { kind: /** @type {const} */ ("bot"), name, level: Math.min(5, (level ?? 1) + 1) }
      : { kind: /** @type {const} */ ("me"), name },
  );
  const first = (view.first + 1) % seats.length;
  change({ level: Math.min(5, settings.level + 1) });
  await goTo(page, async () => `/game/${await startGame({ seats: chosen, rules: view.rules, first, aids, pace })}`);
}
