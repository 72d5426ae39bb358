/** Colours for the text of rules, and marks where something is wrong with it. */

/** @import { Diagnostic } from "./types.js" */
import { h } from "./dom.js";

/** The tokens of languages. */
const RBG = new RegExp(
  [
    "(?<comment>\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$))",
    "(?<directive>#[A-Za-z_]\\w*)",
    "(?<switch>->>|->)",
    "(?<generator>\\b(?:rectangle|hexagon|cuboid)\\b)",
    "(?<number>\\b\\d+\\b)",
    "(?<operator>[{}\\[\\]()!?$*+^~.=<>/-])",
    "(?<word>[A-Za-z_]\\w*)",
  ].join("|"),
  "g",
);

const VGDL = new RegExp(
  [
    "(?<comment>#[^\\n]*)",
    "(?<directive>\\b(?:BasicGame|SpriteSet|InteractionSet|LevelMapping|TerminationSet)\\b)",
    "(?<switch>>)",
    "(?<generator>\\b\\w+(?==))",
    "(?<number>=-?\\d+(?:\\.\\d+)?\\b)",
    "(?<word>[A-Za-z_]\\w*)",
  ].join("|"),
  "g",
);

/** Nothing has a colour, as in levels. */
const PLAIN = /(?<word>$^)/g;

/** What a text is written in. @typedef {"rbg" | "vgdl" | "plain"} Language */

const TOKENS = { rbg: RBG, vgdl: VGDL, plain: PLAIN };

/**
 * The kinds of all characters that have one, as ranges in order.
 * @param {string} text
 * @param {Language} language
 * @returns {{ from: number, to: number, kind: string }[]}
 */
function tokens(text, language) {
  const found = [];
  for (const match of text.matchAll(TOKENS[language])) {
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    if (kind && kind !== "word") found.push({ from: match.index, to: match.index + match[0].length, kind });
  }
  return found;
}

/**
 * Where lines begin.
 * @param {string} text
 */
function lineStarts(text) {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}

/**
 * The place of a line and column, both from 1; columns count characters, not the units of JavaScript's strings.
 * @param {string} text
 * @param {number[]} starts
 * @param {number} line
 * @param {number} column
 */
function offset(text, starts, line, column) {
  const start = starts[Math.min(line, starts.length) - 1] ?? 0;
  const end = line < starts.length ? starts[line] - 1 : text.length;
  const before = Array.from(text.slice(start, end)).slice(0, column - 1).join("");
  return start + before.length;
}

/**
 * The range of a diagnostic, at least one character long.
 * @param {string} text
 * @param {Diagnostic} diagnostic
 */
export function range(text, diagnostic) {
  const starts = lineStarts(text);
  const from = offset(text, starts, diagnostic.line, diagnostic.column);
  const to = offset(text, starts, diagnostic.end_line, diagnostic.end_column);
  return { from, to: Math.max(to, from + 1) };
}

/**
 * The text with colours and marks, for an element behind a transparent text area.
 * @param {string} text
 * @param {Diagnostic[]} diagnostics
 * @param {Language} language
 * @returns {Node[]}
 */
export function highlighted(text, diagnostics, language) {
  const marks = diagnostics
    .map((diagnostic) => ({ ...range(text, diagnostic), severity: diagnostic.severity }))
    .filter((mark) => mark.from < text.length || text.length === 0);
  const cuts = new Set([0, text.length]);
  const coloured = tokens(text, language);
  for (const { from, to } of [...coloured, ...marks]) cuts.add(from).add(Math.min(to, text.length));
  const places = [...cuts].sort((a, b) => a - b);
  const nodes = [];
  let token = 0;
  for (let i = 0; i + 1 < places.length; i++) {
    const [from, to] = [places[i], places[i + 1]];
    while (token < coloured.length && coloured[token].to <= from) token++;
    const kind = coloured[token] && coloured[token].from <= from ? coloured[token].kind : null;
    const wrong = marks.filter((mark) => mark.from <= from && mark.to >= to).map((mark) => mark.severity);
    const piece = text.slice(from, to);
    if (!kind && wrong.length === 0) {
      nodes.push(document.createTextNode(piece));
    } else {
      const classes = [kind && `code-${kind}`, wrong.length > 0 && (wrong.includes("error") ? "wrong error" : "wrong")];
      nodes.push(h("span", { class: classes.filter(Boolean).join(" ") }, piece));
    }
  }
  // The last line counts even if it is empty.
  nodes.push(document.createTextNode("\n"));
  return nodes;
}
