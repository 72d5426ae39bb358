/**
 * What the server says; see docs/web.md and /api/v1/openapi.json.
 *
 * Vertices have numbers from 1; `board[v - 1]` is the piece on `v`, as an index of `pieces`.
 *
 * @typedef {"square" | "hexagon" | "circle" | "point"} CellShape
 * @typedef {{ vertex: number, x: number, y: number, shape: CellShape, size: number, shade: number, name: string }} Cell
 * @typedef {{ x1: number, y1: number, x2: number, y2: number }} Line
 * @typedef {{ x: number, y: number, text: string }} Label
 * @typedef {{ x: number, y: number, size: number }} Blank
 * @typedef {{ width: number, height: number, cells: Cell[], blanks: Blank[], lines: Line[], labels: Label[] }} Scene
 *
 * @typedef {"none" | "figure" | "disc" | "lettered" | "tile"} LookKind
 * @typedef {{ name: string, kind: LookKind, figure: string | null, fill: string, stroke: string, ink: string,
 *   letter: string | null, owner: number | null, badge: number }} Look
 *
 * @typedef {{ name: string, title: string, description: string, rules: string, players: string[], scene: Scene, pieces: Look[], board: number[] }} GameInfo
 * @typedef {{ name: string, description: string }} AgentInfo
 * @typedef {{ agents: AgentInfo[], default: string }} Agents
 *
 * @typedef {{ code: string, severity: string, message: string, line: number, column: number, end_line: number,
 *   end_column: number, label: string, help: string | null }} Diagnostic
 * @typedef {{ diagnostics: Diagnostic[], ok: boolean, players: string[] | null, scene: Scene | null,
 *   pieces: Look[] | null, board: number[] | null }} Check
 *
 * @typedef {{ kind: "human" } | { kind: "agent", agent: string, limit: string }} Seat
 * @typedef {{ id: number, vertex: number | null, text: string, moves: number }} Choice
 * @typedef {{ ply: number, player: number, text: string, vertices: number[] }} Move
 * @typedef {"choosing" | "thinking" | "paused" | "over" | "looking"} Status
 *
 * @typedef {object} View
 * @property {string} id
 * @property {number} revision
 * @property {{ name: string, players: string[] }} game
 * @property {Scene} [scene]
 * @property {Look[]} [pieces]
 * @property {number[]} board
 * @property {{ name: string, value: number }[]} variables
 * @property {Seat[]} seats
 * @property {number | null} player
 * @property {Status} status
 * @property {string} text
 * @property {{ text: string, vertex: number | null }[]} chosen
 * @property {Choice[]} choices
 * @property {number} ply
 * @property {number} plies
 * @property {Move[]} moves
 * @property {number[]} last
 * @property {number[] | null} scores
 * @property {string | null} outcome
 * @property {number | null} resigned
 * @property {{ text: string, vertices: number[], share: number } | null} hint
 * @property {boolean} hinting
 * @property {boolean} paused
 * @property {number} speed_ms
 *
 * @typedef {{ text: string, vertices: number[], visits: number, share: number, mean: number, proven: number[] | null }} ThoughtMove
 *
 * @typedef {object} Thinking
 * @property {number} ply
 * @property {number} player
 * @property {string} agent
 * @property {number} iterations
 * @property {number} iterations_per_s
 * @property {number} states
 * @property {number} nodes
 * @property {number} bytes
 * @property {number} seconds
 * @property {number} value
 * @property {ThoughtMove[]} moves
 * @property {{ vertex: number, share: number }[]} heat
 * @property {string[]} variation
 *
 * A saved game, as `regulus play` writes it.
 * @typedef {object} SavedGame
 * @property {string} game
 * @property {string[]} moves
 * @property {string | null} [text] the rules, if they are not built in
 * @property {Seat[]} [seats]
 * @property {number} [seat] of the human, from 1, if there are no seats
 * @property {string} [agent] at the other seats
 * @property {number[]} [scores] one for every player
 */

export {};
