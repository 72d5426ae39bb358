/** Writing rules: coloured text, what is wrong with it while it is typed, and the board. */

/** @import { Check, Diagnostic } from "./types.js" */
import * as api from "./api.js";
import { boardPicture } from "./board.js";
import { button, h, setText } from "./dom.js";
import { draft, setDraft } from "./draft.js";
import { askForFile, readText, saveFile } from "./files.js";
import { notice } from "./notice.js";
import { setPending } from "./pending_game.js";
import { highlighted, range } from "./rbg_highlight.js";

/** How long nothing must be typed until the rules are checked. */
const QUIET_MS = 250;

/** @param {HTMLElement} root */
export function editorView(root) {
  const kept = draft();
  const message = notice();
  const name = h("input", { value: kept.name, "aria-label": "Name of the game", class: "draft-name" });
  const area = h("textarea", {
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    wrap: "off",
    "aria-label": "Rules in RBG",
    "aria-describedby": "verdict",
  });
  area.value = kept.text;
  const coloured = h("pre", { "aria-hidden": "true" });
  const numbers = h("pre", { class: "numbers", "aria-hidden": "true" });
  const verdict = h("p", { id: "verdict", class: "verdict", role: "status" }, "Checking…");
  const list = h("ol", { class: "diagnostics", "aria-label": "What is wrong" });
  const preview = h("div", { class: "preview" }, h("p", { class: "quiet-text" }, "The board appears here."));
  /** @type {Diagnostic[]} */
  let diagnostics = [];
  /** @type {{ text: string, check: Check } | null} */
  let checked = null;
  let timer = 0;
  let asked = 0;

  const play = button("Play this", () => void playThis(), { class: "primary", id: "play-this", disabled: true });

  const paint = () => {
    coloured.replaceChildren(...highlighted(area.value, diagnostics));
    const lines = area.value.split("\n").length;
    setText(numbers, Array.from({ length: lines }, (_, i) => String(i + 1)).join("\n"));
  };
  const follow = () => {
    coloured.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
    numbers.style.transform = `translateY(${-area.scrollTop}px)`;
  };

  const changed = () => {
    const safe = setDraft(name.value, area.value);
    if (!safe) message.say("The browser does not keep what you write: save it before you leave.");
    // Marks belong to the text that was checked.
    diagnostics = [];
    play.disabled = true;
    paint();
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
    diagnostics = answer.diagnostics;
    paint();
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
    list.replaceChildren(...diagnostics.map(item));
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

  /** @param {Diagnostic} diagnostic */
  function item(diagnostic) {
    const go = () => {
      const { from, to } = range(area.value, diagnostic);
      area.focus();
      area.setSelectionRange(from, to);
      const line = Number.parseFloat(getComputedStyle(area).lineHeight);
      area.scrollTop = Math.max(0, (diagnostic.line - 4) * line);
      follow();
    };
    const place = `${diagnostic.line}:${diagnostic.column}`;
    return h(
      "li",
      { class: diagnostic.severity },
      button(place, go, { class: "link place", "aria-label": `Go to line ${diagnostic.line}, column ${diagnostic.column}` }),
      h("span", {}, h("b", {}, `${diagnostic.severity} ${diagnostic.code}: `), diagnostic.message, diagnostic.help !== null && `. Help: ${diagnostic.help}`),
    );
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
  area.addEventListener("scroll", follow);
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
        h("div", { class: "sheet" }, h("div", { class: "gutter" }, numbers), h("div", { class: "page" }, coloured, area)),
        verdict,
        list,
      ),
      preview,
    ),
    h(
      "p",
      { class: "quiet-text" },
      "What you write is kept in this browser. Ctrl+Enter plays it. Tab leaves the text.",
    ),
  );
  paint();
  void check();
  return () => {
    window.clearTimeout(timer);
    asked++;
    window.removeEventListener("storage", elsewhere);
  };
}

/**
 * @param {number} count
 * @param {string} noun
 */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
