/** The beginning: which part of the page an address stands for. */

import { h } from "./dom.js";
import { gamesView } from "./games_view.js";
import { editorView } from "./editor_view.js";
import { RBG, VGDL } from "./languages.js";
import { levelView } from "./level_view.js";
import { playView } from "./play_view.js";
import { setupView } from "./setup_view.js";
import { setUpTheme } from "./theme.js";
import { videoPlayView } from "./video_view.js";

/**
 * A part of the page. It gets an empty element and may return what is to be done when it is left.
 * @typedef {(root: HTMLElement, argument: string) => (void | (() => void))} PageView
 */

/** @type {{ [name: string]: { view: PageView, title: string } }} */
const VIEWS = {
  "": { view: gamesView, title: "Games" },
  new: { view: setupView, title: "New game" },
  play: { view: playView, title: "Play" },
  write: { view: editorView(RBG), title: RBG.title },
  level: { view: levelView, title: "New game" },
  video: { view: videoPlayView, title: "Play" },
  "write-video": { view: editorView(VGDL), title: VGDL.title },
};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** @type {void | (() => void)} */
let leave;

function route() {
  // What `regulus play --web` opens.
  const begun = location.hash.match(/^#(session|video)=(\w+)$/);
  if (begun) {
    location.replace(`#/${begun[1] === "session" ? "play" : "video"}/${begun[2]}`);
    return;
  }
  if (!location.hash.startsWith("#/") && location.hash !== "") return;
  const [, name = "", argument = ""] = location.hash.split("/");
  leave?.();
  leave = undefined;
  const page = VIEWS[name];
  main.replaceChildren();
  window.scrollTo(0, 0);
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("data-page") === (name.startsWith("write") ? "write" : "games");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!page) {
    main.append(h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: "#/" }, "To the games")));
    return;
  }
  document.title = `${page.title} – Regulus`;
  leave = page.view(main, decodeURIComponent(argument));
}

setUpTheme(/** @type {HTMLButtonElement} */ (document.getElementById("theme")));
window.addEventListener("hashchange", route);
route();
