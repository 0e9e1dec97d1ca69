/** Starts games with joint deals: commits to a part, and reveals it once everyone has committed. */

import { keepPart, newPart, partToReveal, wasStopped } from "../replay/fair_deal.js";
import { sha256 } from "../replay/sha256.js";
import { ApiError, askForRematch, createGame, createGathering, step } from "./api.js";

/**
 * @typedef {import("../types.js").Created} Created
 * @typedef {import("../types.js").DealTerms} DealTerms
 */

const MOVED_ON = ["stale", "no-such-gathering"]; // The table has changed; its next state shows how.

/**
 * Open a table and contribute to its deal. If nobody else has to contribute, the game starts.
 * @param {(commitment: string) => Promise<Created>} request
 * @param {boolean} [isRematch]
 * @returns {Promise<{game: string, hasStarted: boolean}>}
 */
async function create(request, isRematch = false) {
  const part = newPart();
  const { game, deal } = await request(sha256(part));
  if (deal || !isRematch) keepPart(game, part); // If someone asked for the rematch before me, my part isn't used.
  return { game, hasStarted: deal ? await takePart(game, deal) : false };
}

/** @type {Promise<{game: string}> | null} */
let starting = null;

/**
 * Start a game. A second click while it's starting gets the same game.
 * @param {import("../types.js").NewGame} newGame
 * @returns {Promise<string>} its id
 */
export async function startGame(newGame) {
  starting ??= create((commitment) => createGame({ ...newGame, commitment })).finally(() => (starting = null));
  return (await starting).game;
}

/** @type {Promise<{game: string}> | null} */
let gathering = null;

/**
 * Open a gathering for friends.
 * @param {import("../types.js").NewGathering} newGathering
 * @returns {Promise<string>} its id
 */
export async function gather(newGathering) {
  gathering ??= create((commitment) => createGathering({ ...newGathering, commitment })).finally(
    () => (gathering = null),
  );
  return (await gathering).game;
}

/**
 * Ask for a rematch, and return the address of the new game. If others have to agree, return the table's address.
 * @param {string} game
 */
export async function rematch(game) {
  const next = await create((commitment) => askForRematch(game, commitment), true);
  return `/${next.hasStarted ? "game" : "join"}/${next.game}`;
}

/** Accept a rematch that someone else has offered, and return its table's address. @param {string} next its id */
export async function acceptRematch(next) {
  // If you've already accepted, or it's too late, the table's page says so.
  await step(next, "commit", { commitment: newCommitment(next) }).catch(ignoreRefusal);
  return `/join/${next}`;
}

/** @param {string} next */
export async function declineRematch(next) {
  await step(next, "leave").catch(ignoreRefusal);
}

/** @param {unknown} error */
function ignoreRefusal(error) {
  if (!(error instanceof ApiError) || error.code === "away") throw error;
}

/** Make a new part, store it, and return its commitment. @param {string} game */
export function newCommitment(game) {
  return keepPart(game, newPart());
}

/**
 * Contribute to a table's deal: commit, then reveal. If an earlier deal was stopped, the person has to agree to
 * another one.
 * @param {string} game @param {DealTerms} terms @param {boolean} [isAgreed] has the person agreed?
 * @param {(table: import("../types.js").GatheringState) => void} [onCommit] called with the table's state after the
 * commitment; older states may still arrive later
 * @returns {Promise<boolean>} whether the game has started
 */
export async function takePart(game, terms, isAgreed = false, onCommit = () => {}) {
  try {
    let current = terms;
    if (current.mine !== null && !current.commitments[current.mine]) {
      if (wasStopped(game, current) && !isAgreed) return false;
      const table = await step(game, "commit", { commitment: newCommitment(game) });
      onCommit(table);
      current = table.deal;
    }
    const part = partToReveal(game, current);
    return part !== null && (await step(game, "reveal", { part })).deal === null;
  } catch (error) {
    if (error instanceof ApiError && MOVED_ON.includes(error.code)) return false;
    throw error;
  }
}
