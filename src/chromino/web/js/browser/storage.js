/** The browser's storage. Without one the page still works: reading finds nothing, and writing does nothing. */

/** @param {string} key @returns {any} the stored value, or null if there's none that can be read */
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
    // No storage, or no room in it.
  }
}

export function clearStored() {
  try {
    localStorage.clear();
  } catch {
    // There's nothing to clear.
  }
}
