/** What an agent thought about its last action. */

/** @import { VideoThought } from "./video_types.js" */
import { h, setText } from "./dom.js";

const ACTIONS = /** @type {{ [letter: string]: string }} */ ({ N: "nothing", U: "up", L: "left", D: "down", R: "right", S: "use" });

export class ThoughtView {
  constructor() {
    this.figures = h("p", { class: "quiet-text" });
    this.rows = h("tbody");
    this.element = h(
      "section",
      { class: "thinking thoughts", "aria-label": "What the agent thinks" },
      h("h2", {}, "What it thinks"),
      this.figures,
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Action"), h("th", {}, "Visits"), h("th", {}, "Value"))), this.rows),
    );
    this.forget();
  }

  forget() {
    setText(this.figures, "Nothing yet.");
    this.rows.replaceChildren();
  }

  /** @param {VideoThought} thought */
  show(thought) {
    const searched = thought.iterations > 0 ? `${thought.iterations.toLocaleString("en")} iterations, ${thought.model_ticks.toLocaleString("en")} ticks tried` : "no search";
    setText(this.figures, `Tick ${thought.tick}: ${ACTIONS[thought.action] ?? thought.action}; ${searched}.`);
    this.rows.replaceChildren(
      ...thought.known.map(({ action, visits, share, mean }) => {
        const bar = h("span", { class: "bar" });
        bar.style.width = `${(share * 100).toFixed(1)}%`;
        return h(
          "tr",
          { "aria-current": action === thought.action ? "true" : null },
          h("td", {}, ACTIONS[action] ?? action),
          h("td", { class: "part" }, bar, h("span", {}, visits.toLocaleString("en"))),
          h("td", {}, mean.toPrecision(3)),
        );
      }),
    );
  }
}
