/** Buttons around a game. They are always there, so that nothing moves; what cannot be done is disabled. */

/** @import { View } from "./types.js" */
import { button, h } from "./dom.js";

/**
 * @typedef {object} Actions
 * @property {() => void} back
 * @property {() => void} undo
 * @property {() => void} restart
 * @property {() => void} hint
 * @property {() => void} resign
 * @property {(paused: boolean) => void} pause
 * @property {() => void} step
 * @property {(ms: number) => void} speed
 * @property {(ply: number) => void} goto
 * @property {() => void} save
 * @property {() => void} load
 * @property {(on: boolean) => void} heat
 */

/** Pauses between moves of agents. */
/** @type {[number, string][]} */
const SPEEDS = [
  [0, "no pause"],
  [500, "pause 0.5 s"],
  [1000, "pause 1 s"],
  [3000, "pause 3 s"],
];

/**
 * @param {Actions} actions
 * @param {boolean} heatOn
 */
export function controls(actions, heatOn) {
  let paused = false;
  let [ply, plies] = [0, 0];
  const back = button("Step back", actions.back, { title: "Take back the last step of this move (Escape)" });
  const undo = button("Undo", actions.undo, { title: "Take back the last move, and the answers to it" });
  const hint = button("Hint", actions.hint, { title: "Let an agent look for a move" });
  const resign = button("Resign", actions.resign);
  const restart = button("Restart", actions.restart);
  const pause = button("Pause", () => actions.pause(!paused), { "data-control": "pause" });
  const step = button("One move", actions.step, { title: "Let the agent make one move", "data-control": "step" });
  const speed = h("select", {
    "aria-label": "Speed of agents",
    onchange: () => actions.speed(Number(speed.value)),
  });
  for (const [ms, words] of SPEEDS) speed.append(h("option", { value: ms }, words));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Position of the game",
    onchange: () => actions.goto(Number(slider.value)),
  });
  const begin = button("|◀", () => actions.goto(0), { "aria-label": "To the beginning" });
  const previous = button("◀", () => actions.goto(ply - 1), { "aria-label": "One move back" });
  const next = button("▶", () => actions.goto(ply + 1), { "aria-label": "One move on" });
  const end = button("▶|", () => actions.goto(plies), { "aria-label": "To the end" });
  const counter = h("output", { class: "counter" }, "0 / 0");
  const heat = h("input", { type: "checkbox", id: "heat" });
  heat.checked = heatOn;
  heat.addEventListener("change", () => actions.heat(heat.checked));
  const save = button("Save the game", actions.save, { title: "A file that this page and `regulus play` can load" });

  const load = button("Load", actions.load, { title: "Open a game that was saved here or by `regulus play`" });

  return {
    moving: h("div", { class: "row moving" }, back, undo, hint, restart, resign),
    watching: h("div", { class: "row watching" }, pause, step, speed),
    keeping: h(
      "div",
      { class: "keeping" },
      h("div", { class: "row stepping" }, begin, previous, slider, next, end, counter),
      h("div", { class: "row" }, save, load),
      h("div", { class: "row" }, h("label", { for: "heat" }, heat, " show thoughts on the board")),
    ),
    /** @param {View} view */
    show(view) {
      const agents = view.seats.some((seat) => seat.kind === "agent");
      const human = view.player !== null && view.seats[view.player]?.kind === "human";
      const over = view.status === "over";
      [ply, plies] = [view.ply, view.plies];
      paused = view.paused;
      pause.textContent = paused ? "Go on" : "Pause";
      pause.disabled = !agents || over;
      step.disabled = !agents || over || view.status !== "paused";
      if (document.activeElement !== speed) {
        if (![...speed.options].some((option) => option.value === String(view.speed_ms))) {
          speed.append(h("option", { value: view.speed_ms }, `pause ${view.speed_ms / 1000} s`));
        }
        speed.value = String(view.speed_ms);
      }
      speed.disabled = !agents;
      back.disabled = view.chosen.length === 0;
      undo.disabled = view.plies === 0;
      hint.disabled = !human || view.status !== "choosing" || view.hinting;
      hint.textContent = view.hinting ? "Looking…" : "Hint";
      resign.disabled = over || !view.seats.some((seat) => seat.kind === "human");
      slider.max = String(view.plies);
      slider.value = String(view.ply);
      slider.disabled = view.plies === 0;
      begin.disabled = previous.disabled = view.ply === 0;
      next.disabled = end.disabled = view.ply >= view.plies;
      counter.textContent = `${view.ply} / ${view.plies}`;
    },
  };
}
