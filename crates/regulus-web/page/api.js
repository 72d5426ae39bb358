/** The server. Everything the page knows comes from here. */

/** @import { Agents, Check, GameInfo, Thinking, View } from "./types.js" */
/** @import { Film, VideoAgents, VideoCheck, VideoGame, VideoStep, VideoThought, VideoView } from "./video_types.js" */

const BASE = "/api/v1";

/** An answer that is not what was asked for, with a sentence that can be shown. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {any} view the current view, if what was asked came too late
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
async function ask(method, path, body, plain = false) {
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

/**
 * The games of one kind on the server. Addresses are the same for all kinds.
 * @template Game, AgentList, Check, View, Change, Thought
 */
export class Client {
  /** @param {string} path what addresses of this kind begin with */
  constructor(path) {
    this.path = path;
  }

  /** @param {string} id */
  at(id) {
    return `${this.path}/sessions/${encodeURIComponent(id)}`;
  }

  /** @returns {Promise<Game[]>} */
  async games() {
    return (await ask("GET", `${this.path}/games`)).games;
  }

  /** @returns {Promise<AgentList>} */
  agents() {
    return ask("GET", `${this.path}/agents`);
  }

  /**
   * @param {{ [name: string]: string }} texts
   * @returns {Promise<Check>}
   */
  check(texts) {
    return ask("POST", `${this.path}/check`, texts);
  }

  /**
   * Begins a session. What can be asked for is in docs/web.md.
   * @param {{ [key: string]: unknown }} wanted
   * @returns {Promise<View>}
   */
  async begin(wanted) {
    return (await ask("POST", `${this.path}/sessions`, wanted)).view;
  }

  /**
   * The whole view of a session, with how it is drawn.
   * @param {string} id
   * @returns {Promise<View>}
   */
  view(id) {
    return ask("GET", `${this.at(id)}?scene=1`);
  }

  /**
   * Does something in a session.
   * @param {string} id
   * @param {string} command
   * @param {{ [key: string]: unknown }} body
   * @returns {Promise<Change>}
   */
  perform(id, command, body) {
    return ask("POST", `${this.at(id)}/${command}`, body);
  }

  /**
   * The game as the text of a file: its seed may be too large for a number of JavaScript.
   * @param {string} id
   * @returns {Promise<string>}
   */
  record(id) {
    return ask("GET", `${this.at(id)}/record`, undefined, true);
  }

  /**
   * Frames of a video game.
   * @param {string} id
   * @param {number} from
   * @returns {Promise<Film>}
   */
  frames(id, from) {
    return ask("GET", `${this.at(id)}/frames?from=${from}`);
  }

  /**
   * The session is not needed any more. Nobody waits for that.
   * @param {string} id
   */
  end(id) {
    ask("DELETE", this.at(id)).catch(() => {});
  }

  /**
   * Listens to a session until the returned function is called.
   * @param {string} id
   * @param {{ view: (view: View) => void, step?: (change: Change) => void, thinking: (thought: Thought) => void,
   *   connected: (yes: boolean) => void }} listener
   * @returns {() => void}
   */
  listen(id, listener) {
    const source = new EventSource(`${BASE}${this.at(id)}/events`);
    source.addEventListener("open", () => listener.connected(true));
    source.addEventListener("error", () => listener.connected(false));
    source.addEventListener("view", (event) => listener.view(JSON.parse(event.data)));
    source.addEventListener("step", (event) => listener.step?.(JSON.parse(event.data)));
    source.addEventListener("thinking", (event) => listener.thinking(JSON.parse(event.data)));
    return () => source.close();
  }
}

/** @type {Client<GameInfo, Agents, Check, View, View, Thinking>} */
export const boardGames = new Client("");

/** @type {Client<VideoGame, VideoAgents, VideoCheck, VideoView, VideoStep, VideoThought>} */
export const videoGames = new Client("/video");
