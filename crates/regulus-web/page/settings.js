/** What the page remembers in the browser. */

/**
 * @param {string} key
 * @param {string} otherwise
 */
export function remembered(key, otherwise) {
  try {
    return localStorage.getItem(`regulus.${key}`) ?? otherwise;
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
    localStorage.setItem(`regulus.${key}`, value);
    return true;
  } catch {
    return false;
  }
}
