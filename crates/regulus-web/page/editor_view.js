/** Writing rules: coloured texts, what is wrong with them while they are typed, and what they look like. */

/** @import { Diagnostic } from "./types.js" */
/** @import { Language as Colours } from "./highlight.js" */
/** @import { boardDraft } from "./draft.js" */
import { button, h, setText } from "./dom.js";
import { askForFile, readText, saveFile } from "./files.js";
import { notice } from "./notice.js";
import { counted, diagnosticItem, Sheet } from "./sheet.js";
import { storedAs } from "./settings.js";

/**
 * A text of a game.
 * @typedef {object} Text
 * @property {string} name by which the server and the browser know it
 * @property {string} label
 * @property {Colours} colours
 * @property {string | null} heading if there are several
 * @property {string} opens files that can be opened
 * @property {string} ending of the name of a file
 *
 * @typedef {{ [name: string]: string }} Texts
 * @typedef {{ ok: boolean, diagnostics: (Diagnostic & { text?: string })[] }} Answer
 */

/**
 * What differs between languages.
 * @template {Answer} A
 * @typedef {object} Language
 * @property {string} title
 * @property {string} verdict such as "The rules are"
 * @property {string} empty what is said before there is a picture
 * @property {typeof boardDraft} draft
 * @property {Text[]} texts
 * @property {(texts: Texts) => Promise<A>} check
 * @property {(answer: A, name: string) => { picture: Element, caption: string } | null} preview
 * @property {(name: string, texts: Texts, answer: A) => Promise<void>} play
 * @property {{ address: string, words: string }} other language
 */

/** How long nothing must be typed until the texts are checked. */
const QUIET_MS = 250;

/**
 * @template {Answer} A
 * @param {Language<A>} language
 * @returns {(root: HTMLElement) => () => void}
 */
export function editorView(language) {
  return (root) => new Editor(root, language).leave;
}

