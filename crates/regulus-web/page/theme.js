/** Light, dark, or as the system says. */

import { remember, remembered } from "./settings.js";

const THEMES = /** @type {const} */ ([
  ["system", "Colours: as the system"],
  ["light", "Colours: light"],
  ["dark", "Colours: dark"],
]);

/** @param {HTMLButtonElement} button */
export function setUpTheme(button) {
  let index = Math.max(0, THEMES.findIndex(([name]) => name === remembered("theme", "system")));
  const show = () => {
    const [name, text] = THEMES[index];
    document.documentElement.dataset.theme = name;
    button.textContent = text;
    button.setAttribute("aria-label", `${text}. Press to change.`);
  };
  button.addEventListener("click", () => {
    index = (index + 1) % THEMES.length;
    remember("theme", THEMES[index][0]);
    show();
  });
  show();
}
