/** Choosing a game: a card for each, and files that are dropped. */

/** @import { GameInfo, Seat } from "./types.js" */
/** @import { VideoGame } from "./video_types.js" */
import { boardGames, videoGames } from "./api.js";
import { boardPicture } from "./board.js";
import { button, h } from "./dom.js";
import { boardDraft, videoDraft } from "./draft.js";
import { askForFile, isReplay, readRecord, readText, seatsOf } from "./files.js";
import { notice } from "./notice.js";
import { setPending } from "./pending_game.js";
import { remember, remembered } from "./settings.js";
import { stagePicture } from "./stage.js";
import { sentence } from "./words.js";

const KINDS = [
  ["all", "all games"],
  ["board", "board games"],
  ["video", "video games"],
];

/** @param {HTMLElement} root */
export function gamesView(root) {
  const message = notice();
  const cards = h("ul", { class: "cards", "aria-busy": "true" });
  const search = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game" });
  const kinds = h("select", { "aria-label": "Kind of games", "data-filter": "kind" });
  for (const [kind, words] of KINDS) kinds.append(h("option", { value: kind }, words));
  kinds.value = remembered("kind", "all");
  if (kinds.selectedIndex < 0) kinds.value = "all";
  const count = h("p", { class: "quiet-text", role: "status" }, "Loading the games…");
  const zone = h(
    "div",
    { class: "drop" },
    h("p", {}, "Drop rules (.rbg, or .txt for VGDL), a saved game or a replay (.json) anywhere on this page, or"),
    button("open a file", () => askForFile(".rbg,.json,.txt", (file) => void open(file)), { class: "link" }),
  );
  const last = remembered("session", "");
  root.append(
    h("h1", {}, "Choose a game"),
    h(
      "p",
      { class: "lead" },
      "Regulus plays any board game and any video game from its rules alone. Choose one, watch agents, or ",
      h("a", { href: "#/write" }, "write your own"),
      ".",
      last !== "" && h("span", {}, " Or ", h("a", { href: `#/play/${last}` }, "go back to your last game"), "."),
    ),
    h("div", { class: "tools" }, search, kinds, zone),
    message.element,
    count,
    cards,
  );

  /** @type {{ text: string, kind: string, element: HTMLElement }[]} */
  let shown = [];
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    let visible = 0;
    for (const { text, kind, element } of shown) {
      element.hidden = !text.includes(wanted) || (kinds.value !== "all" && kinds.value !== kind);
      if (!element.hidden) visible++;
    }
    count.textContent = visible === shown.length ? `${visible} games` : `${visible} of ${shown.length} games`;
  };
  search.addEventListener("input", filter);
  kinds.addEventListener("change", () => {
    remember("kind", kinds.value);
    filter();
  });

  Promise.all([boardGames.games(), videoGames.games()]).then(
    ([games, levels]) => {
      /** @type {(game: GameInfo | VideoGame, kind: string, element: HTMLElement) => typeof shown[0]} */
      const entry = (game, kind, element) => ({ text: `${game.name} ${game.title} ${game.description}`.toLowerCase(), kind, element });
      shown = [...games.map((game) => entry(game, "board", boardCard(game))), ...levels.map((game) => entry(game, "video", videoCard(game)))];
      cards.append(...shown.map(({ element }) => element));
      cards.removeAttribute("aria-busy");
      filter();
    },
    (error) => {
      message.fail(error);
      count.textContent = "The games could not be loaded.";
    },
  );

  /** @param {File} file */
  async function open(file) {
    message.say(`Reading ${file.name}…`);
    try {
      const text = await readText(file);
      if (file.name.toLowerCase().endsWith(".json")) await openRecord(text);
      else if (isVideoGame(text)) openVideoGame(file.name, text);
      else await openRules(file.name, text);
    } catch (error) {
      message.fail(error);
    }
  }

  /** @param {DragEvent} event */
  const over = (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  };
  const out = () => document.body.classList.remove("dropping");
  /** @param {DragEvent} event */
  const drop = (event) => {
    event.preventDefault();
    out();
    const file = event.dataTransfer?.files[0];
    if (file) void open(file);
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", out);
  document.addEventListener("drop", drop);
  return () => {
    document.removeEventListener("dragover", over);
    document.removeEventListener("dragleave", out);
    document.removeEventListener("drop", drop);
    out();
  };
}

/**
 * Rules without mistakes can be played at once; others are opened where their mistakes are shown.
 * @param {string} file
 * @param {string} text
 */
async function openRules(file, text) {
  const name = file.replace(/\.[^.]*$/, "") || "my game";
  const check = await boardGames.check({ text });
  if (check.ok && check.scene) {
    setPending({ name, text, check });
    location.hash = "#/new/";
  } else {
    boardDraft.keep({ name, text });
    location.hash = "#/write";
  }
}

/**
 * VGDL begins with the name of a game, after comments.
 * @param {string} text
 */
function isVideoGame(text) {
  return /^(\s*(#.*)?\n)*\s*(BasicGame|GameSpace)\b/.test(text);
}

/**
 * @param {string} file
 * @param {string} text
 */
function openVideoGame(file, text) {
  videoDraft.keep({ name: file.replace(/\.[^.]*$/, "") || "my game", game: text });
  location.hash = "#/write-video";
}

/**
 * Lets a saved game or a replay be opened.
 * @param {(error: unknown) => void} fail
 */
export function askForRecord(fail) {
  askForFile(".json", (file) => {
    readText(file).then(openRecord).catch(fail);
  });
}

/** @param {string} text */
async function openRecord(text) {
  if (isReplay(text)) {
    location.hash = `#/video/${(await videoGames.begin({ replay: text })).id}`;
    return;
  }
  const saved = readRecord(text);
  const rules = typeof saved.text === "string" ? { text: saved.text, name: saved.game } : { game: saved.game };
  const seats = seatsOf(saved);
  const people = seats?.map(() => /** @type {Seat} */ ({ kind: "human" }));
  let view = await boardGames.begin({ ...rules, seats: people, moves: saved.moves });
  if (seats?.some((seat) => seat.kind === "agent")) {
    // Everybody takes his seat again, but nobody moves before the visitor wants it.
    view = await boardGames.perform(view.id, "pause", { paused: true });
    view = await boardGames.perform(view.id, "seats", { revision: view.revision, seats });
  }
  location.hash = `#/play/${view.id}`;
}

/** @param {GameInfo} game */
function boardCard(game) {
  const { name, title, scene, pieces, board, players } = game;
  return card(game, { "data-game": name }, "new", boardPicture(scene, pieces, board, title), playersInWords(players));
}

/** @param {VideoGame} game */
function videoCard(game) {
  const { name, title, levels } = game;
  const picture = stagePicture(levels[0].stage, levels[0].frame, title);
  return card(game, { "data-video": name }, "level", picture, `video game · ${levels.length} levels`);
}

/**
 * @param {GameInfo | VideoGame} game
 * @param {{ [name: string]: string }} attributes
 * @param {string} page where it is set up
 * @param {Element} picture
 * @param {string} players
 */
function card({ name, title, description }, attributes, page, picture, players) {
  return h(
    "li",
    { class: "card", ...attributes },
    h(
      "a",
      { href: `#/${page}/${encodeURIComponent(name)}` },
      h("span", { class: "picture" }, picture),
      h("strong", {}, title),
      h("span", { class: "about" }, sentence(description)),
      h("span", { class: "players" }, players),
    ),
  );
}

/** @param {string[]} players */
function playersInWords(players) {
  return players.length === 1 ? `a puzzle for ${players[0]}` : players.join(" · ");
}
