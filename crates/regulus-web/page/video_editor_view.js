/** Writing a video game: its rules, a level, what is wrong with them while they are typed, and what it looks like. */

/** @import { VideoCheck } from "./video_types.js" */
import { button, h, setText } from "./dom.js";
import { askForFile, readText, saveFile } from "./files.js";
import { anySeed } from "./level_view.js";
import { notice } from "./notice.js";
import { counted, diagnosticItem, Sheet } from "./sheet.js";
import { stagePicture } from "./stage.js";
import { beginVideo, videoCheck } from "./video_api.js";
import { setVideoDraft, videoDraft } from "./video_draft.js";

/** How long nothing must be typed until the texts are checked. */
const QUIET_MS = 250;

/** @param {HTMLElement} root */
export function videoEditorView(root) {
  const kept = videoDraft();
  const message = notice();
  const name = h("input", { value: kept.name, "aria-label": "Name of the game", class: "draft-name" });
  const sheets = { game: new Sheet("Rules in VGDL", "vgdl", kept.game), level: new Sheet("Level", "plain", kept.level) };
  sheets.level.element.classList.add("small");
  const verdict = h("p", { id: "verdict", class: "verdict", role: "status" }, "Checking…");
  const list = h("ol", { class: "diagnostics", "aria-label": "What is wrong" });
  const preview = h("div", { class: "preview" }, h("p", { class: "quiet-text" }, "The level appears here."));
  let [timer, asked, ready] = [0, 0, false];
  const play = button("Play this", () => void playThis(), { class: "primary", id: "play-this", disabled: true });
  const texts = () => ({ game: sheets.game.area.value, level: sheets.level.area.value });

  const changed = () => {
    if (!setVideoDraft({ name: name.value, ...texts() })) {
      message.say("The browser does not keep what you write: save it before you leave.");
    }
    sheets.game.mark([]);
    sheets.level.mark([]);
    ready = false;
    play.disabled = true;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void check(), QUIET_MS);
  };

  async function check() {
    const turn = ++asked;
    setText(verdict, "Checking…");
    try {
      const answer = await videoCheck(texts());
      if (turn !== asked) return;
      message.clear();
      show(answer);
    } catch (error) {
      if (turn !== asked) return;
      setText(verdict, "The texts could not be checked.");
      message.fail(error);
    }
  }

  /** @param {VideoCheck} answer */
  function show(answer) {
    const { diagnostics } = answer;
    for (const text of /** @type {const} */ (["game", "level"])) {
      sheets[text].mark(diagnostics.filter((one) => one.text === text));
    }
    const errors = diagnostics.filter((one) => one.severity === "error").length;
    const others = counted(diagnostics.length - errors, "warning");
    const warned = diagnostics.length > errors;
    setText(
      verdict,
      answer.ok
        ? `Game and level are correct${warned ? `, with ${others}` : ""}: it can be played.`
        : `This cannot be played: ${counted(errors, "error")}${warned ? `, ${others}` : ""}.`,
    );
    verdict.classList.toggle("good", answer.ok);
    verdict.classList.toggle("bad", !answer.ok);
    ready = answer.ok;
    play.disabled = !answer.ok;
    list.replaceChildren(...diagnostics.map((one) => diagnosticItem(one, () => sheets[one.text].goTo(one), `${one.text} `)));
    if (answer.stage && answer.frame) {
      preview.replaceChildren(stagePicture(answer.stage, answer.frame, name.value));
    } else {
      preview.querySelector(".stage")?.classList.add("stale");
    }
  }

  async function playThis() {
    if (!ready) return;
    play.disabled = true;
    try {
      const wanted = { texts: texts(), name: name.value.trim() || "my game", seed: anySeed() };
      location.hash = `#/video/${(await beginVideo(wanted)).id}`;
    } catch (error) {
      play.disabled = false;
      message.fail(error);
    }
  }

  for (const { area } of [sheets.game, sheets.level]) {
    area.addEventListener("input", changed);
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void playThis();
      }
    });
  }
  name.addEventListener("input", () => setVideoDraft({ name: name.value }));

  /** @param {"game" | "level"} text */
  const open = (text) =>
    askForFile(".txt", (file) => {
      readText(file).then((read) => {
        if (text === "game") name.value = file.name.replace(/\.[^.]*$/, "");
        sheets[text].area.value = read;
        changed();
      }, message.fail);
    });
  /** @param {"game" | "level"} text */
  const save = (text) => {
    const base = name.value.trim() || "my-game";
    saveFile(text === "game" ? `${base}.txt` : `${base}_lvl0.txt`, sheets[text].area.value, "text/plain");
  };

  root.append(
    h("h1", {}, "Write a video game"),
    h("div", { class: "tools" }, name, play),
    message.element,
    h(
      "div",
      { class: "editor" },
      h(
        "div",
        { class: "writing" },
        h("div", { class: "row" }, h("h2", {}, "Game"), button("Open", () => open("game")), button("Save", () => save("game"))),
        sheets.game.element,
        h("div", { class: "row" }, h("h2", {}, "Level"), button("Open", () => open("level")), button("Save", () => save("level"))),
        sheets.level.element,
        verdict,
        list,
      ),
      preview,
    ),
    h(
      "p",
      { class: "quiet-text" },
      "What you write is kept in this browser. Ctrl+Enter plays it. Tab leaves the text. ",
      h("a", { href: "#/write" }, "Write a board game instead"),
      ".",
    ),
  );
  void check();
  return () => {
    window.clearTimeout(timer);
    asked++;
  };
}
