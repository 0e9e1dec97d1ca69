/** Hashes of seeds as they were published before the deal, kept by this browser: a server cannot change them later. */

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

/** The hash that this browser saw before the deal was known, if it did. @param {string} game */
export function publishedHash(game) {
  return stored().find(([known]) => known === game)?.[1] ?? null;
}
