/** What is said over a level while it is not played. */

import { button, h } from "./dom.js";

/**
 * What there is to say: nothing, that it can begin, that it is paused, or how it ended.
 * @typedef {{ kind: "none" | "ready" | "stopped" } |
 *   { kind: "over", result: string | null, score: number, ticks: number, human: boolean, next: boolean, run: number }} Announcement
 */

/** @param {{ go: () => void, again: () => void, next: () => void, film: () => void }} actions */
export function overlay(actions) {
  const element = h("div", { class: "overlay", hidden: true });
  let shown = "";
  return {
    element,
    /** @param {Announcement} what */
    show(what) {
      const key = JSON.stringify(what);
      if (key === shown) return;
      shown = key;
      element.hidden = what.kind === "none";
      element.className = `overlay ${what.kind === "over" ? what.result : ""}`;
      if (what.kind === "ready") {
        element.replaceChildren(
          h("p", { class: "verdict-line" }, "Ready?"),
          h("p", {}, "An arrow key begins. Arrows or W A S D move, Space uses, P pauses."),
          button("Start", actions.go, { class: "primary" }),
        );
      } else if (what.kind === "stopped") {
        element.replaceChildren(h("p", { class: "verdict-line" }, "Paused"), button("Go on", actions.go, { class: "primary" }));
      } else if (what.kind === "over") {
        const won = what.result === "won";
        const words = what.human ? (won ? "You have won!" : "You have lost.") : won ? "Won!" : "Lost.";
        const next = won && what.next;
        element.replaceChildren(
          h("p", { class: "verdict-line" }, words),
          h("p", {}, `Score ${what.score} after ${what.ticks} ticks.`),
          h(
            "div",
            { class: "row" },
            next && button("Next level", actions.next, { class: "primary" }),
            button(what.human ? "Try again" : "Again", actions.again, { class: next ? "" : "primary" }),
            button("Watch again", actions.film),
          ),
        );
      }
    },
  };
}
