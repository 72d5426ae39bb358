/** Files that people bring and take away. */

/** @import { SavedGame, Seat } from "./types.js" */
import { DEFAULT_LIMIT } from "./seats_form.js";

/** Larger files are neither rules nor records. */
const LARGEST = 16 * 1024 * 1024;

/**
 * @param {File} file
 * @returns {Promise<string>}
 */
export async function readText(file) {
  if (file.size > LARGEST) throw new Error(`${file.name} is too large to be rules or a record.`);
  return file.text();
}

/**
 * True for a replay of a video game. Others are games of boards.
 * @param {string} text
 */
export function isReplay(text) {
  try {
    const data = JSON.parse(text);
    return typeof data?.replay === "number";
  } catch {
    return false;
  }
}

/**
 * @param {string} text
 * @returns {SavedGame}
 */
export function readRecord(text) {
  /** @type {any} */
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("This is not a saved game: it is not JSON.");
  }
  const moves = data?.moves;
  if (typeof data?.game !== "string" || !Array.isArray(moves) || moves.some((move) => typeof move !== "string")) {
    throw new Error("This is not a saved game: it has no game or no list of moves.");
  }
  return data;
}

/**
 * Who played a saved game, if it says so. Those of `regulus play` have one human and one agent for the others.
 * @param {SavedGame} saved
 * @returns {Seat[] | undefined}
 */
export function seatsOf(saved) {
  if (Array.isArray(saved.seats)) return saved.seats;
  return saved.scores?.map((_, index) =>
    index + 1 === saved.seat ? { kind: "human" } : { kind: "agent", agent: saved.agent ?? "auto", limit: DEFAULT_LIMIT });
}

/**
 * Lets the browser save a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Asks for a file.
 * @param {string} accept
 * @param {(file: File) => void} action
 */
export function askForFile(accept, action) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.addEventListener("change", () => {
    if (input.files?.[0]) action(input.files[0]);
  });
  input.click();
}
