/** What the sprites of a level are. */

/** @import { Cast } from "./cast.js" */
/** @import { StagePlan } from "./video_types.js" */
import { h } from "./dom.js";
import { spriteIcon } from "./stage.js";
import { sentence, spaced } from "./words.js";

/**
 * A list of all types of sprites that can be seen; those that are there come first.
 * @param {StagePlan} plan
 * @param {Cast} cast at the beginning
 */
export function legend(plan, cast) {
  const there = new Set([...cast.sprites.values()].map((sprite) => sprite.type));
  const types = [...plan.order].reverse();
  const sorted = [...types.filter((type) => there.has(type)), ...types.filter((type) => !there.has(type))];
  const items = sorted.map((type) => {
    const look = plan.types[type];
    return h(
      "li",
      { "data-sprite": look.name },
      spriteIcon(look),
      h("span", {}, h("b", {}, spaced(look.name)), h("span", { class: "about" }, ` ${sentence(look.words)}`)),
    );
  });
  return h("details", { class: "legend", open: true }, h("summary", {}, "What is what"), h("ul", {}, ...items));
}
