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

/** Words that titles write small. */
const SMALL = new Set(["a", "and", "of", "the", "to"]);

/**
 * `the-mill-game` as a title.
 * @param {string} name
 */
export function titled(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[-_ ]+/)
    .map((word, index) => (index > 0 && SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

/**
 * `whiteUnmovedKing` in words.
 * @param {string} name
 */
export function spaced(name) {
  return name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
}

/**
 * Vertices of rectangles, hexagons and cuboids without the letter that says which of these they are of, as they are
 * written at the margin of the board: `rx3y4` is x3y4.
 * @param {string} text
 */
export function readable(text) {
  return text.replace(/\b[rhc](x\d+y\d+(?:z\d+)?)\b/g, "$1");
}
