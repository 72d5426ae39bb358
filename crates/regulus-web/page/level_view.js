/** Before a video game: what it is, which level, and who plays. */

/** @import { Driver, VideoAgents, VideoGame } from "./video_types.js" */
import { button, h } from "./dom.js";
import { driverForm } from "./driver_form.js";
import { notice } from "./notice.js";
import { stagePicture } from "./stage.js";
import { beginVideo, videoAgents, videoGames } from "./video_api.js";
import { sentence, titled } from "./words.js";

/** A seed for a new game. */
export function anySeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

/**
 * @param {HTMLElement} root
 * @param {string} name of a video game
 */
export function levelView(root, name) {
  const message = notice();
  root.append(h("h1", {}, titled(name)), message.element);
  message.say("Loading…");
  void Promise.all([videoGames(), videoAgents()]).then(
    ([games, agents]) => {
      const game = games.find((one) => one.name === name);
      if (!game) {
        message.say(`There is no video game ${name}.`);
        return;
      }
      message.clear();
      if (root.contains(message.element)) show(root, game, agents, message);
    },
    (error) => message.fail(error),
  );
}

/**
 * @param {HTMLElement} root
 * @param {VideoGame} game
 * @param {VideoAgents} agents
 * @param {ReturnType<typeof notice>} message
 */
function show(root, game, agents, message) {
  const heading = root.querySelector("h1");
  if (heading) heading.textContent = game.title;
  document.title = `${game.title} – Regulus`;
  const form = driverForm(agents, null);
  const years = h("select", { "aria-label": "Rules of which year" });
  for (const year of game.profiles) years.append(h("option", { value: year }, `rules of ${year}`));
  const levels = game.levels.map(({ stage, frame }, number) => {
    const choice = h("input", { type: "radio", name: "level", value: number, id: `level-${number}` });
    choice.checked = number === 0;
    const picture = h("span", { class: "picture" }, stagePicture(stage, frame, `${game.title}, level ${number + 1}`));
    return h("label", { class: "level", for: `level-${number}`, "data-level": number }, choice, picture, h("span", {}, `Level ${number + 1}`));
  });
  const fieldset = h("fieldset", { class: "levels" }, h("legend", {}, "Level"), ...levels);
  let starting = false;
  /** @param {Driver} driver */
  const start = async (driver) => {
    if (starting) return;
    starting = true;
    message.say("Starting…");
    const chosen = /** @type {HTMLInputElement | null} */ (fieldset.querySelector("input:checked"));
    try {
      const wanted = { game: game.name, level: Number(chosen?.value ?? 0), profile: years.value, seed: anySeed(), driver };
      location.hash = `#/video/${(await beginVideo(wanted)).id}`;
    } catch (error) {
      starting = false;
      message.fail(error);
    }
  };
  root.append(
    h("p", { class: "lead" }, sentence(game.description)),
    fieldset,
    h(
      "div",
      { class: "starting" },
      h("div", { class: "row" }, button("Play", () => void start({ kind: "human" }), { class: "primary", "data-quick": "play" }), game.profiles.length > 1 && years),
      h(
        "fieldset",
        { class: "watch-form" },
        h("legend", {}, "Or watch an agent"),
        form.element,
        button("Watch", () => void start(form.driver()), { "data-quick": "watch" }),
      ),
    ),
    h("details", { class: "words", open: true }, h("summary", {}, "The rules in words"), h("p", {}, game.rules)),
  );
}
