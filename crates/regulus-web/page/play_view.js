/** A game that is played, watched or looked at again. */

/** @import { Choice, Seat, Thinking, View } from "./types.js" */
/** @import { notice } from "./notice.js" */
import { ApiError, boardGames } from "./api.js";
import { Board, marksOf, pieceIcon } from "./board.js";
import { controls } from "./controls.js";
import { button, h, setText, svg } from "./dom.js";
import { saveFile } from "./files.js";
import { MoveList } from "./move_list.js";
import { seatInWords, seatsForm } from "./seats_form.js";
import { playerColours } from "./player_colour.js";
import { sessionView } from "./session_view.js";
import { remember, remembered } from "./settings.js";
import { ThinkingView } from "./thinking_view.js";
import { readable, sentence, spaced, titled } from "./words.js";

export const playView = sessionView(boardGames, (root, view, message) => new Play(root, view, message));

export class Play {
  /**
   * @param {HTMLElement} root
   * @param {View} view
   * @param {ReturnType<typeof notice>} message
   */
  constructor(root, view, message) {
    this.id = view.id;
    this.view = view;
    this.message = message;
    /** @type {Promise<void> | null} until the answer to what was asked for is here */
    this.busy = null;
    /** The choices at the beginning of the move that is being entered. @type {{ ply: number, choices: Choice[] } | null} */
    this.first = null;
    /** A vertex at which several things can be done. @type {number | null} */
    this.open = null;
    this.heat = remembered("heat", "on") === "on";
    remember("session", view.id);
    const title = titled(view.game.name);
    document.title = `${title} – Regulus`;
    if (!view.scene || !view.pieces) throw new Error("The server has not said how the board is drawn.");
    this.colours = playerColours(view.game.players, view.pieces);
    this.board = new Board(view.scene, view.pieces, title, {
      choose: (vertex) => void this.chooseVertex(vertex),
      back: () => void this.back(),
    });
    this.status = h("p", { class: "status", role: "status", "aria-live": "polite" });
    this.steps = h("p", { class: "steps" });
    this.buttons = h("div", { class: "choices", role: "group", "aria-label": "Choices" });
    this.seats = h("ul", { class: "seats", "aria-label": "Players" });
    this.variables = h("dl", { class: "variables" });
    this.moves = new MoveList((ply) => void this.perform("goto", { ply }));
    this.thinking = new ThinkingView(view.id, view.game.players, this.colours, (vertices) => this.peek(vertices));
    this.controls = controls(this);
    this.seatsPart = h("details", { class: "seats-part" }, h("summary", {}, "Change who plays"));
    this.seatsPart.addEventListener("toggle", () => {
      if (this.seatsPart.open) void this.showSeatsForm();
    });
    const box = h("div", { class: "board-box" }, this.board.element);
    // The board is as large as the window allows, and never changes its size with what is said around it.
    box.style.setProperty("--ratio", String(view.scene.width / view.scene.height));
    this.element = h(
        "div",
        { class: "play" },
        h("div", { class: "table-side" }, this.status, this.steps, box, this.buttons, this.controls.moving),
        h(
          "div",
          { class: "panel" },
          this.seats,
          this.controls.watching,
          this.moves.element,
          this.controls.keeping,
          this.seatsPart,
          this.thinking.element,
          h("details", { class: "variables-part" }, h("summary", {}, "Variables of the rules"), this.variables),
        ),
    );
    root.append(h("h1", {}, title), this.message.element, this.element);
    this.show(view);
    this.stopListening = boardGames.listen(view.id, {
      view: (next) => this.show(next),
      thinking: (thinking) => this.think(thinking),
      connected: (yes) => void this.connected(yes),
    });
    /** @param {KeyboardEvent} event */
    this.key = (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === "Escape" && !typing && !event.defaultPrevented) void this.back();
    };
    document.addEventListener("keydown", this.key);
  }

  close() {
    this.stopListening();
    document.removeEventListener("keydown", this.key);
  }

  /** @param {boolean} yes */
  async connected(yes) {
    if (yes) {
      this.message.clear();
      return;
    }
    this.message.say("The connection is lost; trying again…");
    try {
      this.show(await boardGames.view(this.id));
    } catch (error) {
      this.message.fail(error);
    }
  }

  /**
   * Shows a view, unless it is older than what is shown.
   * @param {View} view
   */
  show(view) {
    if (view.revision < this.view.revision) return;
    if (view.plies === 0 && this.view.plies > 0) this.thinking.forget();
    if (view.revision !== this.view.revision) this.open = null;
    this.view = view;
    if (view.chosen.length === 0) this.first = { ply: view.ply, choices: view.choices };
    const over = view.status === "over";
    setText(this.status, over && view.outcome ? `The game is over: ${view.outcome}.` : sentence(view.text));
    this.status.classList.toggle("over", over);
    const chosen = view.chosen.map((step) => readable(step.text)).join(", ");
    const hint = view.hint ? `Hint: ${readable(view.hint.text)} (${Math.round(view.hint.share * 100)}% of the search).` : "";
    setText(this.steps, chosen === "" ? hint : `Chosen: ${chosen}. Escape steps back.`);
    this.board.show(view.board, this.marks());
    this.showButtons();
    this.showSeats();
    this.showVariables();
    this.moves.show(view);
    this.controls.show(view);
    this.element.dataset.status = view.status;
    this.element.dataset.revision = String(view.revision);
  }

  marks() {
    const marks = marksOf(this.view);
    if (this.heat && this.latest && this.latest.ply === this.view.ply && this.view.status !== "over") {
      for (const { vertex, share } of this.latest.heat) marks.heat.set(vertex, share);
    }
    return marks;
  }

  get latest() {
    return this.thinking.latest;
  }

  /** Whether thoughts are shown on the board. @param {boolean} on */
  setHeat(on) {
    this.heat = on;
    remember("heat", on ? "on" : "off");
    this.showHeat();
  }

  showHeat() {
    this.board.showHeat(this.marks().heat);
  }

  /** @param {number[]} vertices */
  peek(vertices) {
    const marks = this.marks();
    if (vertices.length > 0) marks.hint = vertices;
    this.board.show(this.view.board, marks);
  }

  /** @param {Thinking} thinking */
  think(thinking) {
    this.thinking.show(thinking);
    this.showHeat();
  }

  showButtons() {
    const { view } = this;
    const wanted = view.choices.filter((choice) => choice.vertex === null || choice.vertex === this.open);
    const key = wanted.map((choice) => `${choice.id}:${choice.text}`).join("|") + view.revision;
    if (this.buttons.dataset.key === key) return;
    this.buttons.dataset.key = key;
    this.buttons.replaceChildren(
      ...wanted.map((choice) => {
        const made = button("", () => void this.choose(choice), { class: "primary" });
        const look = this.board.looks.find((piece) => piece.name === choice.text && piece.kind !== "none");
        if (look) made.append(pieceIcon(look), spaced(look.name));
        else made.append(sentence(readable(choice.text)));
        return made;
      }),
    );
  }

  showSeats() {
    const { view } = this;
    this.seats.replaceChildren(
      ...view.game.players.map((player, index) => {
        const turn = view.player === index && view.status !== "over";
        const score = view.scores && view.status === "over" ? ` – ${view.scores[index]} points` : "";
        const seat = view.seats[index];
        return h(
          "li",
          { class: turn ? "turn" : "", "aria-current": turn ? "true" : null },
          counter(this.colours[index]),
          h("b", {}, player),
          h("span", {}, ` ${seat ? seatInWords(seat) : ""}${view.resigned === index ? " (resigned)" : ""}${score}`),
        );
      }),
    );
  }

  showVariables() {
    this.variables.replaceChildren(
      ...this.view.variables.map(({ name, value }) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))),
    );
  }

  async showSeatsForm() {
    const summary = this.seatsPart.firstElementChild;
    try {
      const { agents } = await boardGames.agents();
      const form = seatsForm(this.view.game.players, this.view.seats, agents);
      const apply = h(
        "form",
        {
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.setSeats(form.seats());
          },
        },
        form.element,
        h("button", { type: "submit" }, "Play on with these seats"),
      );
      this.seatsPart.replaceChildren(...(summary ? [summary] : []), apply);
    } catch (error) {
      this.message.fail(error);
    }
  }

  /** @param {Seat[]} seats */
  async setSeats(seats) {
    if (await this.performHere("seats", { seats })) this.seatsPart.open = false;
  }

  /**
   * Asks the server for something. True if it was done.
   * @param {string} command
   * @param {{ [key: string]: unknown }} body
   * @returns {Promise<boolean>}
   */
  async perform(command, body) {
    // What was done may be shown before the answer is here: who is quick is not overheard. What was meant for another
    // position, as the second click of two is, is.
    while (this.busy !== null) {
      if (body.revision === undefined) return false;
      await this.busy;
      if (body.revision !== this.view.revision) return false;
    }
    let done = () => {};
    this.busy = new Promise((resolve) => {
      done = resolve;
    });
    try {
      const view = await boardGames.perform(this.id, command, body);
      this.message.clear();
      this.show(view);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "stale" && error.view) this.show(error.view);
      this.message.fail(error);
      return false;
    } finally {
      this.busy = null;
      done();
    }
  }

  /**
   * The same for something that is meant for the position that is shown, and no other.
   * @param {string} command
   * @param {{ [key: string]: unknown }} [body]
   */
  performHere(command, body = {}) {
    return this.perform(command, { revision: this.view.revision, ...body });
  }

  /** @param {Choice} choice */
  choose(choice) {
    return this.performHere("choose", { choice: choice.id });
  }

  /** @param {number} vertex */
  async chooseVertex(vertex) {
    const { view } = this;
    const here = view.choices.filter((choice) => choice.vertex === vertex);
    if (here.length === 1) {
      await this.choose(here[0]);
      return;
    }
    if (here.length > 1) {
      this.open = vertex;
      this.showButtons();
      /** @type {HTMLElement | null} */ (this.buttons.firstElementChild)?.focus();
      return;
    }
    const name = readable(this.board.scene.cells.find((cell) => cell.vertex === vertex)?.name ?? "");
    if (view.chosen.length > 0) {
      // Whoever chooses another piece means: not that one, this one.
      const other = this.first?.ply === view.ply && this.first.choices.some((choice) => choice.vertex === vertex);
      const again = view.chosen.at(-1)?.vertex === vertex;
      for (let i = view.chosen.length; i > 0 && (other || again); i--) {
        if (!(await this.performHere("back"))) return;
        if (again) return;
      }
      const choice = other ? this.view.choices.find((c) => c.vertex === vertex) : undefined;
      if (choice) {
        await this.choose(choice);
        return;
      }
      this.message.say(`${name} cannot be chosen now. Escape steps back.`);
    } else if (view.status === "choosing" || view.status === "looking") {
      this.message.say(`${name} cannot be chosen now.`);
    } else {
      this.message.say(sentence(view.text));
    }
  }

  async back() {
    if (this.open !== null) {
      this.open = null;
      this.showButtons();
    } else if (this.view.chosen.length > 0) {
      await this.performHere("back");
    }
  }

  async restart() {
    const begun = this.view.plies > 0 && this.view.outcome === null;
    if (begun && !window.confirm("Begin again? The moves so far are forgotten.")) return;
    if (await this.performHere("restart")) this.thinking.forget();
  }

  async save() {
    try {
      const saved = JSON.parse(await boardGames.record(this.id));
      saveFile(`${this.view.game.name}.json`, `${JSON.stringify(saved, null, 2)}\n`, "application/json");
    } catch (error) {
      this.message.fail(error);
    }
  }
}

/**
 * A small disc in the colour of a player.
 * @param {string} colour
 */
function counter(colour) {
  return svg("svg", { class: "colour", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", { cx: 5, cy: 5, r: 4, fill: colour }));
}
