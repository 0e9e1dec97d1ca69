/** The steps of the lesson that are done, stored in this browser. */

import { readStored, store } from "../browser/storage.js";

const KEY = "chromino.learned";

/** @returns {string[]} names of steps */
export function doneSteps() {
  const saved = readStored(KEY);
  return Array.isArray(saved) ? saved : [];
}

/** @param {string[]} names of steps */
export function saveDoneSteps(names) {
  store(KEY, names);
}
