/** The server's part about video games. */

/** @import { Driver, Film, VideoAgents, VideoCheck, VideoGame, VideoStep, VideoTexts, VideoThought, VideoView } from "./video_types.js" */
import { ask, BASE } from "./api.js";

/** @param {string} id */
const at = (id) => `/video/sessions/${encodeURIComponent(id)}`;

/** @returns {Promise<VideoGame[]>} */
export async function videoGames() {
  return (await ask("GET", "/video/games")).games;
}

/** @returns {Promise<VideoAgents>} */
export function videoAgents() {
  return ask("GET", "/video/agents");
}

/**
 * @param {VideoTexts} texts
 * @returns {Promise<VideoCheck>}
 */
export function videoCheck(texts) {
  return ask("POST", "/video/check", texts);
}

/**
 * A replay is sent as it is in its file: its seed may be too large for a number of JavaScript.
 * @param {{ game?: string, level?: number, profile?: string, texts?: VideoTexts, name?: string, replay?: string,
 *   seed?: number, driver?: Driver }} wanted
 * @returns {Promise<VideoView>}
 */
export async function beginVideo(wanted) {
  return (await ask("POST", "/video/sessions", wanted)).view;
}

/**
 * @param {string} id
 * @returns {Promise<VideoView>}
 */
export function videoView(id) {
  return ask("GET", `${at(id)}?scene=1`);
}

/**
 * @param {string} id
 * @param {"act" | "pause" | "step" | "speed" | "restart"} order
 * @param {{ [key: string]: unknown }} body
 * @returns {Promise<VideoStep>}
 */
export function drive(id, order, body) {
  return ask("POST", `${at(id)}/${order}`, body);
}

/**
 * @param {string} id
 * @param {number} from
 * @returns {Promise<Film>}
 */
export function frames(id, from) {
  return ask("GET", `${at(id)}/frames?from=${from}`);
}

/**
 * The replay file as text.
 * @param {string} id
 * @returns {Promise<string>}
 */
export function replayText(id) {
  return ask("GET", `${at(id)}/record`, undefined, true);
}

/**
 * The session is not needed any more. Nobody waits for that.
 * @param {string} id
 */
export function endVideo(id) {
  ask("DELETE", at(id)).catch(() => {});
}

/**
 * Listens to a session until the returned function is called.
 * @param {string} id
 * @param {{ view: (view: VideoView) => void, step: (step: VideoStep) => void,
 *   thought: (thought: VideoThought) => void, connected: (yes: boolean) => void }} listener
 * @returns {() => void}
 */
export function listenVideo(id, listener) {
  const source = new EventSource(`${BASE}${at(id)}/events`);
  source.addEventListener("open", () => listener.connected(true));
  source.addEventListener("error", () => listener.connected(false));
  source.addEventListener("view", (event) => listener.view(JSON.parse(event.data)));
  source.addEventListener("step", (event) => listener.step(JSON.parse(event.data)));
  source.addEventListener("thinking", (event) => listener.thought(JSON.parse(event.data)));
  return () => source.close();
}
