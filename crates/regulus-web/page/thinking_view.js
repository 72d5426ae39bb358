/** What a search is doing: figures, the moves it considers, the line it expects, and how its value goes. */

/** @import { Thinking } from "./types.js" */
/** @import { Sample } from "./value_chart.js" */
import { h, setText } from "./dom.js";
import { ValueChart } from "./value_chart.js";
import { readable } from "./words.js";

/** Samples of one search that are kept; a chart is not wider. */
const SAMPLES = 400;

const FIGURES = /** @type {const} */ (["value", "iterations", "speed", "tree", "memory", "time"]);

/**
 * What the solver of an agent knows about a score.
 * @param {number[] | null} proven
 */
function proof(proven) {
  if (!proven) return "";
  const [low, high] = proven;
  if (low === high) return ` proven: ${low}`;
  return ` proven: ${low}–${high}`;
}

export class ThinkingView {
  /**
   * @param {string} session
   * @param {string[]} players
   * @param {string[]} colours of the players
   * @param {(vertices: number[]) => void} peek shows the vertices of a move on the board
   */
  constructor(session, players, colours, peek) {
    this.players = players;
    this.colours = colours;
    this.peek = peek;
    this.key = `regulus.values.${session}`;
    /** The last value of every search, for every player. @type {Sample[][]} */
    this.game = this.restored();
    /** @type {Sample[]} */
    this.search = [];
    /** @type {Thinking | null} */
    this.latest = null;
    this.who = h("p", { class: "who" }, "Nobody has thought yet. An agent's thoughts appear here while it searches, and a hint's.");
    /** @type {{ [name: string]: HTMLElement }} */
    this.figures = {};
    const list = h("dl", { class: "figures" });
    for (const name of FIGURES) {
      this.figures[name] = h("dd", { "data-figure": name }, "–");
      list.append(h("div", {}, h("dt", {}, name), this.figures[name]));
    }
    this.variation = h("p", { class: "variation" }, "–");
    this.body = h("tbody");
    this.now = new ValueChart("value during this search");
    this.course = new ValueChart("value move by move");
    this.element = h(
      "section",
      { class: "thinking", "aria-label": "Thinking" },
      h("h2", {}, "Thinking"),
      this.who,
      list,
      h("h3", {}, "Expected line"),
      this.variation,
      h(
        "div",
        { class: "charts" },
        h("figure", {}, h("figcaption", {}, "value in this search"), this.now.element),
        h("figure", {}, h("figcaption", {}, "value in the game"), this.course.element),
      ),
      h(
        "div",
        { class: "table", tabindex: "0", role: "region", "aria-label": "Moves by visits" },
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("th", {}, "move"), h("th", {}, "visits"), h("th", {}, "share"), h("th", {}, "value"))),
          this.body,
        ),
      ),
    );
    this.course.show(this.game, players, colours);
  }

  /** @returns {Sample[][]} */
  restored() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
      if (Array.isArray(kept) && kept.length === this.players.length) return kept;
    } catch {
      // What cannot be read is begun anew.
    }
    return this.players.map(() => []);
  }

  /** @param {Thinking} thinking */
  show(thinking) {
    const before = this.latest;
    const same =
      before !== null && before.ply === thinking.ply && before.player === thinking.player && before.seconds <= thinking.seconds;
    this.latest = thinking;
    if (!same) this.search = [];
    this.search.push({ at: thinking.seconds, value: thinking.value });
    if (this.search.length > SAMPLES) this.search.splice(1, 1);
    const samples = this.game[thinking.player];
    if (samples) {
      const known = samples.findIndex((sample) => sample.at >= thinking.ply);
      if (known >= 0) samples.splice(known);
      samples.push({ at: thinking.ply, value: thinking.value });
      if (samples.length > SAMPLES) samples.shift();
    }
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.game));
    } catch {
      // The lines of the game are then forgotten on reload, nothing else.
    }
    this.render(thinking);
  }

  /** @param {Thinking} thinking */
  render(thinking) {
    const player = this.players[thinking.player] ?? `player ${thinking.player + 1}`;
    setText(this.who, `${thinking.agent} for ${player}, move ${thinking.ply + 1}`);
    const figures = {
      value: `${(thinking.value * 100).toFixed(1)}%`,
      iterations: grouped(thinking.iterations),
      speed: `${grouped(Math.round(thinking.iterations_per_s))}/s`,
      tree: `${grouped(thinking.nodes)} nodes`,
      memory: bytes(thinking.bytes),
      time: `${thinking.seconds.toFixed(1)} s`,
    };
    for (const [name, text] of Object.entries(figures)) setText(this.figures[name], text);
    setText(this.variation, thinking.variation.length > 0 ? thinking.variation.map(readable).join("  →  ") : "–");
    const moves = [...thinking.moves].sort((a, b) => b.visits - a.visits);
    while (this.body.rows.length > moves.length) this.body.deleteRow(-1);
    moves.forEach((move, index) => {
      const row = this.body.rows[index] ?? this.newRow();
      const [name, visits, share, mean] = [...row.cells];
      setText(name, readable(move.text));
      setText(visits, grouped(move.visits));
      setText(share.lastElementChild ?? share, `${(move.share * 100).toFixed(1)}%`);
      const bar = /** @type {HTMLElement} */ (share.firstElementChild);
      bar.style.width = `${(move.share * 100).toFixed(1)}%`;
      setText(mean, `${(move.mean * 100).toFixed(1)}%${proof(move.proven)}`);
      row.dataset.vertices = JSON.stringify(move.vertices);
    });
    this.now.show([this.search], [player], [this.colours[thinking.player]]);
    this.course.show(this.game, this.players, this.colours);
  }

  newRow() {
    const row = this.body.insertRow();
    row.append(
      h("td", { class: "move" }),
      h("td"),
      h("td", { class: "part" }, h("span", { class: "bar", "aria-hidden": "true" }), h("span")),
      h("td"),
    );
    row.addEventListener("mouseenter", () => this.peek(JSON.parse(row.dataset.vertices ?? "[]")));
    row.addEventListener("mouseleave", () => this.peek([]));
    return row;
  }

  /** The game has begun anew. */
  forget() {
    this.game = this.players.map(() => []);
    this.search = [];
    try {
      sessionStorage.removeItem(this.key);
    } catch {
      // Nothing was kept.
    }
    this.course.show(this.game, this.players, this.colours);
  }
}

/** @param {number} count */
function grouped(count) {
  return count.toLocaleString("en");
}

/** @param {number} count */
function bytes(count) {
  if (count < 1 << 20) return `${(count / 1024).toFixed(0)} KiB`;
  return `${(count / (1 << 20)).toFixed(1)} MiB`;
}
