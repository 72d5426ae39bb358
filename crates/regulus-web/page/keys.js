/** What the player wants to do, from keys and buttons that are held or were pressed shortly. */

/** Keys and their actions, by the place on the keyboard. */
const KEYS = /** @type {{ [code: string]: string }} */ ({
  ArrowUp: "U",
  ArrowLeft: "L",
  ArrowDown: "D",
  ArrowRight: "R",
  KeyW: "U",
  KeyA: "L",
  KeyS: "D",
  KeyD: "R",
  Space: "S",
});

/**
 * The action of a key; nothing if it has none.
 * @param {KeyboardEvent} event
 * @returns {string | undefined}
 */
export function actionOf(event) {
  return event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.code];
}

export class Held {
  constructor() {
    /** Actions that are held, the last one at the end. @type {string[]} */
    this.down = [];
    /** Pressed since the last tick, perhaps released already. @type {string | null} */
    this.tapped = null;
  }

  /** @param {string} action */
  press(action) {
    this.release(action);
    this.down.push(action);
    this.tapped = action;
  }

  /** @param {string} action */
  release(action) {
    this.down = this.down.filter((other) => other !== action);
  }

  clear() {
    this.down = [];
    this.tapped = null;
  }

  /** What is to be done in the next tick. */
  next() {
    const action = this.tapped ?? this.down.at(-1) ?? "N";
    this.tapped = null;
    return action;
  }
}
