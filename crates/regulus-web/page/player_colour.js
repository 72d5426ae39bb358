/** The colours of players: those of their pieces. */

/** @import { Look } from "./types.js" */

/** For players whose pieces cannot be told by their names. */
const OTHERS = ["#2f66c4", "#e07b28", "#2f8f4e", "#7d4ab0", "#e6bf2b", "#2fa9bd", "#dd7fa5", "#8b9099"];

/**
 * @param {string[]} players
 * @param {Look[]} looks
 * @returns {string[]}
 */
export function playerColours(players, looks) {
  return players.map((_, seat) => {
    const own = looks.find((look) => look.owner === seat && look.kind !== "none");
    return own?.fill ?? OTHERS[seat % OTHERS.length];
  });
}
