/** A game that is about to be played but is not one of the server's: a dropped file, or what was written. */

/** @import { Check } from "./types.js" */

/** @typedef {{ name: string, text: string, check: Check }} PendingGame */

/** @type {PendingGame | null} */
let pending = null;

/** @param {PendingGame} game */
export function setPending(game) {
  pending = game;
}

export function takePending() {
  return pending;
}