/** @template {Answer} A */
class Editor {
  /**
   * @param {HTMLElement} root
   * @param {Language<A>} language
   */
  constructor(root, language) {
    const { draft, texts, other } = language;
    this.language = language;
    this.message = notice();
    this.name = h("input", { value: draft.text("name"), "aria-label": "Name of the game", class: "draft-name" });
    this.sheets = new Map(texts.map(({ name, label, colours }) => [name, new Sheet(label, colours, draft.text(name))]));
    this.verdict = h("p", { id: "verdict", class: "verdict", role: "status" }, "Checking…");
    this.list = h("ol", { class: "diagnostics", "aria-label": "What is wrong" });
    this.preview = h("div", { class: "preview" }, h("p", { class: "quiet-text" }, language.empty));
    this.playButton = button("Play this", () => void this.play(), { class: "primary", id: "play-this", disabled: true });
    /** What can be played. @type {{ texts: Texts, answer: A } | null} */
    this.ready = null;
    this.timer = 0;
    this.asked = 0;

    const files = new Map(texts.map((text) => [
      text.name,
      [button("Open", () => this.open(text)), button("Save", () => this.save(text))],
    ]));
    const alone = texts.length === 1 ? files.get(texts[0].name) ?? [] : [];
    const writing = texts.flatMap(({ name, heading }) => {
      const sheet = this.sheet(name);
      if (name !== texts[0].name) sheet.element.classList.add("small");
      return heading === null ? [sheet.element] : [h("div", { class: "row" }, h("h2", {}, heading), ...(files.get(name) ?? [])), sheet.element];
    });
    root.append(
      h("h1", {}, language.title),
      h("div", { class: "tools" }, this.name, this.playButton, ...alone),
      this.message.element,
      h("div", { class: "editor" }, h("div", { class: "writing" }, ...writing, this.verdict, this.list), this.preview),
      h(
        "p",
        { class: "quiet-text" },
        "What you write is kept in this browser. Ctrl+Enter plays it. Tab leaves the text. ",
        h("a", { href: other.address }, other.words),
        ".",
      ),
    );

    this.name.addEventListener("input", () => draft.keep({ name: this.name.value }));
    for (const { area } of this.sheets.values()) {
      area.addEventListener("input", () => this.changed());
      area.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void this.play();
      });
    }
    /** @param {StorageEvent} event */
    const elsewhere = (event) => this.changedElsewhere(event);
    window.addEventListener("storage", elsewhere);
    this.leave = () => {
      window.clearTimeout(this.timer);
      this.asked++;
      window.removeEventListener("storage", elsewhere);
    };
    void this.check();
  }

  /** The sheet of a text; of the first one if it is not said which. @param {string} [name] */
  sheet(name = this.language.texts[0].name) {
    return /** @type {Sheet} */ (this.sheets.get(name));
  }

  /** @returns {Texts} */
  texts() {
    return Object.fromEntries([...this.sheets].map(([name, { area }]) => [name, area.value]));
  }

  /** True if nothing was typed since. @param {Texts} texts */
  isCurrent(texts) {
    return [...this.sheets].every(([name, { area }]) => area.value === texts[name]);
  }

  changed() {
    if (!this.language.draft.keep({ name: this.name.value, ...this.texts() })) {
      this.message.say("The browser does not keep what you write: save it before you leave.");
    }
    // Marks belong to the text that was checked.
    for (const sheet of this.sheets.values()) sheet.mark([]);
    this.ready = null;
    this.playButton.disabled = true;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), QUIET_MS);
  }

  /**
   * Another tab has written: what is older here must not come back.
   * @param {StorageEvent} event
   */
  changedElsewhere({ key, newValue }) {
    for (const [name, { area }] of this.sheets) {
      if (key !== storedAs(`${this.language.draft.place}.${name}`) || newValue === null || newValue === area.value) continue;
      area.value = newValue;
      this.changed();
      this.message.say("This was changed in another tab.");
    }
  }

  async check() {
    const texts = this.texts();
    const turn = ++this.asked;
    setText(this.verdict, "Checking…");
    try {
      const answer = await this.language.check(texts);
      if (turn !== this.asked || !this.isCurrent(texts)) return;
      this.message.clear();
      this.show(texts, answer);
    } catch (error) {
      if (turn !== this.asked) return;
      setText(this.verdict, "This could not be checked.");
      this.message.fail(error);
    }
  }

  /**
   * @param {Texts} texts
   * @param {A} answer
   */
  show(texts, answer) {
    const { diagnostics, ok } = answer;
    for (const sheet of this.sheets.values()) sheet.mark(diagnostics.filter(({ text }) => this.sheet(text) === sheet));
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    const others = diagnostics.length - errors;
    const warnings = others > 0 ? counted(others, "warning") : "";
    const problems = [errors > 0 && counted(errors, "error"), warnings].filter(Boolean).join(", ");
    const correct = `${this.language.verdict} correct${warnings && `, with ${warnings}`}: the game can be played.`;
    setText(this.verdict, ok ? correct : `This cannot be played: ${problems}.`);
    this.verdict.classList.toggle("good", ok);
    this.verdict.classList.toggle("bad", !ok);
    this.ready = ok ? { texts, answer } : null;
    this.playButton.disabled = !ok;
    this.list.replaceChildren(
      ...diagnostics.map((one) => diagnosticItem(one, () => this.sheet(one.text).goTo(one), one.text ? `${one.text} ` : "")),
    );
    const drawn = this.language.preview(answer, this.name.value);
    if (drawn) {
      this.preview.replaceChildren(drawn.picture, h("p", { class: "quiet-text" }, drawn.caption));
      return;
    }
    const [picture, caption] = this.preview.children;
    if (!caption) return;
    picture.classList.add("stale");
    setText(caption, "What it looked like when it was correct.");
  }

  async play() {
    if (!this.ready || !this.isCurrent(this.ready.texts)) return;
    this.playButton.disabled = true;
    try {
      await this.language.play(this.name.value.trim() || "my game", this.ready.texts, this.ready.answer);
    } catch (error) {
      this.playButton.disabled = false;
      this.message.fail(error);
    }
  }

  /** @param {Text} text */
  open({ name, opens }) {
    askForFile(opens, (file) => {
      readText(file).then((read) => {
        if (name === this.language.texts[0].name) this.name.value = file.name.replace(/\.[^.]*$/, "");
        this.sheet(name).area.value = read;
        this.changed();
      }, this.message.fail);
    });
  }

  /** @param {Text} text */
  save({ name, ending }) {
    saveFile(`${this.name.value.trim() || "my-game"}${ending}`, this.sheet(name).area.value, "text/plain");
  }
}
