/** Score, time, health and what the avatar holds. */

/** @import { Frame, SpriteLook } from "./video_types.js" */
import { h, setText } from "./dom.js";
import { spriteIcon } from "./stage.js";
import { spaced } from "./words.js";

/** @param {SpriteLook[]} looks */
export function hud(looks) {
  const score = h("dd", { "data-figure": "score" }, "0");
  const tick = h("dd", { "data-figure": "tick" }, "0");
  const meter = h("meter", { min: 0, low: 0, "aria-label": "Health" });
  const health = h("dd", {}, meter);
  const healthPart = h("div", { hidden: true }, h("dt", {}, "Health"), health);
  const result = h("dd", { "data-figure": "result" });
  const resultPart = h("div", { class: "result", hidden: true }, h("dt", {}, "Result"), result);
  const held = h("ul", { class: "held", "aria-label": "What you hold" });
  let shown = "";
  return {
    element: h(
      "div",
      { class: "hud" },
      h("dl", {}, h("div", {}, h("dt", {}, "Score"), score), h("div", {}, h("dt", {}, "Tick"), tick), healthPart, resultPart),
      held,
    ),
    /** @param {Frame} frame */
    show(frame) {
      setText(score, String(frame.score));
      setText(tick, String(frame.tick));
      resultPart.hidden = frame.result === null;
      setText(result, frame.result ?? "");
      result.className = frame.result ?? "";
      healthPart.hidden = frame.health === null;
      if (frame.health) {
        const [points, most] = frame.health;
        meter.max = Math.max(most, 1);
        meter.value = points;
        meter.title = `${points} of ${most}`;
      }
      const key = frame.resources.join(" ");
      if (key === shown) return;
      shown = key;
      held.replaceChildren(
        ...frame.resources.map(([type, count]) => {
          const look = looks[type];
          return h("li", { title: spaced(look.name), "data-resource": look.name }, spriteIcon(look), ` ${count}`);
        }),
      );
    },
  };
}
