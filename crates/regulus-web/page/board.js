/** A board: cells that can be chosen by pointer and keyboard, pieces, and what is said about vertices. */

/** @import { Choice, Look, Scene, View } from "./types.js" */
import { figure } from "./figures.js";
import { svg } from "./dom.js";
import { readable, spaced } from "./words.js";

/**
 * What is shown on a board besides its pieces.
 * @typedef {object} Marks
 * @property {Map<number, Choice[]>} choices by vertex
 * @property {Set<number>} chosen
 * @property {Set<number>} last
 * @property {number[]} hint vertices in order
 * @property {Map<number, number>} heat share of visits by vertex
 */

/** With more choices than these their marks are smaller: a board full of dots cannot be read. */
const MANY = 40;

/** @returns {Marks} */
export function noMarks() {
  return { choices: new Map(), chosen: new Set(), last: new Set(), hint: [], heat: new Map() };
}

/**
 * The marks of a view.
 * @param {View} view
 * @returns {Marks}
 */
export function marksOf(view) {
  const marks = noMarks();
  for (const choice of view.choices) {
    if (choice.vertex === null) continue;
    const there = marks.choices.get(choice.vertex);
    if (there) there.push(choice);
    else marks.choices.set(choice.vertex, [choice]);
  }
  for (const step of view.chosen) if (step.vertex !== null) marks.chosen.add(step.vertex);
  for (const vertex of view.last) marks.last.add(vertex);
  if (view.hint) marks.hint = view.hint.vertices;
  return marks;
}

/**
 * A picture of a board that cannot be played on.
 * @param {Scene} scene
 * @param {Look[]} looks
 * @param {number[]} pieces
 * @param {string} name
 */
export function boardPicture(scene, looks, pieces, name) {
  const picture = svg("svg", {
    class: "board still",
    viewBox: `0 0 ${scene.width} ${scene.height}`,
    role: "img",
    "aria-label": `The board of ${name}`,
  });
  picture.append(...stillGround(scene));
  for (const cell of scene.cells) {
    const look = looks[pieces[cell.vertex - 1]];
    if (!look || look.kind === "none") continue;
    picture.append(svg("g", { transform: `translate(${cell.x} ${cell.y})` }, placed(look, cell)));
  }
  return picture;
}

/**
 * The same as the ground and the cells of a board, in a few elements: a page can show many boards.
 * @param {Scene} scene
 */
function stillGround(scene) {
  /** @type {Map<string, string>} */
  const paths = new Map([["wood", ""], ["edge", ""]]);
  const add = (/** @type {string} */ name, /** @type {string} */ path) => paths.set(name, (paths.get(name) ?? "") + path);
  for (const { x, y, size } of scene.blanks ?? []) add("cell shade-0", square(x, y, size));
  for (const { x1, y1, x2, y2 } of scene.lines) add("edge", `M${x1} ${y1}L${x2} ${y2}`);
  for (const cell of scene.cells) {
    const { x, y, size } = cell;
    if (cell.shape === "point") add("wood", square(x, y, 1.02));
    else add(`cell shade-${cell.shade}`, { square, hexagon, circle }[cell.shape](x, y, size));
  }
  const drawn = [...paths].filter(([, d]) => d !== "").map(([name, d]) => svg("path", { class: name, d }));
  return [...drawn, ...labels(scene)];
}

/** @type {(x: number, y: number, size: number) => string} */
function square(x, y, size) {
  return `M${(x - size / 2).toFixed(3)} ${(y - size / 2).toFixed(3)}h${size}v${size}h${-size}z`;
}

/** @type {(x: number, y: number, size: number) => string} */
function hexagon(x, y, size) {
  return `M${corners(size).map(([dx, dy]) => `${(x + dx).toFixed(3)} ${(y + dy).toFixed(3)}`).join("L")}z`;
}

/** @type {(x: number, y: number, size: number) => string} */
function circle(x, y, size) {
  const r = size / 2;
  return `M${(x - r).toFixed(3)} ${y}a${r} ${r} 0 1 0 ${size} 0a${r} ${r} 0 1 0 ${-size} 0z`;
}

/**
 * The corners of a hexagon, one of them above.
 * @param {number} size
 */
function corners(size) {
  const [half, long] = [size / 2, size / Math.sqrt(3)];
  const short = long / 2;
  return [[0, -long], [half, -short], [half, short], [0, long], [-half, short], [-half, -short]];
}

