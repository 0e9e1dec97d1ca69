/** What servers said at the start of a game, stored here so that they can't change it later: the seed's hash and the tiles. */

import { readStored, store } from "../browser/storage.js";

const KEY = "chromino-hashes";
const MAX_GAMES = 200; // To remember.

/** @typedef {{laid: string, dealt: (string[] | null)[]}} SeenStart The first placement, and the hands that were shown. */

/** @returns {[game: string, hash: string, start?: SeenStart][]} the oldest first */
function stored() {
  return readStored(KEY) ?? [];
}

/** @param {import("../types.js").State} state of a game in progress */
export function rememberStart({ game, seed_hash, view }) {
  const hashes = stored();
  if (hashes.some(([known]) => known === game)) return;
  const start = { laid: view.table.split(" ", 1)[0], dealt: view.dealt };
  store(KEY, [...hashes, [game, seed_hash, start]].slice(-MAX_GAMES));
}

/** The hash that was published for a game, if this browser saw it. @param {string} game */
export function publishedHash(game) {
  return stored().find(([known]) => known === game)?.[1] ?? null;
}

/** What was on the table and in the hands at the start, if this browser saw it. @param {string} game */
export function seenStart(game) {
  return stored().find(([known]) => known === game)?.[2] ?? null;
}
