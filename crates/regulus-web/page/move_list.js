/** The moves of a game; each leads to the position after it. */

/** @import { View } from "./types.js" */
import { button, h } from "./dom.js";
import { readable } from "./words.js";

export class MoveList {
  /** @param {(ply: number) => void} go */
  constructor(go) {
    this.go = go;
    this.shown = "";
    this.list = h("ol", { class: "moves", tabindex: "0", "aria-label": "Moves" });
    this.element = h("section", { class: "moves-part" }, h("h2", {}, "Moves"), this.list);
  }

  /** @param {View} view */
  show(view) {
    const text = JSON.stringify(view.moves);
    if (text !== this.shown) {
      this.shown = text;
      const items = view.moves.map((move, index) =>
        h(
          "li",
          {},
          button(`${index + 1}. ${view.game.players[move.player] ?? ""} ${readable(move.text)}`, () => this.go(index + 1)),
        ));
      this.list.replaceChildren(
        h("li", {}, button("The beginning", () => this.go(0))),
        ...items,
      );
    }
    [...this.list.children].forEach((item, ply) => {
      const here = item.firstElementChild;
      if (ply === view.ply) here?.setAttribute("aria-current", "step");
      else here?.removeAttribute("aria-current");
    });
    const now = /** @type {HTMLElement | undefined} */ (this.list.children[view.ply]);
    if (now) this.list.scrollTop = now.offsetTop - this.list.clientHeight / 2;
  }
}
