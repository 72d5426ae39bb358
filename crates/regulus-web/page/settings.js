/** What the page remembers in the browser. */

/**
 * The name by which the browser keeps it.
 * @param {string} key
 */
export function storedAs(key) {
  return `regulus.${key}`;
}

/**
 * @param {string} key
 * @param {string} otherwise
 */
export function remembered(key, otherwise) {
  try {
    return localStorage.getItem(storedAs(key)) ?? otherwise;
  } catch {
    return otherwise; // A browser may forbid it; the page works without.
  }
}

/**
 * True if it could be kept.
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(storedAs(key), value);
    return true;
  } catch {
    return false;
  }
}
