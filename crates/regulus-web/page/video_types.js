/**
 * What the server says about video games; see docs/web.md and /api/v1/openapi.json.
 *
 * @typedef {{ name: string, shape: string, fill: string, stroke: string, ink: string, size: number, turns: boolean,
 *   mark: number, words: string }} SpriteLook
 * @typedef {{ columns: number, rows: number, block: number, types: SpriteLook[], order: number[],
 *   legend: number[] }} StagePlan
 *
 * A state, by its difference to the one before: `put` has five numbers for every sprite that is new or has changed
 * (number, type, x, y, where it looks), `gone` the numbers of those that are gone.
 * @typedef {{ tick: number, action: string | null, score: number, health: [number, number] | null,
 *   resources: [number, number][], result: "won" | "lost" | null, put: number[], gone: number[] }} Frame
 *
 * @typedef {{ run: number, ticks: number, frames: Frame[] }} Film
 * @typedef {{ stage: StagePlan, frame: Frame }} LevelInfo
 * @typedef {{ name: string, title: string, description: string, rules: string, profiles: string[],
 *   levels: LevelInfo[] }} VideoGame
 * @typedef {{ agents: { name: string, description: string }[], default: string, limit: string }} VideoAgents
 *
 * @typedef {{ kind: "human" } | { kind: "agent", agent: string, limit: string } | { kind: "replay", agent: string }} Driver
 * @typedef {"waiting" | "running" | "paused" | "over" | "replay"} VideoStatus
 *
 * @typedef {object} Now
 * @property {number} revision
 * @property {number} run
 * @property {number} seed
 * @property {Driver} driver
 * @property {VideoStatus} status
 * @property {string} text
 * @property {number} ticks
 * @property {string} actions
 * @property {boolean} paused
 * @property {number} tick_ms
 *
 * @typedef {Now & { id: string, game: { name: string, level: number | null, levels: number, profile: string,
 *   uploaded: boolean }, stage?: StagePlan, frame: Frame }} VideoView
 * @typedef {Now & { from: number, frames: Frame[] }} VideoStep
 * @typedef {{ tick: number, agent: string, action: string, iterations: number, model_ticks: number,
 *   known: { action: string, visits: number, share: number, mean: number }[] }} VideoThought
 *
 * @typedef {{ game: string, level?: string, profile?: string }} VideoTexts
 * @typedef {import("./types.js").Diagnostic & { text: "game" | "level" }} VideoDiagnostic
 * @typedef {{ diagnostics: VideoDiagnostic[], ok: boolean, stage: StagePlan | null, frame: Frame | null }} VideoCheck
 */

export {};
