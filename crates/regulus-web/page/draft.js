/** Rules that are being written. They are kept in the browser with every keystroke. */

import { remember, remembered } from "./settings.js";

/** What is there before anything was written: a game that can be played at once. */
const FIRST = `// My game: be the first to put three stones in a row.

#players = white(100), black(100)
#pieces = whiteStone, blackStone, empty
#variables =

#board = rectangle(up, down, left, right,
    [empty, empty, empty, empty]
    [empty, empty, empty, empty]
    [empty, empty, empty, empty])

#anySquare = ((up* + down*) (left* + right*))

#line(stone) = (
    left {stone} left {stone} + left {stone} right^2 {stone} + right {stone} right {stone}
  + up {stone} up {stone} + up {stone} down^2 {stone} + down {stone} down {stone})

#turn(me; opponent) =
    ->me anySquare {empty} [me~Stone]
    ({? line(me~Stone)} [$ me = 100, opponent = 0] ->> {} + {! line(me~Stone)})
    [$ me = 50, opponent = 50] ->>
    {? anySquare {empty}} // on a full board nobody can go on: a draw

#rules = (turn(white; black) turn(black; white))*
`;

export function draft() {
  return { name: remembered("draft.name", "my game"), text: remembered("draft.text", FIRST) };
}

/**
 * True if it could be kept.
 * @param {string} name
 * @param {string} text
 */
export function setDraft(name, text) {
  return remember("draft.name", name) && remember("draft.text", text);
}
