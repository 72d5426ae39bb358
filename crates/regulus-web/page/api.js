/** The server. Everything the page knows comes from here. */

/** @import { Agents, Check, GameInfo, SavedGame, Seat, Thinking, View } from "./types.js" */

export const BASE = "/api/v1";

/** An answer that is not what was asked for, with a sentence that can be shown. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {View | null} view the current view, if what was asked came too late
   */
  constructor(status, code, message, view) {
    super(message);
    this.status = status;
    this.code = code;
    this.view = view;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {boolean} [plain] the answer as text
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, plain = false) {
  /** @type {RequestInit} */
  const request = { method, headers: { Accept: "application/json" }, cache: "no-store" };
  if (body !== undefined) {
    request.headers = { Accept: "application/json", "Content-Type": "application/json" };
    request.body = JSON.stringify(body);
  }
  /** @type {Response} */
  let response;
  try {
    response = await fetch(BASE + path, request);
  } catch {
    throw new ApiError(0, "unreachable", "The server cannot be reached. Is it still running?", null);
  }
  const text = await response.text();
  /** @type {any} */
  let data = null;
  try {
    data = text === "" ? null : JSON.parse(text);
  } catch {
    if (response.ok) {
      throw new ApiError(response.status, "garbled", "The server's answer cannot be read.", null);
    }
  }
  if (!response.ok) {
    const error = data?.error ?? {};
    const message = error.message ?? `The server answers ${response.status}.`;
    throw new ApiError(response.status, error.code ?? "unknown", message, data?.view ?? null);
  }
  return plain ? text : data;
}

/** @returns {Promise<GameInfo[]>} */
export async function games() {
  return (await ask("GET", "/games")).games;
}

/** @returns {Promise<Agents>} */
export function agents() {
  return ask("GET", "/agents");
}

/**
 * @param {string} text
 * @returns {Promise<Check>}
 */
export function check(text) {
  return ask("POST", "/check", { text });
}

/**
 * @param {{ game?: string, text?: string, name?: string, seats?: Seat[], moves?: string[] }} wanted
 * @returns {Promise<View>}
 */
export async function start(wanted) {
  return (await ask("POST", "/sessions", wanted)).view;
}

/**
 * The whole view of a session, with how it is drawn.
 * @param {string} id
 * @returns {Promise<View>}
 */
export function view(id) {
  return ask("GET", `/sessions/${encodeURIComponent(id)}?scene=1`);
}

/**
 * Does something in a session.
 * @param {string} id
 * @param {"choose" | "back" | "undo" | "restart" | "seats" | "resign" | "pause" | "step" | "hint" | "goto" | "speed"} action
 * @param {{ [key: string]: unknown }} body
 * @returns {Promise<View>}
 */
export function act(id, action, body) {
  return ask("POST", `/sessions/${encodeURIComponent(id)}/${action}`, body);
}

/**
 * @param {string} id
 * @returns {Promise<SavedGame>}
 */
export function record(id) {
  return ask("GET", `/sessions/${encodeURIComponent(id)}/record`);
}

/**
 * Listens to a session until the returned function is called.
 * @param {string} id
 * @param {{ view: (view: View) => void, thinking: (thinking: Thinking) => void, connected: (yes: boolean) => void }} listener
 * @returns {() => void}
 */
export function listen(id, listener) {
  const source = new EventSource(`${BASE}/sessions/${encodeURIComponent(id)}/events`);
  source.addEventListener("open", () => listener.connected(true));
  source.addEventListener("error", () => listener.connected(false));
  source.addEventListener("view", (event) => listener.view(JSON.parse(event.data)));
  source.addEventListener("thinking", (event) => listener.thinking(JSON.parse(event.data)));
  return () => source.close();
}
