/** Before a game: what it is, and who plays. */

/** @import { Agents, GameInfo, Seat } from "./types.js" */
/** @import { notice } from "./notice.js" */
import { boardGames } from "./api.js";
import { boardPicture } from "./board.js";
import { button, h } from "./dom.js";
import { takePending } from "./pending_game.js";
import { seatsForm, seatsWith } from "./seats_form.js";
import { rulesInWords, setUp, starter } from "./setup.js";
import { sentence, titled } from "./words.js";

/**
 * @typedef {{ title: string, description: string, words: string, players: string[], picture: Element,
 *   rules: { game: string } | { text: string, name: string } }} Prepared
 */

/**
 * @param {HTMLElement} root
 * @param {string} name of a game of the server; otherwise the game that is pending
 */
export function setupView(root, name) {
  setUp(root, name === "" ? "New game" : titled(name), () => prepare(name), ({ prepared, agents }, message) =>
    show(root, prepared, agents, message));
}

/**
 * @param {string} name
 * @returns {Promise<{ prepared: Prepared, agents: Agents }>}
 */
async function prepare(name) {
  const agents = await boardGames.agents();
  if (name !== "") {
    const game = (await boardGames.games()).find((g) => g.name === name);
    if (!game) throw new Error(`There is no game ${name}.`);
    return { prepared: known(game), agents };
  }
  const pending = takePending();
  if (!pending?.check.scene || !pending.check.pieces || !pending.check.board || !pending.check.players) {
    throw new Error("No game was brought here. Choose one from the games, or drop in its rules.");
  }
  const { scene, pieces, board, players } = pending.check;
  const title = titled(pending.name);
  const prepared = {
    title,
    description: "From the rules that you have brought.",
    words: "",
    players,
    picture: boardPicture(scene, pieces, board, title),
    rules: { text: pending.text, name: pending.name },
  };
  return { prepared, agents };
}

/**
 * @param {GameInfo} game
 * @returns {Prepared}
 */
function known(game) {
  const { title } = game;
  return {
    title,
    description: game.description,
    words: game.rules,
    players: game.players,
    picture: boardPicture(game.scene, game.pieces, game.board, title),
    rules: { game: game.name },
  };
}

/**
 * @param {HTMLElement} root
 * @param {Prepared} prepared
 * @param {Agents} agents
 * @param {ReturnType<typeof notice>} message
 */
function show(root, prepared, agents, message) {
  const { players } = prepared;
  const form = seatsForm(players, seatsWith(players.length, 0, agents.default), agents.agents);
  const begin = starter(boardGames, "play", message);
  /** @param {Seat[]} seats */
  const start = (seats) => begin({ ...prepared.rules, seats });
  const quick = h("div", { class: "row" });
  if (players.length <= 4) {
    players.forEach((player, index) => {
      const text = players.length === 1 ? "Play" : `Play ${player}`;
      const seats = () => void start(seatsWith(players.length, index, agents.default));
      quick.append(button(text, seats, { class: index === 0 ? "primary" : "", "data-quick": `human-${index}` }));
    });
  }
  quick.append(
    button("Watch agents play", () => void start(seatsWith(players.length, null, agents.default)), { "data-quick": "watch" }),
  );
  if (players.length > 1) {
    const together = players.map(() => /** @type {Seat} */ ({ kind: "human" }));
    quick.append(button("All seats for people", () => void start(together), { "data-quick": "people" }));
  }
  const submit = h(
    "form",
    {
      class: "setup-form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void start(form.seats());
      },
    },
    form.element,
    h("button", { type: "submit" }, "Start with these seats"),
  );
  const heading = root.querySelector("h1");
  if (heading) heading.textContent = prepared.title;
  root.append(
    h(
      "div",
      { class: "setup" },
      h("div", { class: "picture" }, prepared.picture),
      h("div", {}, h("p", { class: "lead" }, sentence(prepared.description)), quick, submit),
    ),
    rulesInWords(prepared.words, false),
  );
}
