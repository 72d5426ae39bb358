/** Shows sprites on their way from one tick to the next. */

/** @import { Cast } from "./cast.js" */
/** @import { Stage } from "./stage.js" */

export class Projector {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {{ cast: Cast, begin: number, way: number } | null} */
    this.shown = null;
    this.request = 0;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  /**
   * Shows sprites after a tick.
   * @param {Cast} cast
   * @param {number} way how long they are on their way there, in milliseconds
   */
  show(cast, way) {
    this.shown = { cast, begin: performance.now(), way: this.still.matches ? 0 : way };
    this.draw();
  }

  draw() {
    window.cancelAnimationFrame(this.request);
    if (!this.shown) return;
    const { cast, begin, way } = this.shown;
    const part = way <= 0 ? 1 : Math.min(1, (performance.now() - begin) / way);
    this.stage.draw(cast, part);
    if (part < 1) this.request = window.requestAnimationFrame(() => this.draw());
  }

  close() {
    window.cancelAnimationFrame(this.request);
    this.shown = null;
  }
}
