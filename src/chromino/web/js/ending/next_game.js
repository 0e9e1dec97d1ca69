/** What you can do after a game: play again, play stronger bots, review the game, and so on. */

import { say } from "../browser/announce.js";
import { h } from "../browser/dom.js";
import { changeSettings } from "../browser/settings.js";
import { joinSentences, t } from "../language/i18n.js";
import { problemKey } from "../page/problem.js";
import { ladderWords } from "../review/bot_ladder.js";
import { myGames, myLadder, myOffers } from "../server/api.js";
import { acceptRematch, declineRematch, rematch, startGame } from "../server/dealing.js";
import { isRematchUnrated, weWon, winsInARow } from "./ending_words.js";

/** @typedef {import("../types.js").State} State */

/** @typedef {import("../game/game_page.js").GamePage} GamePage */
/** @typedef {import("./ending.js").Step} Step */

/**
 * The steps to offer: the best one as the main button, two others next to it, and the rest under "More".
 * @param {GamePage} page @param {State} state @returns {{best: Step, others: Step[], more: Step[]}}
 */
export function nextSteps(page, state) {
  const { game, seats } = state;
  const replay = { label: "end.replay", go: () => page.go(`/replay/${game}`) };
  const review = { label: "end.review", go: () => page.go(`/review/${game}`) };
  const share = {
    label: "end.share",
    go: () => void import("./share_game.js").then((m) => m.shareGame(state)),
    stays: true,
  };
  const home = { label: "nav.home", go: () => page.go("/") };
  const reviews = seats.length > 1 ? [review] : []; // Solo games don't offer a review here.
  const next = state.next_game;
  const follow = { label: "end.follow", go: () => page.go(`/join/${next}`) };
  const isJoining = state.latecomers.waiting.some(({ mine }) => mine);
  if (state.watching && !(isJoining && next)) {
    return { best: next ? follow : replay, others: [...reviews, share], more: next ? [replay, home] : [home] };
  }
  const [againLabel, joinLabel] = isRematchUnrated(state)
    ? ["end.again_unrated", "end.join_rematch_unrated"]
    : ["end.again", "end.join_rematch"];
  const again = next
    ? { label: joinLabel, go: () => void goTo(page, () => acceptRematch(next)) }
    : { label: againLabel, go: () => void playAgain(page, state) };
  const decline = { label: "join.decline", go: () => void declineAndSay(page, next ?? "") };
  const level = onlyBotLevel(state);
  /** @param {number} next */
  const stronger = (next) => ({ label: "end.stronger", go: () => void playStronger(page, state, next) });
  return {
    best: again,
    others: next ? [decline, share] : [...reviews, share],
    more: [
      ...(next ? reviews : []),
      ...(level && level < 5 && weWon(state) ? [stronger(level + 1)] : []),
      replay,
      home,
    ],
  };
}

/**
 * Play again with the same people. If someone else has already asked for a rematch, join them.
 * @param {GamePage} page @param {State} state
 */
async function playAgain(page, { game }) {
  await goTo(page, () => rematch(game));
}

/** @param {GamePage} page @param {string} next */
async function declineAndSay(page, next) {
  await declineRematch(next).then(
    () => say(t("end.declined")),
    (error) => page.play.sayProblem(problemKey(error)),
  );
}

/**
 * Open the next game or table, or say why that's not possible.
 * @param {GamePage} page
 * @param {() => Promise<string>} begin starts it and returns its address
 */
async function goTo(page, begin) {
  try {
    page.go(await begin());
  } catch (error) {
    page.play.sayProblem(problemKey(error));
  }
}

/** Someone wants a rematch: offer it in the sheet, or announce it if the sheet is closed. @param {GamePage} page */
export function announceRematch(page) {
  const sheet = /** @type {HTMLDialogElement | null} */ (document.querySelector(".ending"));
  if (!sheet) return void rematchWords(page.state?.next_game ?? "").then((words) => words && say(words));
  sheet.close();
  sheet.remove();
  void page.openEnding();
}

/** Who wants a rematch, in words; empty if the offer is gone. @param {string} next the rematch's id */
async function rematchWords(next) {
  const offer = (await myOffers().catch(() => [])).find(({ game }) => game === next);
  return offer ? t("end.rematch_by", { name: offer.by }) : "";
}

/** Say above the buttons who wants a rematch. @param {State} state @param {HTMLDialogElement} sheet */
export async function showWhoAsks({ next_game, watching }, sheet) {
  if (!next_game || watching) return;
  const words = await rematchWords(next_game);
  if (!words) return;
  sheet.querySelector(".ending-steps")?.prepend(h("p", { class: "rematch-asked" }, words));
  say(words);
}

/**
 * Add what earlier games tell us: wins in a row and, after a game against one bot, which bot to play next.
 * @param {State} state @param {HTMLDialogElement} sheet
 */
export async function addHistory(state, sheet) {
  if (state.watching || state.seats.length < 2 || state.seats.filter(({ mine }) => mine).length > 1) return;
  const isLadder = state.seats.length === 2 && onlyBotLevel(state);
  const [recent, ladder] = await Promise.all([
    weWon(state) ? myGames().catch(() => null) : null,
    isLadder ? myLadder().catch(() => null) : null,
  ]);
  const inARow = recent ? winsInARow(recent.games) : 0;
  const words = [...(inARow > 1 ? [t("end.in_a_row", { n: inARow })] : []), ...(ladder ? [ladderWords(ladder)] : [])];
  if (words.length) sheet.querySelector(".result")?.after(h("p", { class: "ladder-words" }, joinSentences(words)));
}

/** The level of the bots, if one person played only bots of the same level. @param {State} state */
function onlyBotLevel({ seats }) {
  const [level, ...others] = new Set(seats.filter(({ mine }) => !mine).map((seat) => seat.level)); // People have none.
  return seats.filter(({ mine }) => mine).length === 1 && !others.length ? level : null;
}

/**
 * Play by the same rules against bots of this level. The home page will offer it, too.
 * @param {GamePage} page @param {State} state @param {number} level
 */
async function playStronger(page, { seats, view, aids, pace }, level) {
  const chosen = seats.map(({ bot, name }) =>
    bot ? { kind: /** @type {const} */ ("bot"), name, level } : { kind: /** @type {const} */ ("me"), name },
  );
  const first = (view.first + 1) % seats.length;
  changeSettings({ level });
  await goTo(page, async () => `/game/${await startGame({ seats: chosen, rules: view.rules, first, aids, pace })}`);
}
