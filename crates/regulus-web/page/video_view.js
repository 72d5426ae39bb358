/** A level that is played, watched or played back. */

/** @import { Driver, VideoStep, VideoThought, VideoView } from "./video_types.js" */
import { ApiError } from "./api.js";
import { Cast } from "./cast.js";
import { button, h, setText } from "./dom.js";
import { driverForm, driverInWords } from "./driver_form.js";
import { askForFile, readText, saveFile } from "./files.js";
import { FilmPlayer } from "./film_player.js";
import { openRecord } from "./games_view.js";
import { hud } from "./hud.js";
import { actionOf, Held } from "./keys.js";
import { legend } from "./legend.js";
import { anySeed } from "./level_view.js";
import { notice } from "./notice.js";
import { pad } from "./pad.js";
import { Projector } from "./projector.js";
import { remember, remembered } from "./settings.js";
import { Stage } from "./stage.js";
import { ThoughtView } from "./thought_view.js";
import { beginVideo, drive, endVideo, listenVideo, replayText, videoAgents, videoView } from "./video_api.js";
import { sentence, titled } from "./words.js";

/** Ticks per second that one can choose; 0 is one for every key. */
const SPEEDS = /** @type {const} */ ([
  [0, "a tick for every key"],
  [2, "2 ticks a second"],
  [5, "5 ticks a second"],
  [10, "10 ticks a second"],
  [20, "20 ticks a second"],
  [40, "40 ticks a second"],
]);

const USUAL_SPEED = "10";

/** So many actions wait for a slow server; then time stands still. */
const MOST_WAITING = 10;

/**
 * @param {HTMLElement} root
 * @param {string} id
 */
export function videoPlayView(root, id) {
  const message = notice();
  root.append(message.element);
  message.say("Loading the game…");
  /** @type {VideoPlay | null} */
  let play = null;
  let left = false;
  videoView(id).then(
    (view) => {
      message.clear();
      if (!left) play = new VideoPlay(root, view, message);
    },
    (error) => {
      message.fail(error);
      if (error instanceof ApiError && error.status === 404) {
        message.say("This game is no longer on the server. Saved replays can be opened from the list of games.");
        root.append(h("p", {}, h("a", { href: "#/" }, "To the games")));
      }
    },
  );
  return () => {
    left = true;
    play?.close();
  };
}

class VideoPlay {
  /**
   * @param {HTMLElement} root
   * @param {VideoView} view
   * @param {ReturnType<typeof notice>} message
   */
  constructor(root, view, message) {
    this.id = view.id;
    this.view = view;
    this.message = message;
    if (!view.stage) throw new Error("The server has not said how the level is drawn.");
    const { game, stage: plan } = view;
    this.title = titled(game.name) + (game.level === null ? "" : `, level ${game.level + 1}`);
    document.title = `${this.title} – Regulus`;
    this.stage = new Stage(plan, `The level of ${this.title}`);
    this.cast = new Cast(view.frame);
    this.projector = new Projector(this.stage);
    this.held = new Held();
    /** Time goes on, by our clock. */
    this.going = false;
    /** A human has begun. */
    this.begun = view.ticks > 0;
    /** Actions that are not sent yet. */
    this.waiting = "";
    this.sending = false;
    this.timer = 0;
    /** @type {FilmPlayer | null} */
    this.film = null;
    this.hud = hud(plan.types);
    this.status = h("p", { class: "status", role: "status", "aria-live": "polite" });
    this.who = h("p", { class: "who-plays" });
    this.overlay = h("div", { class: "overlay", hidden: true });
    this.box = h(
      "div",
      {
        class: "stage-box",
        tabindex: 0,
        role: "application",
        "aria-label": `${this.title}. Arrow keys or W, A, S, D move, Space uses, P pauses, full stop plays one tick.`,
        "aria-describedby": "video-status",
      },
      this.stage.canvas,
      this.overlay,
    );
    this.status.id = "video-status";
    this.box.style.setProperty("--ratio", String(plan.columns / plan.rows));
    this.pad = pad({ press: (action) => this.press(action), release: (action) => this.held.release(action) });
    this.pause = button("Pause", () => this.togglePause(), { "data-control": "pause" });
    this.step = button("One tick", () => this.oneTick(), { "data-control": "step", title: "Play one tick (full stop)" });
    this.speed = h("select", { "aria-label": "Speed", "data-control": "speed", onchange: () => this.changeSpeed() });
    this.restart = button("Restart", () => void this.begin(null), { "data-control": "restart" });
    this.next = button("Next level", () => void this.nextLevel(), { "data-control": "next", hidden: game.level === null || game.level + 1 >= game.levels });
    this.again = button("Watch again", () => this.playBack(), { "data-control": "again" });
    this.save = button("Save the replay", () => void this.saveReplay(), { "data-control": "save", title: "A file that this page and `regulus play` can play back" });
    this.thoughts = new ThoughtView();
    this.seats = h("details", { class: "seats-part" }, h("summary", {}, "Change who plays"));
    this.seats.addEventListener("toggle", () => {
      if (this.seats.open) void this.showDrivers();
    });
    this.filmPlace = h("div", { class: "film-place" });
    this.element = h(
      "div",
      { class: "play video" },
      h("div", { class: "table-side" }, this.hud.element, this.box, this.pad.element, this.filmPlace),
      h(
        "div",
        { class: "panel" },
        this.who,
        this.status,
        h("div", { class: "row" }, this.pause, this.step, this.speed),
        h("div", { class: "row" }, this.restart, this.next, this.again),
        h("div", { class: "row" }, this.save, button("Open a replay", () => this.open())),
        this.seats,
        this.thoughts.element,
        legend(plan, this.cast),
      ),
    );
    root.append(h("h1", {}, this.title), message.element, this.element);
    this.unfollow = this.stage.follow();
    this.hidden = () => {
      if (document.hidden && this.human && this.going) this.stop();
    };
    this.listen();
    this.stopListening = listenVideo(view.id, {
      view: (next) => this.jump(next),
      step: (step) => this.take(step),
      thought: (thought) => this.think(thought),
      connected: (yes) => (yes ? this.message.clear() : this.message.say("The connection is lost; trying again…")),
    });
    this.show();
    this.projector.show(this.cast, 0);
    if (view.status === "replay") this.playBack();
    else this.box.focus({ preventScroll: true });
  }

