/** Playing back: on and on, tick by tick, or to any place. */

/** @import { Cast } from "./cast.js" */
import { button, h } from "./dom.js";
import { Film } from "./film.js";
import { remember, remembered } from "./settings.js";

/** Ticks per second. */
const SPEEDS = [1, 2, 5, 10, 20, 40, 80];

export class FilmPlayer {
  /**
   * @param {string} id of the session
   * @param {{ show: (cast: Cast, way: number) => void, fail: (error: unknown) => void, leave: (() => void) | null }} listener
   */
  constructor(id, listener) {
    this.listener = listener;
    this.tick = 0;
    this.playing = false;
    this.closed = false;
    this.timer = 0;
    this.film = new Film(id);
    this.play = button("Play", () => this.toggle(), { "data-film": "play", class: "primary" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Tick", "data-film": "slider", oninput: () => this.to(Number(this.slider.value)) });
    this.counter = h("output", { class: "counter", "data-film": "counter" }, "0 / 0");
    this.speed = h("select", { "aria-label": "Speed of the film", "data-film": "speed", onchange: () => remember("film.speed", this.speed.value) });
    for (const rate of SPEEDS) this.speed.append(h("option", { value: rate }, `${rate} ticks a second`));
    this.speed.value = remembered("film.speed", "10");
    this.element = h(
      "div",
      { class: "film", role: "group", "aria-label": "Playing back" },
      h(
        "div",
        { class: "row stepping" },
        button("|◀", () => this.to(0), { "aria-label": "To the beginning", "data-film": "begin" }),
        button("◀", () => this.to(this.tick - 1), { "aria-label": "One tick back", "data-film": "back" }),
        this.play,
        button("▶", () => this.to(this.tick + 1), { "aria-label": "One tick on", "data-film": "on" }),
        button("▶|", () => this.to(this.film.last), { "aria-label": "To the end", "data-film": "end" }),
        this.speed,
      ),
      h("div", { class: "row stepping" }, this.slider, this.counter, listener.leave && button("Back to the game", listener.leave, { "data-film": "leave" })),
    );
    this.film.load(() => this.loaded(), () => !this.closed).catch((error) => listener.fail(error));
  }

  close() {
    this.closed = true;
    this.playing = false;
    window.clearTimeout(this.timer);
  }

  /** A part has come. */
  loaded() {
    this.slider.max = String(this.film.ticks);
    if (this.film.cast === null) this.show(0);
    this.counted();
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.tick >= this.film.last) this.show(0);
    this.counted();
    this.run();
  }

  run() {
    window.clearTimeout(this.timer);
    if (!this.playing) return;
    const way = 1000 / Number(this.speed.value);
    this.timer = window.setTimeout(() => {
      if (this.tick < this.film.last) this.show(way);
      else if (this.tick >= this.film.ticks) this.playing = false;
      this.counted();
      this.run();
    }, way);
  }

  /**
   * Shows a tick, and stays there.
   * @param {number} tick
   */
  to(tick) {
    this.playing = false;
    window.clearTimeout(this.timer);
    const wanted = Math.max(0, Math.min(tick, this.film.last));
    const next = wanted === this.tick + 1;
    this.tick = wanted;
    this.listener.show(this.film.at(wanted), next ? 100 : 0);
    this.counted();
  }

  /**
   * Shows the next tick, or the first if the way there is 0.
   * @param {number} way in milliseconds
   */
  show(way) {
    this.tick = way === 0 ? 0 : this.tick + 1;
    this.listener.show(this.film.at(this.tick), way);
  }

  counted() {
    this.play.textContent = this.playing ? "Pause" : "Play";
    this.slider.value = String(this.tick);
    this.counter.textContent = `${this.tick} / ${this.film.ticks}`;
  }
}
