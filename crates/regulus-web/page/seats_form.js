/** Who plays for every player, and how strong. */

/** @import { AgentInfo, Seat } from "./types.js" */
import { h } from "./dom.js";
import { limitChoice, limitInWords } from "./limit_choice.js";

/** Strengths that are offered, weakest first; any other can be written. */
const STRENGTHS = [
  ["sims=100", "100 simulations"],
  ["sims=1000", "1,000 simulations"],
  ["sims=10000", "10,000 simulations"],
  ["time=100ms", "0.1 seconds"],
  ["time=500ms", "half a second"],
  ["time=1s", "1 second"],
  ["time=3s", "3 seconds"],
  ["time=10s", "10 seconds"],
];

/** What an agent has for a move unless somebody says otherwise. */
export const DEFAULT_LIMIT = "time=1s";

/**
 * Seats with one human, everybody else an agent; all agents if there is no human.
 * @param {number} players
 * @param {number | null} human
 * @param {string} agent
 * @returns {Seat[]}
 */
export function seatsWith(players, human, agent) {
  return Array.from({ length: players }, (_, player) =>
    player === human ? { kind: "human" } : { kind: "agent", agent, limit: DEFAULT_LIMIT });
}

/**
 * @param {Seat} seat
 */
export function seatInWords(seat) {
  if (seat.kind === "human") return "you";
  return `${seat.agent}, ${limitInWords(STRENGTHS, seat.limit)}`;
}

/**
 * A form with one line per player.
 * @param {string[]} players
 * @param {Seat[]} seats
 * @param {AgentInfo[]} agents
 * @returns {{ element: HTMLElement, seats: () => Seat[] }}
 */
export function seatsForm(players, seats, agents) {
  const lines = players.map((player, index) => line(player, seats[index], agents, index));
  const element = h("fieldset", { class: "seats-form" }, h("legend", {}, "Who plays"), ...lines.map((l) => l.element));
  return { element, seats: () => lines.map((l) => l.seat()) };
}

/**
 * @param {string} player
 * @param {Seat | undefined} seat
 * @param {AgentInfo[]} agents
 * @param {number} index
 */
function line(player, seat, agents, index) {
  const agent = seat?.kind === "agent" ? seat : null;
  const who = h("select", { "aria-label": `Who plays ${player}`, "data-seat": index });
  who.append(h("option", { value: "" }, "you (at this page)"));
  for (const { name, description } of agents) {
    who.append(h("option", { value: name, title: description }, name === "auto" ? "agent: automatic" : `agent: ${name}`));
  }
  if (agent && !agents.some(({ name }) => name === agent.agent)) {
    who.append(h("option", { value: agent.agent }, `agent: ${agent.agent}`));
  }
  who.value = agent?.agent ?? "";
  const limit = limitChoice({
    limits: STRENGTHS,
    per: "a move",
    wanted: agent?.limit ?? DEFAULT_LIMIT,
    label: `Strength of ${player}`,
    example: "time=2s or sims=5000",
    otherLabel: `Limit of ${player}`,
    attributes: { "data-limit": index },
  });
  const show = () => limit.enable(who.value !== "");
  who.addEventListener("change", show);
  show();
  return {
    element: h("div", { class: "seat-line" }, h("span", { class: "player" }, player), who, ...limit.elements),
    /** @returns {Seat} */
    seat: () => (who.value === "" ? { kind: "human" } : { kind: "agent", agent: who.value, limit: limit.value() }),
  };
}
