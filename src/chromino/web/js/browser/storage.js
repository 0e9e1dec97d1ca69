/** The browser's storage. The page works without it, too: reading finds nothing, and writing does nothing. */

/** @param {string} key @returns {any} the stored value; null if there's none or it can't be read */
export function readStored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // There's no storage, or it's full.
  }
}

export function clearStored() {
  try {
    localStorage.clear();
  } catch {
    // There's nothing to clear.
  }
}
