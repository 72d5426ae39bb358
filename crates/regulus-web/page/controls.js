/** Buttons around a game. They are always there, so that nothing moves; what cannot be done is disabled. */

/** @import { View } from "./types.js" */
/** @import { Play } from "./play_view.js" */
import { button, h } from "./dom.js";
import { askForRecord } from "./games_view.js";

/** Pauses between moves of agents. */
/** @type {[number, string][]} */
const SPEEDS = [
  [0, "no pause"],
  [500, "pause 0.5 s"],
  [1000, "pause 1 s"],
  [3000, "pause 3 s"],
];

/** @param {Play} play */
export function controls(play) {
  /** @param {number} ply */
  const go = (ply) => void play.perform("goto", { ply });
  const back = button("Step back", () => void play.back(), { title: "Take back the last step of this move (Escape)" });
  const undo = button("Undo", () => void play.performHere("undo"), { title: "Take back the last move, and the answers to it" });
  const hint = button("Hint", () => void play.perform("hint", {}), { title: "Let an agent look for a move" });
  const resign = button("Resign", () => {
    if (window.confirm("Resign this game?")) void play.performHere("resign");
  });
  const restart = button("Restart", () => void play.restart());
  const pause = button("Pause", () => void play.perform("pause", { paused: !play.view.paused }), { "data-control": "pause" });
  const step = button("One move", () => void play.perform("step", {}), { title: "Let the agent make one move", "data-control": "step" });
  const speed = h("select", {
    "aria-label": "Speed of agents",
    onchange: () => void play.perform("speed", { ms: Number(speed.value) }),
  });
  for (const [ms, words] of SPEEDS) speed.append(h("option", { value: ms }, words));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Position of the game",
    onchange: () => go(Number(slider.value)),
  });
  const begin = button("|◀", () => go(0), { "aria-label": "To the beginning" });
  const previous = button("◀", () => go(play.view.ply - 1), { "aria-label": "One move back" });
  const next = button("▶", () => go(play.view.ply + 1), { "aria-label": "One move on" });
  const end = button("▶|", () => go(play.view.plies), { "aria-label": "To the end" });
  const counter = h("output", { class: "counter" }, "0 / 0");
  const heat = h("input", { type: "checkbox", id: "heat" });
  heat.checked = play.heat;
  heat.addEventListener("change", () => play.setHeat(heat.checked));
  const save = button("Save the game", () => void play.save(), { title: "A file that this page and `regulus play` can load" });

  const load = button("Load", () => askForRecord(play.message.fail), { title: "Open a game that was saved here or by `regulus play`" });

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
      pause.textContent = view.paused ? "Go on" : "Pause";
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
