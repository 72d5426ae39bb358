/** Names and sentences as people read them. */

/**
 * With a capital letter, and a full stop unless it is a label of one or two words.
 * @param {string} text
 */
export function sentence(text) {
  const label = text.split(" ").length < 3;
  const ended = label || /[.!?…:]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

/**
 * `the-mill-game` as a title.
 * @param {string} name
 */
export function titled(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[-_ ]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/**
 * `whiteUnmovedKing` in words.
 * @param {string} name
 */
export function spaced(name) {
  return name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
}
