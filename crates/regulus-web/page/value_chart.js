/** How the value went, as small lines. */

import { svg } from "./dom.js";

const WIDTH = 240;
const HEIGHT = 64;
const PAD = 5;

/**
 * A value at a time.
 * @typedef {{ at: number, value: number }} Sample
 */

export class ValueChart {
  /** @param {string} label */
  constructor(label) {
    this.lines = svg("g");
    this.label = label;
    this.element = svg(
      "svg",
      { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.lines,
    );
  }

  /**
   * @param {Sample[][]} series one for every player
   * @param {string[]} names
   * @param {string[]} colours
   */
  show(series, names, colours) {
    const times = series.flat().map((sample) => sample.at);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    const span = Math.max(last - first, 1e-9);
    const point = (/** @type {Sample} */ { at, value }) => {
      const x = last === first ? WIDTH / 2 : PAD + ((at - first) / span) * (WIDTH - 2 * PAD);
      const y = PAD + (1 - value) * (HEIGHT - 2 * PAD);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    };
    /** @type {Element[]} */
    const parts = [];
    const words = [this.label];
    series.forEach((samples, player) => {
      const newest = samples.at(-1);
      if (!newest) return;
      const [x, y] = point(newest).split(",");
      parts.push(
        svg("polyline", { class: "line", stroke: colours[player], points: samples.map(point).join(" ") }),
        svg("circle", { class: "dot", fill: colours[player], cx: x, cy: y, r: 3 }),
      );
      words.push(`${names[player] ?? "value"} ${Math.round(newest.value * 100)}%`);
    });
    this.lines.replaceChildren(...parts);
    this.element.setAttribute("aria-label", words.join(", "));
  }
}
