/** Writing rules: coloured text, what is wrong with it while it is typed, and the board. */

/** @import { Check } from "./types.js" */
import * as api from "./api.js";
import { boardPicture } from "./board.js";
import { button, h, setText } from "./dom.js";
import { draft, setDraft } from "./draft.js";
import { askForFile, readText, saveFile } from "./files.js";
import { notice } from "./notice.js";
import { setPending } from "./pending_game.js";
import { counted, diagnosticItem, Sheet } from "./sheet.js";

/** How long nothing must be typed until the rules are checked. */
const QUIET_MS = 250;

/** @param {HTMLElement} root */
export function editorView(root) {
  const kept = draft();
  const message = notice();
  const name = h("input", { value: kept.name, "aria-label": "Name of the game", class: "draft-name" });
  const sheet = new Sheet("Rules in RBG", "rbg", kept.text);
  const { area } = sheet;
  const verdict = h("p", { id: "verdict", class: "verdict", role: "status" }, "Checking…");
  const list = h("ol", { class: "diagnostics", "aria-label": "What is wrong" });
  const preview = h("div", { class: "preview" }, h("p", { class: "quiet-text" }, "The board appears here."));
  /** @type {{ text: string, check: Check } | null} */
  let checked = null;
  let timer = 0;
  let asked = 0;

  const play = button("Play this", () => void playThis(), { class: "primary", id: "play-this", disabled: true });

  const changed = () => {
    const safe = setDraft(name.value, area.value);
    if (!safe) message.say("The browser does not keep what you write: save it before you leave.");
    // Marks belong to the text that was checked.
    sheet.mark([]);
    play.disabled = true;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void check(), QUIET_MS);
  };

  async function check() {
    const text = area.value;
    const turn = ++asked;
    setText(verdict, "Checking…");
    try {
      const answer = await api.check(text);
      if (turn !== asked || text !== area.value) return;
      checked = { text, check: answer };
      message.clear();
      show(answer);
    } catch (error) {
      if (turn !== asked) return;
      setText(verdict, "The rules could not be checked.");
      message.fail(error);
    }
  }

  /** @param {Check} answer */
  function show(answer) {
    const { diagnostics } = answer;
    sheet.mark(diagnostics);
    const errors = diagnostics.filter((d) => d.severity === "error").length;
    const others = diagnostics.length - errors;
    const parts = [];
    if (errors > 0) parts.push(counted(errors, "error"));
    if (others > 0) parts.push(counted(others, "warning"));
    setText(
      verdict,
      answer.ok
        ? `The rules are correct${others > 0 ? `, with ${counted(others, "warning")}` : ""}: the game can be played.`
        : `The rules cannot be played: ${parts.join(", ")}.`,
    );
    verdict.classList.toggle("good", answer.ok);
    verdict.classList.toggle("bad", !answer.ok);
    play.disabled = !answer.ok;
    list.replaceChildren(...diagnostics.map((one) => diagnosticItem(one, () => sheet.goTo(one))));
    if (answer.scene && answer.pieces && answer.board) {
      preview.replaceChildren(
        boardPicture(answer.scene, answer.pieces, answer.board, name.value),
        h("p", { class: "quiet-text" }, `Players: ${(answer.players ?? []).join(", ")}`),
      );
    } else {
      const board = preview.querySelector(".board");
      board?.classList.add("stale");
      if (board) board.nextElementSibling?.replaceChildren("The board of the last rules that were correct.");
    }
  }

  async function playThis() {
    if (!checked?.check.ok || checked.text !== area.value) return;
    setPending({ name: name.value.trim() || "my game", text: checked.text, check: checked.check });
    location.hash = "#/new/";
  }

  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!play.disabled) void playThis();
    }
  };

  area.addEventListener("input", changed);
  area.addEventListener("keydown", keys);
  name.addEventListener("input", () => setDraft(name.value, area.value));
  /** Another tab has written: what is older here must not come back.
   * @param {StorageEvent} event */
  const elsewhere = (event) => {
    if (event.key !== "regulus.draft.text" || event.newValue === null || event.newValue === area.value) return;
    area.value = event.newValue;
    changed();
    message.say("The rules were changed in another tab.");
  };
  window.addEventListener("storage", elsewhere);

  const open = () =>
    askForFile(".rbg,.txt", (file) => {
      readText(file).then((text) => {
        name.value = file.name.replace(/\.[^.]*$/, "");
        area.value = text;
        changed();
      }, message.fail);
    });

  root.append(
    h("h1", {}, "Write rules"),
    h(
      "div",
      { class: "tools" },
      name,
      play,
      button("Open", open),
      button("Save", () => saveFile(`${name.value.trim() || "my-game"}.rbg`, area.value, "text/plain")),
    ),
    message.element,
    h(
      "div",
      { class: "editor" },
      h(
        "div",
        { class: "writing" },
        sheet.element,
        verdict,
        list,
      ),
      preview,
    ),
    h(
      "p",
      { class: "quiet-text" },
      "What you write is kept in this browser. Ctrl+Enter plays it. Tab leaves the text. ",
      h("a", { href: "#/write-video" }, "Write a video game instead"),
      ".",
    ),
  );
  void check();
  return () => {
    window.clearTimeout(timer);
    asked++;
    window.removeEventListener("storage", elsewhere);
  };
}