/** @param {Scene} scene */
function ground(scene) {
  const parts = [];
  // Lines are drawn on wood: under each part of the board whose vertices are crossings.
  const points = scene.cells.filter((cell) => cell.shape === "point");
  if (points.length > 0) {
    parts.push(svg("path", { class: "wood", d: points.map(({ x, y }) => square(x, y, 1.02)).join("") }));
  }
  for (const { x, y, size } of scene.blanks ?? []) {
    const at = { x: x - size / 2, y: y - size / 2, width: size, height: size };
    parts.push(svg("rect", { class: "cell shade-0", ...at }));
  }
  for (const { x1, y1, x2, y2 } of scene.lines) parts.push(svg("line", { class: "edge", x1, y1, x2, y2 }));
  return [...parts, ...labels(scene)];
}

/** @param {Scene} scene */
function labels(scene) {
  return scene.labels.map(({ x, y, text }) => svg("text", { class: "label", x, y: y + 0.1 }, text));
}

/**
 * @param {import("./types.js").Cell} cell
 * @param {string} [name] the class of the shape
 */
function shapeOf(cell, name = `cell shade-${cell.shade}`) {
  const half = cell.size / 2;
  switch (cell.shape) {
    case "hexagon":
      return svg("polygon", { class: name, points: corners(cell.size).map((corner) => corner.join(",")).join(" ") });
    case "circle":
      return svg("circle", { class: name, r: half });
    case "point":
      return svg("circle", { class: `${name} point`, r: half });
    default:
      return svg("rect", { class: name, x: -half, y: -half, width: cell.size, height: cell.size });
  }
}

/**
 * @param {Look} look
 * @param {import("./types.js").Cell} cell
 */
function placed(look, cell) {
  // Pieces of graphs are a little larger than the points that they are on.
  const scale = { square: 0.92, hexagon: 0.8, circle: 1.7, point: 1 }[cell.shape] * cell.size;
  return svg("g", { class: "standing", transform: `scale(${scale})` }, figure(look));
}

/**
 * A small picture of a piece, for buttons.
 * @param {Look} look
 */
