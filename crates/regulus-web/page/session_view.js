/** A session of any kind: loading it, and what its page does with files. */

/** @import { Client } from "./api.js" */
import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { notice } from "./notice.js";
import { remember, remembered } from "./settings.js";

/**
 * The part of the page for a session: loads it, lets it be shown, and closes it when it is left.
 * @template View
 * @param {Client<any, any, any, View, any, any>} client
 * @param {(root: HTMLElement, view: View, message: ReturnType<typeof notice>) => { close: () => void }} show
 * @returns {(root: HTMLElement, id: string) => () => void}
 */
export function sessionView(client, show) {
  return (root, id) => {
    const message = notice();
    root.append(message.element);
    message.say("Loading the game…");
    /** @type {{ close: () => void } | null} */
    let shown = null;
    let left = false;
    client.view(id).then(
      (view) => {
        message.clear();
        if (!left) shown = show(root, view, message);
      },
      (error) => {
        message.fail(error);
        if (error instanceof ApiError && error.status === 404) {
          if (remembered("session", "") === id) remember("session", "");
          message.say("This game is no longer on the server. Saved games and replays can be opened from the list of games.");
          root.append(h("p", {}, h("a", { href: "#/" }, "To the games")));
        }
      },
    );
    return () => {
      left = true;
      shown?.close();
    };
  };
}
