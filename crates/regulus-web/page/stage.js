/** A level on a canvas. */

/** @import { Cast } from "./cast.js" */
/** @import { Frame, SpriteLook, StagePlan } from "./video_types.js" */
import { Cast as NewCast } from "./cast.js";
import { h } from "./dom.js";
import { drawSprite } from "./sprites.js";

/** Sprites that go further than this many blocks at once are not seen on their way. */
const LONGEST_WAY = 1.6;

/** More pixels than this make nothing clearer. */
const MOST_PIXELS = 4096;

export class Stage {
  /**
   * @param {StagePlan} plan
   * @param {string} label
   */
  constructor(plan, label) {
    this.plan = plan;
    this.canvas = h("canvas", { class: "stage", role: "img", "aria-label": label });
    this.canvas.width = plan.columns;
    this.canvas.height = plan.rows;
    /** Device pixels of a block. */
    this.cell = 1;
    /** @type {Map<number, HTMLCanvasElement>} */
    this.pictures = new Map();
    /** @type {number[]} */
    this.rank = [];
    plan.order.forEach((type, rank) => {
      this.rank[type] = rank;
    });
    /** @type {{ cast: Cast, part: number } | null} */
    this.last = null;
  }

  /**
   * Follows the size of the page, until the returned function is called.
   * @returns {() => void}
   */
  follow() {
    const observer = new ResizeObserver(() => this.fit(this.canvas.clientWidth));
    observer.observe(this.canvas);
    return () => observer.disconnect();
  }

  /**
   * Makes the picture as fine as the screen is.
   * @param {number} width in pixels of the page
   */
  fit(width) {
    const { columns, rows } = this.plan;
    const wanted = Math.round((width * (window.devicePixelRatio || 1)) / columns);
    const cell = Math.max(2, Math.min(wanted, Math.floor(MOST_PIXELS / Math.max(columns, rows))));
    if (cell === this.cell || width === 0) return;
    this.cell = cell;
    this.pictures.clear();
    this.canvas.width = cell * columns;
    this.canvas.height = cell * rows;
    if (this.last) this.draw(this.last.cast, this.last.part);
  }

  /**
   * @param {number} type
   * @param {number} facing
   */
  picture(type, facing) {
    const look = this.plan.types[type];
    const key = type * 8 + (look.turns ? facing : 0);
    const known = this.pictures.get(key);
    if (known) return known;
    const made = spritePicture(look, facing, this.cell);
    this.pictures.set(key, made);
    return made;
  }

  /**
   * Draws sprites, on their way to where they are.
   * @param {Cast} cast
   * @param {number} part of the way, from 0 to 1
   */
  draw(cast, part) {
    this.last = { cast, part };
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const { plan, cell } = this;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    /** @type {import("./cast.js").Sprite[][]} */
    const layers = [];
    for (const sprite of cast.sprites.values()) {
      const rank = this.rank[sprite.type];
      if (rank !== undefined) (layers[rank] ??= []).push(sprite);
    }
    const scale = cell / plan.block;
    const longest = LONGEST_WAY * plan.block;
    for (const layer of layers) {
      for (const { type, facing, x, y, fromX, fromY } of layer ?? []) {
        const far = Math.abs(x - fromX) + Math.abs(y - fromY) > longest;
        const left = far ? 0 : 1 - part;
        context.drawImage(
          this.picture(type, facing),
          Math.round((x - (x - fromX) * left) * scale),
          Math.round((y - (y - fromY) * left) * scale),
        );
      }
    }
  }
}

/**
 * @param {SpriteLook} look
 * @param {number} facing
 * @param {number} size
 */
function spritePicture(look, facing, size) {
  const picture = document.createElement("canvas");
  picture.width = picture.height = size;
  const context = picture.getContext("2d");
  if (context) drawSprite(context, look, facing, 0, 0, size);
  return picture;
}

/**
 * A small picture of a sprite.
 * @param {SpriteLook} look
 */
export function spriteIcon(look) {
  const icon = spritePicture(look, look.turns ? 2 : 0, 48);
  icon.className = "sprite-icon";
  icon.setAttribute("aria-hidden", "true");
  return icon;
}

/**
 * A picture of a level as it begins.
 * @param {StagePlan} plan
 * @param {Frame} frame
 * @param {string} name
 */
export function stagePicture(plan, frame, name) {
  const stage = new Stage(plan, `The level of ${name}`);
  stage.canvas.classList.add("still");
  stage.fit(320);
  stage.draw(new NewCast(frame), 1);
  return stage.canvas;
}
