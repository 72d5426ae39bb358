/** Pieces, drawn by us: every figure in a square of 100 by 100 around the middle of its cell. */

/** @import { Look } from "./types.js" */
import { svg } from "./dom.js";

/**
 * A part of a figure. `role` says which colour it has: `body` the piece's, `line` only its outline, `ink` that
 * of what is written on it.
 * @typedef {{ d?: string, circle?: [number, number, number], role?: "body" | "line" | "ink" | "outline" }} Part
 */

const BASE = "M24 86h52q4 0 4-5t-6-6H26q-6 1-6 6t4 5z";

/** @type {{ [name: string]: Part[] }} */
const FIGURES = {
  pawn: [
    { d: "M34 75c1-10 9-16 10-29h12c1 13 9 19 10 29z" },
    { circle: [50, 34, 15] },
    { d: "M36 47h28v6H36z" },
    { d: BASE },
  ],
  rook: [
    { d: "M32 75l4-36h28l4 36z" },
    { d: "M26 18h12v9h7v-9h10v9h7v-9h12v17l-8 6H34l-8-6z" },
    { d: BASE },
  ],
  knight: [
    { d: "M32 75c-2-18 14-22 15-34-8 2-10 9-20 11-6 1-9-6-6-10l14-20 3-12 10 8c20 0 31 18 31 37v20z" },
    { circle: [44, 31, 3], role: "ink" },
    { d: BASE },
  ],
  bishop: [
    { d: "M35 75c0-8 6-10 6-18h18c0 8 6 10 6 18z" },
    { d: "M50 16c12 10 20 20 20 30 0 8-8 12-20 12s-20-4-20-12c0-10 8-20 20-30z" },
    { circle: [50, 14, 5] },
    { d: "M50 32v14M43 39h14", role: "line" },
    { d: BASE },
  ],
  queen: [
    { d: "M31 75L18 32l17 18 5-28 10 26 10-26 5 28 17-18-13 43z" },
    { circle: [18, 28, 5] },
    { circle: [40, 18, 5] },
    { circle: [60, 18, 5] },
    { circle: [82, 28, 5] },
    { d: "M33 66h34", role: "line" },
    { d: BASE },
  ],
  king: [
    { d: "M46 10h8v7h7v7h-7v9h-8v-9h-7v-7h7z" },
    { d: "M32 75c-2-8-13-14-13-26 0-10 8-15 16-15 7 0 12 4 15 9 3-5 8-9 15-9 8 0 16 5 16 15 0 12-11 18-13 26z" },
    { d: "M33 66h34", role: "line" },
    { d: BASE },
  ],
  stone: [{ circle: [50, 50, 43] }, { d: "M22 40c4-11 13-17 24-18", role: "line" }],
  man: [{ circle: [50, 50, 41] }, { circle: [50, 50, 29], role: "line" }],
  crowned: [
    { circle: [50, 50, 41] },
    { d: "M30 66l-4-28 13 11 11-19 11 19 13-11-4 28z", role: "ink" },
  ],
  ball: [{ circle: [50, 50, 41] }, { circle: [37, 36, 9], role: "ink" }],
  cross: [{ d: "M18 30L30 18 50 38 70 18 82 30 62 50 82 70 70 82 50 62 30 82 18 70 38 50z" }],
  nought: [{ d: "M50 14a36 36 0 1 1 0 72a36 36 0 1 1 0-72zM50 32a18 18 0 1 0 0 36a18 18 0 1 0 0-36z" }],
  block: [
    { d: "M12 12h76v76H12z" },
    { d: "M12 37h76M12 63h76M37 12v25M63 37v26M37 63v25", role: "line" },
  ],
  fox: [
    { d: "M14 12l24 16h24l24-16-4 40-32 36-32-36z" },
    { d: "M18 52l22 6 10 30zM82 52l-22 6-10 30z", role: "line" },
    { circle: [38, 46, 4], role: "ink" },
    { circle: [62, 46, 4], role: "ink" },
    { circle: [50, 82, 5], role: "ink" },
  ],
  hound: [
    { d: "M32 22c8-6 28-6 36 0 14-6 22 2 20 18-1 10-8 14-14 12-1 14-4 34-24 34s-23-20-24-34c-6 2-13-2-14-12-2-16 6-24 20-18z" },
    { circle: [40, 44, 4], role: "ink" },
    { circle: [60, 44, 4], role: "ink" },
    { d: "M42 64h16l-8 9z", role: "ink" },
  ],
  hare: [
    { d: "M36 46C26 34 24 12 34 10s14 18 13 32h6C52 28 56 8 66 10s8 24-2 36c10 6 13 14 13 21 0 13-12 21-27 21s-27-8-27-21c0-7 3-15 13-21z" },
    { circle: [40, 60, 4], role: "ink" },
    { circle: [60, 60, 4], role: "ink" },
    { d: "M45 71h10l-5 6z", role: "ink" },
  ],
  ship: [
    { d: "M14 62h72c-2 14-10 22-20 22H34c-10 0-18-8-20-22z" },
    { d: "M53 14c16 10 24 24 25 40H53z" },
    { d: "M46 24v30H24c2-12 10-24 22-30z" },
  ],
  flagship: [
    { d: "M8 62h84c-2 15-11 24-22 24H30C19 86 10 77 8 62z" },
    { d: "M47 10h24l-7 7 7 7H53v30h-6z" },
    { d: "M41 26v28H17c2-12 12-23 24-28zM59 30c12 5 20 14 22 24H59z" },
    { d: "M50 66l3 6h6l-5 4 2 6-6-4-6 4 2-6-5-4h6z", role: "ink" },
  ],
  vertical: [{ d: "M30 2h40v96H30z" }, { d: "M50 16v68", role: "line" }],
  horizontal: [{ d: "M2 30h96v40H2z" }, { d: "M16 50h68", role: "line" }],
  peg: [{ circle: [50, 50, 32] }, { circle: [42, 42, 8], role: "ink" }],
  territory: [{ d: "M38 38h24v24H38z" }],
  goal: [{ d: "M10 10h80v80H10z" }, { d: "M10 36h80M10 63h80M36 10v80M63 10v80", role: "line" }],
  trace: [{ circle: [50, 50, 14] }],
};

