/** The seed hashes that servers published before dealing, stored here so that a server can't change them later. */

import { readStored, store } from "../browser/storage.js";

const KEY = "chromino-hashes";
const MOST = 200; // Games that are remembered.

/** @returns {[string, string][]} game and hash, the oldest first */
function stored() {
  return readStored(KEY) ?? [];
}

/** @param {import("../types.js").State} state of a game that goes on */
export function rememberHash({ game, seed_hash }) {
  const hashes = stored();
  if (hashes.some(([known]) => known === game)) return;
  store(KEY, [...hashes, [game, seed_hash]].slice(-MOST));
}

/** The hash that was published for a game, if this browser saw it. @param {string} game */
export function publishedHash(game) {
  return stored().find(([known]) => known === game)?.[1] ?? null;
}