export function pieceIcon(look) {
  return svg("svg", { class: "piece-icon", viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" }, figure(look));
}

export class Board {
  /**
   * @param {Scene} scene
   * @param {Look[]} looks
   * @param {string} name
   * @param {{ choose: (vertex: number) => void, back: () => void }} listener
   */
  constructor(scene, looks, name, listener) {
    this.scene = scene;
    this.looks = looks;
    this.listener = listener;
    /** @type {number[]} */
    this.pieces = [];
    this.marks = noMarks();
    this.focused = 1;
    /** @type {{ group: SVGGElement, heat: SVGElement, share: SVGTextElement, piece: SVGGElement, mark: SVGGElement }[]} */
    this.parts = [];
    this.element = svg("svg", {
      class: "board",
      viewBox: `0 0 ${scene.width} ${scene.height}`,
      role: "group",
      "aria-label": `The board of ${name}. Arrow keys move, Enter chooses, N goes to the next choice, Escape steps back.`,
    });
    this.element.append(...ground(scene));
    for (const cell of scene.cells) this.element.append(this.cell(cell));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.turnTo(1);
  }

  /** @param {import("./types.js").Cell} cell */
  cell(cell) {
    const heat = shapeOf(cell, "heat");
    heat.setAttribute("fill-opacity", "0");
    const piece = svg("g");
    const mark = svg("g", { class: "marks" });
    const share = svg("text", { class: "share", y: 0.42 });
    const group = svg(
      "g",
      {
        class: "place",
        transform: `translate(${cell.x} ${cell.y})`,
        role: "button",
        tabindex: -1,
        "data-vertex": cell.vertex,
        "data-name": cell.name,
        onclick: () => {
          this.turnTo(cell.vertex);
          this.listener.choose(cell.vertex);
        },
        onfocus: () => this.turnTo(cell.vertex),
      },
      shapeOf(cell),
      heat,
      shapeOf(cell, "last-mark"),
      piece,
      mark,
      share,
      shapeOf(cell, "ring"),
    );
    this.parts[cell.vertex] = { group, heat, share, piece, mark };
    return group;
  }

  /**
   * Shows a position.
   * @param {number[]} pieces
   * @param {Marks} marks
   */
  show(pieces, marks) {
    this.marks = marks;
    for (const cell of this.scene.cells) {
      const vertex = cell.vertex;
      const { group, piece, mark } = this.parts[vertex];
      const look = this.looks[pieces[vertex - 1]];
      if (this.pieces[vertex - 1] !== pieces[vertex - 1]) {
        piece.replaceChildren(...(look && look.kind !== "none" ? [placed(look, cell)] : []));
        group.setAttribute("data-piece", look?.name ?? "");
      }
      const choices = marks.choices.get(vertex) ?? [];
      const hint = marks.hint.indexOf(vertex);
      const states = {
        choice: choices.length > 0,
        chosen: marks.chosen.has(vertex),
        last: marks.last.has(vertex),
        hint: hint >= 0,
      };
      for (const [name, on] of Object.entries(states)) group.classList.toggle(name, on);
      const occupied = look !== undefined && look.kind !== "none";
      mark.replaceChildren(
        ...(states.last && occupied && covers(cell) ? [svg("circle", { class: "last-dot", r: 0.13 })] : []),
        ...(states.choice ? [choiceMark(cell, occupied)] : []),
        ...(states.hint ? [hintMark(hint, marks.hint.length)] : []),
      );
      group.setAttribute("aria-disabled", String(!states.choice));
      group.setAttribute("aria-label", describe(cell.name, look, states));
    }
    this.pieces = pieces.slice();
    this.element.classList.toggle("many", marks.choices.size > MANY);
    this.showHeat(marks.heat);
  }

  /**
   * Shows where a search looks.
   * @param {Map<number, number>} heat
   */
  showHeat(heat) {
    let most = 0;
    for (const share of heat.values()) most = Math.max(most, share);
    for (const cell of this.scene.cells) {
      const part = this.parts[cell.vertex];
      const share = heat.get(cell.vertex) ?? 0;
      part.heat.setAttribute("fill-opacity", share > 0 ? (0.12 + (0.68 * share) / most).toFixed(3) : "0");
      const text = share >= 0.03 ? `${Math.round(share * 100)}%` : "";
      if (part.share.textContent !== text) part.share.textContent = text;
    }
  }

  /**
   * Makes a vertex the one that the tab key reaches.
   * @param {number} vertex
   */
  turnTo(vertex) {
    this.parts[this.focused]?.group.setAttribute("tabindex", "-1");
    this.focused = vertex;
    this.parts[vertex]?.group.setAttribute("tabindex", "0");
  }

  /** @param {number} vertex */
  focus(vertex) {
    this.turnTo(vertex);
    this.parts[vertex]?.group.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const directions = /** @type {{ [key: string]: [number, number] }} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    });
    const direction = directions[event.key];
    if (direction) {
      const next = this.towards(this.focused, direction);
      if (next !== null) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      this.listener.choose(this.focused);
    } else if (event.key === "Escape") {
      this.listener.back();
    } else if (event.key === "n" || event.key === "N") {
      this.toChoice(event.key === "n" ? 1 : -1);
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * The nearest vertex in a direction: sideways counts more than ahead.
   * @param {number} from
   * @param {[number, number]} direction
   */
  towards(from, [dx, dy]) {
    const here = this.scene.cells.find((cell) => cell.vertex === from);
    if (!here) return null;
    let best = null;
    let least = Infinity;
    for (const cell of this.scene.cells) {
      const [x, y] = [cell.x - here.x, cell.y - here.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 0.05 || aside > ahead * 2) continue;
      const cost = ahead + 2 * aside;
      if (cost < least) [best, least] = [cell.vertex, cost];
    }
    return best;
  }

  /** @param {number} step */
  toChoice(step) {
    const vertices = [...this.marks.choices.keys()].sort((a, b) => a - b);
    if (vertices.length === 0) return;
    const later = vertices.findIndex((vertex) => (step > 0 ? vertex > this.focused : vertex >= this.focused));
    const index = later < 0 ? (step > 0 ? 0 : vertices.length - 1) : step > 0 ? later : later - 1;
    this.focus(vertices[(index + vertices.length) % vertices.length]);
  }
}

/**
 * True where a piece hides the ground that it stands on.
 * @param {import("./types.js").Cell} cell
 */
function covers(cell) {
  return cell.shape === "point" || cell.shape === "circle";
}

/**
 * @param {import("./types.js").Cell} cell
 * @param {boolean} occupied
 */
function choiceMark(cell, occupied) {
  const size = cell.shape === "circle" ? 1 : cell.size;
  return occupied
    ? svg("circle", { class: "choice-ring", r: 0.45 * size })
    : svg("circle", { class: "choice-dot", r: 0.15 * size });
}

/**
 * @param {number} index
 * @param {number} count
 */
function hintMark(index, count) {
  const mark = svg("g", { class: "hint-mark" }, svg("circle", { r: 0.46 }));
  if (count > 1) mark.append(svg("text", { x: 0.34, y: -0.24 }, String(index + 1)));
  return mark;
}

/**
 * @param {string} name
 * @param {Look | undefined} look
 * @param {{ [state: string]: boolean }} states
 */
function describe(name, look, states) {
  const words = [readable(name)];
  words.push(!look || look.kind === "none" ? "empty" : spaced(look.name));
  if (states.chosen) words.push("chosen");
  if (states.last) words.push("part of the last move");
  if (states.hint) words.push("part of the hint");
  if (states.choice) words.push("can be chosen");
  return words.join(", ");
}
