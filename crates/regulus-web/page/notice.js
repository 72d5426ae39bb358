/** Telling what went wrong, where it is read. */

import { h } from "./dom.js";

/**
 * A line for messages that takes its room from the beginning, so that nothing moves when it speaks.
 * @returns {{ element: HTMLElement, say: (text: string) => void, fail: (error: unknown) => void, clear: () => void }}
 */
export function notice() {
  const element = h("p", { class: "notice", role: "alert" });
  /** @param {string} text */
  const say = (text) => {
    element.textContent = text;
  };
  return {
    element,
    say,
    fail: (error) => say(error instanceof Error ? error.message : String(error)),
    clear: () => say(""),
  };
}
