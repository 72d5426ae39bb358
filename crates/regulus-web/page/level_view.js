/** Before a video game: what it is, which level, and who plays. */

/** @import { Driver, VideoAgents, VideoGame } from "./video_types.js" */
/** @import { notice } from "./notice.js" */
import { videoGames } from "./api.js";
import { button, h } from "./dom.js";
import { driverForm } from "./driver_form.js";
import { anySeed } from "./seed.js";
import { rulesInWords, setUp, starter } from "./setup.js";
import { stagePicture } from "./stage.js";
import { sentence, titled } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {string} name of a video game
 */
export function levelView(root, name) {
  const load = async () => {
    const [games, agents] = await Promise.all([videoGames.games(), videoGames.agents()]);
    const game = games.find((one) => one.name === name);
    if (!game) throw new Error(`There is no video game ${name}.`);
    return { game, agents };
  };
  setUp(root, titled(name), load, ({ game, agents }, message) => show(root, game, agents, message));
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
  const begin = starter(videoGames, "video", message);
  /** @param {Driver} driver */
  const start = (driver) => {
    const chosen = /** @type {HTMLInputElement | null} */ (fieldset.querySelector("input:checked"));
    return begin({ game: game.name, level: Number(chosen?.value ?? 0), profile: years.value, seed: anySeed(), driver });
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
    rulesInWords(game.rules, true),
  );
}