  close() {
    this.stopListening();
    this.unfollow();
    this.projector.close();
    this.film?.close();
    window.clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.hidden);
  }

  get human() {
    return this.view.driver.kind === "human";
  }

  get over() {
    return this.view.status === "over";
  }

  /** Ticks per second. */
  get rate() {
    return Number(remembered("video.speed", USUAL_SPEED));
  }

  listen() {
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("keyup", (event) => {
      const action = actionOf(event);
      if (action) this.held.release(action);
    });
    this.box.addEventListener("blur", () => this.held.clear());
    document.addEventListener("visibilitychange", this.hidden);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    // A button inside has its own keys.
    if (event.target !== this.box) return;
    const action = actionOf(event);
    if (action) {
      // The page does not scroll while somebody plays.
      event.preventDefault();
      if (!event.repeat) this.press(action);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "p" || event.key === "P" || event.key === "Escape") this.togglePause();
    else if (event.key === ".") this.oneTick();
    else if (event.key === "r" || event.key === "R") void this.begin(null);
    else return;
    event.preventDefault();
  }

  /** @param {string} action */
  press(action) {
    if (this.film || !this.human || this.over) return;
    this.held.press(action);
    if (this.rate === 0) {
      this.begun = true;
      this.queue(this.held.next());
    } else if (!this.begun) {
      this.go();
    }
  }

  go() {
    this.begun = true;
    this.going = true;
    this.show();
    this.box.focus({ preventScroll: true });
    this.schedule(0);
  }

  stop() {
    this.going = false;
    window.clearTimeout(this.timer);
    this.held.clear();
    this.show();
  }

  /** @param {number} late milliseconds by which the last tick was late */
  schedule(late) {
    window.clearTimeout(this.timer);
    const period = 1000 / Math.max(this.rate, 1);
    const due = performance.now() + Math.max(0, period - late);
    this.timer = window.setTimeout(() => {
      if (!this.going) return;
      if (this.waiting.length < MOST_WAITING) this.queue(this.held.next());
      this.schedule(Math.min(performance.now() - due, period));
    }, due - performance.now());
  }

  /** @param {string} action */
  queue(action) {
    if (this.over) return;
    this.waiting += action;
    void this.send();
  }

  /** Sends what waits. One request goes on at a time: ticks have an order. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.waiting !== "" && this.human && !this.over) {
        const actions = this.waiting;
        this.waiting = "";
        this.take(await drive(this.id, "act", { revision: this.view.revision, actions }));
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === "stale" && error.view) {
        this.jump(/** @type {any} */ (error.view));
      } else {
        this.stop();
        this.message.fail(error);
      }
    } finally {
      this.waiting = "";
      this.sending = false;
    }
  }

  togglePause() {
    if (this.film) {
      this.film.toggle();
    } else if (this.human) {
      if (this.over) return;
      if (this.going) this.stop();
      else if (this.rate > 0) this.go();
    } else {
      void this.order("pause", { paused: !this.view.paused });
    }
  }

  oneTick() {
    if (this.film) {
      this.film.to(this.film.tick + 1);
    } else if (this.human) {
      if (this.going) this.stop();
      this.begun = true;
      this.queue(this.held.next());
    } else if (this.view.paused) {
      void this.order("step", {});
    } else {
      void this.order("pause", { paused: true });
    }
  }

  changeSpeed() {
    remember("video.speed", this.speed.value);
    if (this.film) return;
    if (this.human) {
      if (this.rate === 0) this.stop();
      else this.show();
    } else {
      void this.order("speed", { ms: Math.round(1000 / Math.max(this.rate, 1)) });
    }
  }

  /**
   * @param {Parameters<typeof drive>[1]} order
   * @param {{ [key: string]: unknown }} body
   */
  async order(order, body) {
    try {
      this.take(await drive(this.id, order, body));
      this.message.clear();
    } catch (error) {
      if (error instanceof ApiError && error.code === "stale" && error.view) this.jump(/** @type {any} */ (error.view));
      this.message.fail(error);
    }
  }

  /**
   * A change: what it is based on must be what is shown.
   * @param {VideoStep} step
   */
  take(step) {
    if (step.revision <= this.view.revision) return;
    if (step.from !== this.view.revision) {
      videoView(this.id).then((view) => this.jump(view), this.message.fail);
      return;
    }
    const { frames, ...now } = step;
    const anew = now.run !== this.view.run;
    this.view = { ...this.view, ...now };
    for (const frame of frames) this.cast.apply(frame);
    if (anew) this.renew();
    if (!this.film && frames.length > 0) this.projector.show(this.cast, anew ? 0 : this.period());
    this.show();
  }

  /**
   * Something was missed: all of it.
   * @param {VideoView} view
   */
  jump(view) {
    if (view.revision <= this.view.revision) return;
    const anew = view.run !== this.view.run;
    this.view = { ...view, stage: this.view.stage };
    this.cast = new Cast(view.frame);
    if (anew) this.renew();
    if (!this.film) this.projector.show(this.cast, 0);
    this.show();
  }

  /** Another run has begun. */
  renew() {
    this.film?.close();
    this.film = null;
    this.filmPlace.replaceChildren();
    this.begun = false;
    this.going = false;
    this.waiting = "";
    window.clearTimeout(this.timer);
    this.held.clear();
    this.thoughts.forget();
  }

  /** The time of a tick, in milliseconds. */
  period() {
    if (!this.human) return this.view.tick_ms;
    return this.rate === 0 ? 100 : 1000 / this.rate;
  }

  show() {
    const { view, human, over } = this;
    if (over) {
      this.going = false;
      window.clearTimeout(this.timer);
    }
    if (!this.film) this.hud.show(this.cast.frame);
    setText(this.who, driverInWords(view.driver));
    const text = human && !over ? (this.going || this.rate === 0 ? "It is your turn" : this.begun ? "Paused" : "Ready") : sentence(view.text);
    setText(this.status, text);
    this.status.classList.toggle("over", over);
    this.status.classList.toggle("lost", over && this.cast.frame.result === "lost");
    const stopped = human ? !this.going : view.paused;
    this.pause.textContent = human && !this.begun ? "Start" : stopped ? "Go on" : "Pause";
    this.pause.disabled = over || this.film !== null || (human && this.rate === 0);
    this.step.disabled = over || this.film !== null;
    this.again.disabled = view.ticks === 0 || this.film !== null || !(over || stopped);
    this.again.hidden = view.status === "replay";
    this.save.disabled = view.ticks === 0;
    this.restart.hidden = view.status === "replay";
    this.showSpeeds();
    this.pad.show(view.actions, human && !over && !this.film);
    this.pad.element.hidden = !human || this.film !== null;
    this.thoughts.element.hidden = view.driver.kind !== "agent";
    this.showOverlay(stopped);
    Object.assign(this.element.dataset, {
      status: this.film ? "film" : human && !over ? (this.going ? "going" : this.begun ? "stopped" : "ready") : view.status,
      revision: String(view.revision),
      tick: String(this.film ? this.film.tick : this.cast.frame.tick),
      result: this.cast.frame.result ?? "",
    });
  }

  showSpeeds() {
    const options = SPEEDS.filter(([rate]) => rate > 0 || (this.human && !this.film));
    if (this.speed.options.length !== options.length) {
      this.speed.replaceChildren(...options.map(([rate, words]) => h("option", { value: rate }, words)));
    }
    if (document.activeElement === this.speed) return;
    const rate = this.human || this.film ? this.rate : Math.round(1000 / this.view.tick_ms);
    const known = options.some(([value]) => value === rate);
    if (!known) this.speed.append(h("option", { value: rate }, `${rate} ticks a second`));
    this.speed.value = String(rate);
  }

  /** @param {boolean} stopped */
  showOverlay(stopped) {
    const { view, over, human } = this;
    const { result, score } = this.cast.frame;
    const key = this.film ? "" : over ? `over ${result}` : human && this.rate > 0 && !this.begun ? "ready" : human && stopped && this.rate > 0 ? "stopped" : "";
    this.overlay.hidden = key === "";
    const shown = `${key} ${view.run} ${view.driver.kind}`;
    if (this.overlay.dataset.key === shown) return;
    this.overlay.dataset.key = shown;
    this.overlay.className = `overlay ${result ?? ""}`;
    if (key === "ready") {
      this.overlay.replaceChildren(
        h("p", { class: "verdict-line" }, "Ready?"),
        h("p", {}, "An arrow key begins. Arrows or W A S D move, Space uses, P pauses."),
        button("Start", () => this.go(), { class: "primary" }),
      );
    } else if (key === "stopped") {
      this.overlay.replaceChildren(h("p", { class: "verdict-line" }, "Paused"), button("Go on", () => this.go(), { class: "primary" }));
    } else if (key !== "") {
      const who = human ? (result === "won" ? "You have won!" : "You have lost.") : result === "won" ? "Won!" : "Lost.";
      const more = result === "won" && !this.next.hidden;
      this.overlay.replaceChildren(
        h("p", { class: "verdict-line" }, who),
        h("p", {}, `Score ${score} after ${view.ticks} ticks.`),
        h(
          "div",
          { class: "row" },
          more && button("Next level", () => void this.nextLevel(), { class: "primary" }),
          button(human ? "Try again" : "Again", () => void this.begin(null), { class: more ? "" : "primary" }),
          button("Watch again", () => this.playBack()),
        ),
      );
    }
  }

  /** @param {VideoThought} thought */
  think(thought) {
    this.thoughts.show(thought);
  }

  /**
   * Begins anew, with another seed.
   * @param {Driver | null} driver
   */
  async begin(driver) {
    const body = { revision: this.view.revision, seed: anySeed(), ...(driver ? { driver } : {}) };
    await this.order("restart", body);
    this.box.focus({ preventScroll: true });
  }

  async nextLevel() {
    const { game, driver } = this.view;
    if (game.level === null) return;
    try {
      const wanted = { game: game.name, level: game.level + 1, profile: game.profile, seed: anySeed() };
      const next = await beginVideo({ ...wanted, driver: driver.kind === "agent" ? driver : { kind: "human" } });
      endVideo(this.id);
      location.hash = `#/video/${next.id}`;
    } catch (error) {
      this.message.fail(error);
    }
  }

  /** Shows what was played, from the beginning. */
  playBack() {
    if (this.film) return;
    this.film = new FilmPlayer(this.id, {
      show: (cast, way) => {
        this.projector.show(cast, way);
        this.hud.show(cast.frame);
        this.element.dataset.tick = String(cast.frame.tick);
      },
      fail: (error) => this.message.fail(error),
      leave: this.view.status === "replay" ? null : () => this.leaveFilm(),
    });
    this.filmPlace.replaceChildren(this.film.element);
    this.show();
  }

  leaveFilm() {
    this.film?.close();
    this.film = null;
    this.filmPlace.replaceChildren();
    this.projector.show(this.cast, 0);
    this.show();
  }

  async showDrivers() {
    const summary = this.seats.firstElementChild;
    try {
      const form = driverForm(await videoAgents(), this.view.driver);
      this.seats.replaceChildren(
        ...(summary ? [summary] : []),
        h("div", { class: "row" }, button("Play yourself", () => void this.change({ kind: "human" }), { "data-quick": "play" })),
        form.element,
        button("Let this agent play", () => void this.change(form.driver()), { "data-quick": "watch" }),
      );
    } catch (error) {
      this.message.fail(error);
    }
  }

  /** @param {Driver} driver */
  async change(driver) {
    this.seats.open = false;
    await this.begin(driver);
  }

  async saveReplay() {
    try {
      const text = await replayText(this.id);
      const { name, level } = this.view.game;
      saveFile(`${name}${level === null ? "" : `-${level}`}.replay.json`, `${text}\n`, "application/json");
    } catch (error) {
      this.message.fail(error);
    }
  }

  open() {
    askForFile(".json", (file) => {
      readText(file).then(openRecord).catch(this.message.fail);
    });
  }
}
