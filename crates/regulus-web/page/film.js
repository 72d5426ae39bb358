/** What was played, frame by frame: any of them can be shown. */

/** @import { Frame } from "./video_types.js" */
import { Cast } from "./cast.js";
import { videoGames } from "./api.js";

/** One in this many frames is kept with all sprites. */
const KEPT = 50;

export class Film {
  /** @param {string} id of the session */
  constructor(id) {
    this.id = id;
    /** By tick. @type {Frame[]} */
    this.frames = [];
    /** By tick, all sprites as one frame. @type {Map<number, Frame>} */
    this.whole = new Map();
    /** @type {Cast | null} */
    this.cast = null;
    /** How many ticks there are. */
    this.ticks = 0;
  }

  /**
   * Loads all of it; `progress` is called with every part.
   * @param {() => void} progress
   * @param {() => boolean} wanted
   */
  async load(progress, wanted) {
    do {
      const from = Math.max(0, this.frames.length - 1);
      const part = await videoGames.frames(this.id, from);
      if (!wanted()) return;
      this.ticks = part.ticks;
      this.whole.set(from, part.frames[0]);
      if (from === 0) this.frames.push(part.frames[0]);
      this.frames.push(...part.frames.slice(1));
      progress();
    } while (this.frames.length <= this.ticks);
  }

  /** The last tick that can be shown. */
  get last() {
    return this.frames.length - 1;
  }

  /**
   * The sprites after a tick, on their way there if it follows what was shown last.
   * @param {number} tick
   * @returns {Cast}
   */
  at(tick) {
    if (!this.cast || tick < this.cast.frame.tick || tick > this.cast.frame.tick + KEPT) {
      let key = tick;
      while (!this.whole.has(key)) key--;
      this.cast = new Cast(/** @type {Frame} */ (this.whole.get(key)));
    }
    while (this.cast.frame.tick < tick) {
      const next = this.cast.frame.tick + 1;
      this.cast.apply(this.frames[next]);
      if (next % KEPT === 0 && !this.whole.has(next)) this.whole.set(next, wholeFrame(this.cast));
    }
    return this.cast;
  }
}

/**
 * All sprites as one frame.
 * @param {Cast} cast
 * @returns {Frame}
 */
function wholeFrame(cast) {
  const put = [];
  for (const [id, { type, x, y, facing }] of cast.sprites) put.push(id, type, x, y, facing);
  return { ...cast.frame, put, gone: [] };
}
