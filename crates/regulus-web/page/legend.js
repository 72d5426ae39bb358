/** What the sprites of a level are. */

/** @import { StagePlan } from "./video_types.js" */
import { h } from "./dom.js";
import { spriteIcon } from "./stage.js";
import { spaced } from "./words.js";

/** @param {StagePlan} plan */
export function legend(plan) {
  const items = plan.legend.map((type) => {
    const { name, words } = plan.types[type];
    const about = words.charAt(0).toUpperCase() + words.slice(1);
    return h(
      "li",
      { "data-sprite": name },
      spriteIcon(plan.types[type]),
      h("span", {}, h("b", {}, spaced(name)), h("span", { class: "about" }, ` ${about}`)),
    );
  });
  return h("details", { class: "legend", open: true }, h("summary", {}, "What is what"), h("ul", {}, ...items));
}
