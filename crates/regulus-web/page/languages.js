/** The languages in which games are written. */

/** @import { Check } from "./types.js" */
/** @import { VideoCheck } from "./video_types.js" */
/** @import { Language } from "./editor_view.js" */
import { boardGames, videoGames } from "./api.js";
import { boardPicture } from "./board.js";
import { boardDraft, videoDraft } from "./draft.js";
import { setPending } from "./pending_game.js";
import { anySeed } from "./seed.js";
import { stagePicture } from "./stage.js";

/** @type {Language<Check>} */
export const RBG = {
  title: "Write rules",
  verdict: "The rules are",
  empty: "The board appears here.",
  draft: boardDraft,
  texts: [{ name: "text", label: "Rules in RBG", colours: "rbg", heading: null, opens: ".rbg,.txt", ending: ".rbg" }],
  check: (texts) => boardGames.check(texts),
  preview: ({ scene, pieces, board, players }, name) =>
    scene && pieces && board
      ? { picture: boardPicture(scene, pieces, board, name), caption: `Players: ${(players ?? []).join(", ")}` }
      : null,
  play: async (name, { text }, check) => {
    setPending({ name, text, check });
    location.hash = "#/new/";
  },
  other: { address: "#/write-video", words: "Write a video game instead" },
};

/** @type {Language<VideoCheck>} */
export const VGDL = {
  title: "Write a video game",
  verdict: "Game and level are",
  empty: "The level appears here.",
  draft: videoDraft,
  texts: [
    { name: "game", label: "Rules in VGDL", colours: "vgdl", heading: "Game", opens: ".txt", ending: ".txt" },
    { name: "level", label: "Level", colours: "plain", heading: "Level", opens: ".txt", ending: "_lvl0.txt" },
  ],
  check: (texts) => videoGames.check(texts),
  preview: ({ stage, frame }, name) => (stage && frame ? { picture: stagePicture(stage, frame, name), caption: "" } : null),
  play: async (name, texts) => {
    location.hash = `#/video/${(await videoGames.begin({ texts, name, seed: anySeed() })).id}`;
  },
  other: { address: "#/write", words: "Write a board game instead" },
};
