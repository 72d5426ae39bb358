/** Before a game of any kind: loading what there is to know, and starting. */

/** @import { Client } from "./api.js" */
import { h } from "./dom.js";
import { notice } from "./notice.js";

/**
 * Loads what there is to know about a game, and lets it be shown with what starts a session on it.
 * @template Known
 * @param {HTMLElement} root
 * @param {string} title until more is known
 * @param {() => Promise<Known>} load
 * @param {(known: Known, message: ReturnType<typeof notice>) => void} show
 */
export function setUp(root, title, load, show) {
  const message = notice();
  root.append(h("h1", {}, title), message.element);
  message.say("Loading…");
  load().then((known) => {
    message.clear();
    if (root.contains(message.element)) show(known, message);
  }).catch(message.fail);
}

/**
 * Starts a session and goes there, once.
 * @template {{ id: string }} View
 * @param {Client<any, any, any, View, any, any>} client
 * @param {string} page
 * @param {ReturnType<typeof notice>} message
 */
export function starter(client, page, message) {
  let starting = false;
  /** @param {{ [key: string]: unknown }} wanted */
  return async (wanted) => {
    if (starting) return;
    starting = true;
    message.say("Starting…");
    try {
      location.hash = `#/${page}/${(await client.begin(wanted)).id}`;
    } catch (error) {
      starting = false;
      message.fail(error);
    }
  };
}

/**
 * The rules in words, to be opened.
 * @param {string} words
 * @param {boolean} open
 */
export function rulesInWords(words, open) {
  return h(
    "details",
    { class: "words", hidden: words === "", open },
    h("summary", {}, "The rules in words"),
    h("p", {}, words),
  );
}
