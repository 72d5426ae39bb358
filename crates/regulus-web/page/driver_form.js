/** Which agent plays a level, and how long it thinks. */

/** @import { Driver, VideoAgents } from "./video_types.js" */
import { videoGames } from "./api.js";
import { button, h } from "./dom.js";
import { limitChoice, limitInWords } from "./limit_choice.js";

/** How long an agent may think about an action; any other can be written. */
const LIMITS = [
  ["time=10ms", "10 ms"],
  ["time=40ms", "40 ms"],
  ["time=200ms", "200 ms"],
  ["sims=20", "20 iterations"],
  ["sims=200", "200 iterations"],
  ["sims=2000", "2,000 iterations"],
];

/**
 * @param {VideoAgents} agents
 * @param {Driver | null} chosen
 */
export function driverForm(agents, chosen) {
  const now = chosen?.kind === "agent" ? chosen : null;
  const who = h("select", { "aria-label": "Agent", "data-driver": "agent" });
  for (const { name, description } of agents.agents) who.append(h("option", { value: name, title: description }, name));
  who.value = now?.agent ?? agents.default;
  if (who.selectedIndex < 0) who.selectedIndex = 0;
  const limit = limitChoice({
    limits: LIMITS,
    per: "an action",
    wanted: now?.limit ?? agents.limit,
    label: "How long it thinks",
    example: "time=100ms or sims=500",
    otherLabel: "Limit",
    attributes: { "data-driver": "limit" },
  });
  const about = h("p", { class: "quiet-text" });
  const part = h("details", { class: "agent-words" }, h("summary", {}, "What this agent does"), about);
  const explain = () => {
    about.textContent = agents.agents.find(({ name }) => name === who.value)?.description ?? "";
  };
  who.addEventListener("change", explain);
  explain();
  return {
    element: h("div", { class: "driver-form" }, h("div", { class: "row" }, who, ...limit.elements), part),
    /** @returns {Driver} */
    driver: () => ({ kind: "agent", agent: who.value, limit: limit.value() }),
  };
}

/** @param {Driver} driver */
export function driverInWords(driver) {
  if (driver.kind === "human") return "You play";
  if (driver.kind === "replay") return `A replay, played by ${driver.agent}`;
  return `${driver.agent} plays, ${limitInWords(LIMITS, driver.limit)} an action`;
}

/**
 * A part of the page that lets somebody else play.
 * @param {() => Driver} now who plays
 * @param {(driver: Driver) => void} change
 * @param {(error: unknown) => void} fail
 */
export function driverPart(now, change, fail) {
  const summary = h("summary", {}, "Change who plays");
  const element = h("details", { class: "seats-part" }, summary);
  /** @param {Driver} driver */
  const choose = (driver) => {
    element.open = false;
    change(driver);
  };
  element.addEventListener("toggle", () => {
    if (!element.open) return;
    videoGames.agents().then((agents) => {
      const form = driverForm(agents, now());
      element.replaceChildren(
        summary,
        h("div", { class: "row" }, button("Play yourself", () => choose({ kind: "human" }), { "data-quick": "play" })),
        form.element,
        button("Let this agent play", () => choose(form.driver()), { "data-quick": "watch" }),
      );
    }, fail);
  });
  return element;
}
