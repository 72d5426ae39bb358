/** A text that is written: with colours, numbers of lines, and marks where something is wrong. */

/** @import { Language } from "./highlight.js" */
/** @import { Diagnostic } from "./types.js" */
import { button, h, setText } from "./dom.js";
import { highlighted, range } from "./highlight.js";

export class Sheet {
  /**
   * @param {string} label
   * @param {Language} language
   * @param {string} text
   */
  constructor(label, language, text) {
    this.language = language;
    /** @type {Diagnostic[]} */
    this.diagnostics = [];
    this.area = h("textarea", {
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      "aria-label": label,
      "aria-describedby": "verdict",
    });
    this.area.value = text;
    this.coloured = h("pre", { "aria-hidden": "true" });
    this.numbers = h("pre", { class: "numbers", "aria-hidden": "true" });
    this.area.addEventListener("scroll", () => this.follow());
    this.element = h(
      "div",
      { class: "sheet" },
      h("div", { class: "gutter" }, this.numbers),
      h("div", { class: "page" }, this.coloured, this.area),
    );
    this.paint();
  }

  paint() {
    const { value } = this.area;
    this.coloured.replaceChildren(...highlighted(value, this.diagnostics, this.language));
    const lines = value.split("\n").length;
    setText(this.numbers, Array.from({ length: lines }, (_, i) => String(i + 1)).join("\n"));
  }

  follow() {
    const { scrollLeft, scrollTop } = this.area;
    this.coloured.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-scrollTop}px)`;
  }

  /**
   * Marks what is wrong, and nothing else.
   * @param {Diagnostic[]} diagnostics
   */
  mark(diagnostics) {
    this.diagnostics = diagnostics;
    this.paint();
  }

  /**
   * Selects what is wrong.
   * @param {Diagnostic} diagnostic
   */
  goTo(diagnostic) {
    const { from, to } = range(this.area.value, diagnostic);
    this.area.focus();
    this.area.setSelectionRange(from, to);
    const line = Number.parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (diagnostic.line - 4) * line);
    this.follow();
  }
}

/**
 * A line of the list of what is wrong.
 * @param {Diagnostic} diagnostic
 * @param {() => void} go
 * @param {string} [where] which text it is in
 */
export function diagnosticItem(diagnostic, go, where = "") {
  const { line, column, severity, code, message, help } = diagnostic;
  return h(
    "li",
    { class: severity },
    button(`${where}${line}:${column}`, go, { class: "link place", "aria-label": `Go to ${where}line ${line}, column ${column}` }),
    h("span", {}, h("b", {}, `${severity} ${code}: `), message, help !== null && `. Help: ${help}`),
  );
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
