/** Buttons around a level. They are always there, so that nothing moves; what cannot be done is disabled. */

/** @import { VideoPlay } from "./video_view.js" */
import { button, h } from "./dom.js";
import { askForRecord } from "./games_view.js";

/**
 * What can be done depends on this.
 * @typedef {object} Going
 * @property {boolean} human somebody at the page plays
 * @property {boolean} begun
 * @property {boolean} stopped
 * @property {boolean} over
 * @property {boolean} replay it was played before
 * @property {boolean} film it is played back
 * @property {number} rate ticks a second; 0 is one for every key
 * @property {number} ticks
 */

/** Ticks per second that one can choose. */
const SPEEDS = /** @type {const} */ ([
  [0, "a tick for every key"],
  [2, "2 ticks a second"],
  [5, "5 ticks a second"],
  [10, "10 ticks a second"],
  [20, "20 ticks a second"],
  [40, "40 ticks a second"],
]);

/** @param {VideoPlay} play */
export function videoControls(play) {
  const pause = button("Pause", () => play.togglePause(), { "data-control": "pause" });
  const step = button("One tick", () => play.oneTick(), { "data-control": "step", title: "Play one tick (full stop)" });
  const speed = h("select", { "aria-label": "Speed", "data-control": "speed", onchange: () => play.changeSpeed(Number(speed.value)) });
  const restart = button("Restart", () => void play.begin(null), { "data-control": "restart" });
  const next = button("Next level", () => void play.nextLevel(), { "data-control": "next", hidden: !play.more });
  const again = button("Watch again", () => play.playBack(), { "data-control": "again" });
  const save = button("Save the replay", () => void play.saveReplay(), { "data-control": "save", title: "A file that this page and `regulus play` can play back" });
  const open = button("Open a replay", () => askForRecord(play.message.fail));
  const going = h("div", { class: "row" }, pause, step, speed);
  let offered = "";

  /** @param {Going} going */
  function showSpeeds({ human, film, rate }) {
    const rates = SPEEDS.filter(([value]) => value > 0 || (human && !film));
    const key = rates.map(([value]) => value).join() + (rates.some(([value]) => value === rate) ? "" : ` ${rate}`);
    if (key !== offered) {
      offered = key;
      speed.replaceChildren(...rates.map(([value, words]) => h("option", { value }, words)));
      if (key.includes(" ")) speed.append(h("option", { value: rate }, `${rate} ticks a second`));
    }
    if (document.activeElement !== speed) speed.value = String(rate);
  }

  return {
    elements: [
      going,
      h("div", { class: "row" }, restart, next, again),
      h("div", { class: "row" }, save, open),
    ],
    /** @param {Going} now */
    show(now) {
      const { human, begun, stopped, over, replay, film, rate, ticks } = now;
      going.hidden = replay;
      pause.textContent = human && !begun ? "Start" : stopped ? "Go on" : "Pause";
      pause.disabled = over || film || (human && rate === 0);
      step.disabled = over || film;
      speed.disabled = film;
      again.disabled = ticks === 0 || film || !(over || stopped);
      again.hidden = restart.hidden = replay;
      save.disabled = ticks === 0;
      showSpeeds(now);
    },
  };
}
