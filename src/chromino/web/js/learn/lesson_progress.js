/** Which steps of the lesson are done, kept in this browser. */

const KEY = "chromino.learned";

/** @returns {string[]} */
export function doneSteps() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // Without storage, or with something else in it.
  }
}

/** @param {string[]} names of steps */
export function saveDoneSteps(names) {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // A browser that keeps nothing still teaches.
  }
}
