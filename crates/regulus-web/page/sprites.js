/** Sprites, drawn by us: every shape in a square of 100 by 100. */

/** @import { SpriteLook } from "./video_types.js" */

/**
 * Who draws a shape. `facing` is 0 (nowhere), 1 up, 2 right, 3 down or 4 left.
 * @typedef {(pen: Pen, facing: number) => void} Shape
 */

/** The directions of `facing`. */
const DIRECTIONS = [[0, 0], [0, -1], [1, 0], [0, 1], [-1, 0]];

/** A canvas with the colours of a look. */
class Pen {
  /**
   * @param {CanvasRenderingContext2D} context
   * @param {SpriteLook} look
   */
  constructor(context, look) {
    this.context = context;
    this.look = look;
  }

  /**
   * The body of a shape: filled, with an outline.
   * @param {string} path
   */
  body(path) {
    this.fill(path, this.look.fill);
    this.line(path, 5);
  }

  /**
   * @param {string} path
   * @param {string} colour
   * @param {number} [alpha]
   */
  fill(path, colour, alpha = 1) {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = colour;
    this.context.fill(new Path2D(path));
    this.context.globalAlpha = 1;
  }

  /**
   * @param {string} path
   * @param {number} width
   * @param {string} [colour]
   * @param {number} [alpha]
   */
  line(path, width, colour = this.look.stroke, alpha = 1) {
    this.context.globalAlpha = alpha;
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.lineJoin = "round";
    this.context.lineCap = "round";
    this.context.stroke(new Path2D(path));
    this.context.globalAlpha = 1;
  }

  /**
   * Two eyes that look somewhere.
   * @param {number} y
   * @param {number} apart
   * @param {number} size
   * @param {number} facing
   */
  eyes(y, apart, size, facing) {
    const [dx, dy] = DIRECTIONS[facing] ?? [0, 0];
    for (const side of [-1, 1]) {
      const x = 50 + side * apart + dx * 6;
      this.fill(disc(x, y + dy * 5, size), "#ffffff");
      this.line(disc(x, y + dy * 5, size), 2.5, this.look.stroke);
      this.fill(disc(x + dx * size * 0.45, y + dy * (5 + size * 0.45), size * 0.52), "#1d1d1f");
    }
  }

  /**
   * Draws as if it looked up, turned to where it looks.
   * @param {number} facing
   * @param {() => void} draw
   */
  turned(facing, draw) {
    this.context.save();
    this.context.translate(50, 50);
    this.context.rotate((Math.max(facing, 1) - 1) * (Math.PI / 2));
    this.context.translate(-50, -50);
    draw();
    this.context.restore();
  }
}

