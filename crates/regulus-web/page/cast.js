/** The sprites of a level at one time, kept up to date by frames. */

/** @import { Frame } from "./video_types.js" */

/** @typedef {{ type: number, x: number, y: number, facing: number, fromX: number, fromY: number }} Sprite */

export class Cast {
  /** @param {Frame} frame with all sprites */
  constructor(frame) {
    /** @type {Map<number, Sprite>} */
    this.sprites = new Map();
    /** Those that the last frame has moved. @type {Sprite[]} */
    this.moved = [];
    this.frame = frame;
    this.apply(frame);
    this.settle();
  }

  /**
   * Goes on by a frame.
   * @param {Frame} frame
   */
  apply(frame) {
    this.settle();
    this.frame = frame;
    for (const id of frame.gone) this.sprites.delete(id);
    const { put } = frame;
    for (let i = 0; i + 4 < put.length; i += 5) {
      const [id, type, x, y, facing] = put.slice(i, i + 5);
      const known = this.sprites.get(id);
      if (known && known.type === type) {
        Object.assign(known, { fromX: known.x, fromY: known.y, x, y, facing });
        this.moved.push(known);
      } else {
        this.sprites.set(id, { type, x, y, facing, fromX: x, fromY: y });
      }
    }
  }

  /** Nothing is on its way any more. */
  settle() {
    for (const sprite of this.moved) {
      sprite.fromX = sprite.x;
      sprite.fromY = sprite.y;
    }
    this.moved = [];
  }
}