/**
 * The drawing of a piece around (0, 0), as wide as its cell.
 * @param {Look} look
 * @returns {SVGGElement}
 */
export function figure(look) {
  const group = svg("g", { class: "piece", transform: "scale(0.01) translate(-50 -50)" });
  switch (look.kind) {
    case "none":
      return group;
    case "figure":
      for (const part of FIGURES[look.figure ?? ""] ?? [{ circle: [50, 50, 41] }]) {
        group.append(drawn(part, look));
      }
      break;
    case "disc":
      group.append(drawn({ circle: [50, 50, 40] }, look));
      break;
    case "lettered":
      group.append(drawn({ circle: [50, 50, 41] }, look), letter(look));
      break;
    case "tile":
      group.append(drawn({ d: "M18 10h64q8 0 8 8v64q0 8-8 8H18q-8 0-8-8V18q0-8 8-8z" }, look), letter(look));
      break;
  }
  for (let i = 0; i < look.badge; i++) {
    const badge = svg("circle", { cx: 88 - 14 * i, cy: 90, r: 5.5, class: "badge" });
    group.append(badge);
  }
  return group;
}

/**
 * @param {Part} part
 * @param {Look} look
 */
function drawn(part, look) {
  const role = part.role ?? "body";
  const colours =
    role === "body"
      ? { fill: look.fill, stroke: look.stroke, "stroke-width": 4, "stroke-linejoin": "round" }
      : role === "ink"
        ? { fill: look.ink }
        : { fill: "none", stroke: look.stroke, "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" };
  if (part.circle) {
    const [cx, cy, r] = part.circle;
    return svg("circle", { cx, cy, r, ...colours });
  }
  return svg("path", { d: part.d, "fill-rule": "evenodd", ...colours });
}

/** @param {Look} look */
function letter(look) {
  const text = look.letter ?? "";
  const size = text.length > 1 ? 40 : 52;
  return svg("text", { x: 50, y: 50 + size * 0.36, "font-size": size, fill: look.ink, class: "letter" }, text);
}
