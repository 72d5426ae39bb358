/** Buttons for those who have no keyboard. */

import { h } from "./dom.js";

const BUTTONS = /** @type {const} */ ([
  ["U", "▲", "Up", "pad-up"],
  ["L", "◀", "Left", "pad-left"],
  ["R", "▶", "Right", "pad-right"],
  ["D", "▼", "Down", "pad-down"],
  ["S", "●", "Use or shoot", "pad-use"],
]);

/**
 * @param {{ press: (action: string) => void, release: (action: string) => void }} listener
 */
export function pad(listener) {
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  for (const [action, sign, name, place] of BUTTONS) {
    const button = h("button", { type: "button", class: place, "aria-label": name, "data-action": action }, sign);
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      listener.press(action);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, () => listener.release(action));
    }
    // From the keyboard, where nothing is held.
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      listener.press(action);
      listener.release(action);
    });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    buttons.set(action, button);
  }
  return {
    element: h("div", { class: "pad", role: "group", "aria-label": "Controls" }, ...buttons.values()),
    /**
     * @param {string} actions that there are
     * @param {boolean} on
     */
    show(actions, on) {
      for (const [action, button] of buttons) button.disabled = !on || !actions.includes(action);
    },
  };
}
