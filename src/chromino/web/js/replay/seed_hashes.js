/**
 * What the server showed at the start of each game: the seed's hash and the tiles. It's stored in this browser, so that
 * the server can't change it later.
 */

import { readStored, store } from "../browser/storage.js";

const KEY = "chromino-hashes";
const MAX_GAMES = 200; // How many games to remember.

/** @typedef {{laid: string, dealt: (string[] | null)[]}} SeenStart The first placement, and the hands in view. */

/** @returns {[game: string, hash: string, start?: SeenStart][]} oldest first */
function stored() {
  return readStored(KEY) ?? [];
}

/** Store how a game started. @param {import("../types.js").State} state of a game in progress */
export function rememberStart({ game, seed_hash, view }) {
  const hashes = stored();
  if (hashes.some(([id]) => id === game)) return;
  const start = { laid: view.table.split(" ", 1)[0], dealt: view.dealt };
  store(KEY, [...hashes, [game, seed_hash, start]].slice(-MAX_GAMES));
}

/** The hash that was published for a game, if this browser saw it. @param {string} game */
export function publishedHash(game) {
  return stored().find(([id]) => id === game)?.[1] ?? null;
}

/** What was on the table and in the hands at the start, if this browser saw it. @param {string} game */
export function seenStart(game) {
  return stored().find(([id]) => id === game)?.[2] ?? null;
}