/** @type {(x: number, y: number, r: number) => string} */
function disc(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

const WHOLE = "M0 0h100v100H0z";
const PAD = "M20 9h60q11 0 11 11v60q0 11-11 11H20Q9 91 9 80V20Q9 9 20 9z";

/** @type {{ [name: string]: Shape }} */
const SHAPES = {
  floor: (pen) => {
    pen.fill(WHOLE, pen.look.fill, 0.55);
    pen.line("M1 1h98v98", 1.5, pen.look.stroke, 0.12);
  },
  wall: (pen) => {
    pen.fill(WHOLE, pen.look.fill);
    pen.line("M0 34h100M0 67h100M30 0v34M72 34v33M30 67v33", 3, pen.look.stroke, 0.35);
    pen.fill("M0 0h100v7H7v93H0z", "#ffffff", 0.22);
    pen.fill("M100 100H0v-7h93V0h7z", "#000000", 0.22);
  },
  tile: (pen) => {
    pen.body(PAD);
    pen.line("M31 31h38v38H31z", 5, pen.look.ink, 0.4);
  },
  trap: (pen) => {
    pen.body(PAD);
    pen.fill("M15 82L28 48l11 34zM39 82l11-44 11 44zM61 82l11-34 13 34z", pen.look.ink, 0.75);
    pen.line("M20 26q8-8 15 0t15 0 15 0 15 0", 5, pen.look.ink, 0.45);
  },
  pit: (pen) => {
    pen.body(PAD);
    pen.fill(disc(50, 50, 30), "#000000", 0.5);
    pen.line(disc(50, 50, 30), 4, pen.look.stroke);
  },
  token: (pen) => {
    pen.body(disc(50, 50, 37));
    pen.line(disc(50, 50, 24), 5, pen.look.stroke, 0.6);
    pen.line("M26 40c4-8 9-12 16-14", 5, "#ffffff", 0.6);
  },
  door: (pen) => {
    pen.body("M16 95V40C16 20 31 7 50 7s34 13 34 33v55z");
    pen.fill("M28 88V42c0-13 9-22 22-22s22 9 22 22v46z", pen.look.stroke, 0.35);
    pen.fill(disc(64, 58, 5), pen.look.ink, 0.85);
  },
  portal: (pen) => {
    pen.body(disc(50, 50, 42));
    pen.fill(disc(50, 50, 29), pen.look.stroke, 0.75);
    pen.line("M50 50c0-6 9-7 11-1 3 10-9 17-18 13-13-6-13-25 1-31 19-8 37 8 34 26", 5, pen.look.fill);
  },
  nest: (pen) => {
    pen.body("M50 15c24 0 42 15 42 35S74 85 50 85 8 70 8 50s18-35 42-35z");
    pen.fill("M50 32c16 0 28 8 28 18S66 68 50 68s-28-8-28-18 12-18 28-18z", "#000000", 0.55);
    pen.line("M16 36l10 6M84 36l-10 6M16 64l10-6M84 64l-10-6M50 16v10M50 84V74", 5, pen.look.stroke, 0.7);
  },
  gem: (pen) => {
    pen.body("M28 14h44l22 26-44 50L6 40z");
    pen.line("M6 40h88M28 14l10 26 12 50 12-50 10-26M38 40L50 14l12 26", 3, pen.look.stroke, 0.55);
    pen.fill("M28 14h22L38 40H6z", "#ffffff", 0.35);
  },
  bag: (pen) => {
    pen.body("M38 26c-6-8-8-14-4-16s11 3 16 3 12-5 16-3 2 8-4 16c18 8 28 26 26 46-1 12-8 18-18 18H30c-10 0-17-6-18-18-2-20 8-38 26-46z");
    pen.line("M36 27h28", 6, pen.look.stroke);
    pen.line("M50 44v28M40 52q10-8 20 0M40 65q10 8 20 0", 4, pen.look.ink, 0.6);
  },
  belt: (pen, facing) => {
    pen.fill(WHOLE, pen.look.fill, 0.7);
    pen.turned(facing, () => {
      pen.line("M24 46l26-22 26 22M24 82l26-22 26 22", 9, pen.look.stroke, 0.7);
      pen.line("M4 0v100M96 0v100", 5, pen.look.stroke, 0.5);
    });
  },
  flash: (pen) => {
    pen.body("M50 4l10 24 23-13-9 25 24 10-24 10 9 25-23-13-10 24-10-24-23 13 9-25L2 50l24-10-9-25 23 13z");
    pen.fill(disc(50, 50, 13), "#ffffff", 0.6);
  },
  blade: (pen, facing) => {
    pen.turned(facing, () => {
      pen.body("M50 4l11 16v46H39V20z");
      pen.body("M26 66h48v9H26z");
      pen.body("M44 75h12v20H44z");
      pen.line("M50 18v42", 3, "#ffffff", 0.6);
    });
  },
  flame: (pen) => {
    pen.body("M50 5c4 18 30 27 30 55 0 20-13 34-30 34S20 80 20 60c0-12 7-18 10-28 6 5 7 10 8 15 8-10 13-26 12-42z");
    pen.fill("M50 50c3 10 14 14 14 27 0 9-6 14-14 14s-14-5-14-14c0-12 12-16 14-27z", "#ffffff", 0.45);
  },
  dart: (pen, facing) => {
    if (facing === 0) {
      pen.body(disc(50, 50, 34));
      pen.line("M30 40c3-8 9-13 17-14", 6, "#ffffff", 0.55);
      return;
    }
    pen.turned(facing, () => {
      pen.body("M50 5c17 13 24 29 24 47v30c0 8-5 11-12 9l-12-5-12 5c-7 2-12-1-12-9V52C26 34 33 18 50 5z");
      pen.line("M38 52c0-11 4-20 12-27", 6, "#ffffff", 0.5);
      pen.line("M36 74h28", 5, pen.look.stroke, 0.6);
    });
  },
  crate: (pen) => {
    pen.body("M8 8h84v84H8z");
    pen.line("M24 24h52v52H24zM24 24l52 52M76 24L24 76", 6, pen.look.stroke, 0.45);
  },
  saucer: (pen, facing) => {
    const [dx] = DIRECTIONS[facing] ?? [0];
    pen.body("M27 50c0-20 10-33 23-33s23 13 23 33z");
    pen.fill(disc(50 + dx * 7, 37, 7), pen.look.ink, 0.8);
    pen.body("M50 44c26 0 45 8 45 19S76 82 50 82 5 74 5 63s19-19 45-19z");
    for (const x of [24, 50, 76]) pen.fill(disc(x, x === 50 ? 69 : 64, 5), pen.look.ink, 0.7);
  },
  creature: (pen, facing) => {
    pen.body("M50 10c23 0 35 16 35 38v40c-6 5-12-5-18-5s-11 7-17 7-11-7-17-7-12 10-18 5V48c0-22 12-38 35-38z");
    pen.eyes(42, 15, 10, facing);
  },
  hunter: (pen, facing) => {
    pen.body("M20 6l17 15c8-3 18-3 26 0L80 6l5 36c4 27-10 51-35 51S11 69 15 42z");
    pen.eyes(46, 15, 9, facing);
    pen.line("M28 32l16 9M72 32l-16 9", 6, pen.look.stroke);
    pen.fill("M32 68h36l-6 13-6-9-6 9-6-9-6 9z", "#ffffff");
    pen.line("M32 68h36", 3, pen.look.stroke);
  },
  runner: (pen, facing) => {
    pen.body("M50 14c22 0 34 18 34 38 0 21-14 34-34 34S16 73 16 52c0-20 12-38 34-38z");
    pen.body("M24 24c-8-12-4-20 4-18s10 8 12 14zM76 24c8-12 4-20-4-18s-10 8-12 14z");
    pen.eyes(46, 14, 12, facing);
    pen.line("M45 70q5 4 10 0", 4, pen.look.stroke);
    pen.body("M30 84l-4 10h14l2-8zM70 84l4 10H60l-2-8z");
  },
  hero: (pen, facing) => {
    pen.body("M50 26c22 0 35 14 35 33S72 94 50 94 15 78 15 59s13-33 35-33z");
    pen.eyes(54, 14, 10, facing);
    pen.line("M38 75q12 10 24 0", 5, pen.look.stroke);
    pen.fill("M24 29L20 5l16 10L50 2l14 13L80 5l-4 24q-26-9-52 0z", "#f2c230");
    pen.line("M24 29L20 5l16 10L50 2l14 13L80 5l-4 24q-26-9-52 0z", 4, "#7a5b00");
  },
  gunner: (pen, facing) => {
    pen.turned(facing, () => {
      pen.body("M50 4l14 30 27 40c4 8-1 14-9 12l-20-6-5 12H43l-5-12-20 6c-8 2-13-4-9-12l27-40z");
      pen.fill("M50 30c8 0 12 9 12 18s-5 14-12 14-12-5-12-14 4-18 12-18z", "#ffffff", 0.85);
      pen.line("M50 30c8 0 12 9 12 18s-5 14-12 14-12-5-12-14 4-18 12-18z", 4);
    });
  },
};

/**
 * Draws a sprite into a square of a canvas.
 * @param {CanvasRenderingContext2D} context
 * @param {SpriteLook} look
 * @param {number} facing
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function drawSprite(context, look, facing, x, y, size) {
  const shown = size * look.size;
  context.save();
  context.translate(x + (size - shown) / 2, y + (size - shown) / 2);
  context.scale(shown / 100, shown / 100);
  const pen = new Pen(context, look);
  (SHAPES[look.shape] ?? SHAPES.tile)(pen, look.turns ? facing : 0);
  for (let i = 0; i < Math.min(look.mark, 5); i++) {
    pen.fill(disc(88 - 15 * i, 88, 6.5), "#ffffff");
    pen.line(disc(88 - 15 * i, 88, 6.5), 3, "#1d1d1f");
  }
  context.restore();
}
