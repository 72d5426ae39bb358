/** A level that is played, watched or played back. */

/** @import { Driver, VideoStep, VideoThought, VideoView } from "./video_types.js" */
/** @import { notice } from "./notice.js" */
import { ApiError, videoGames } from "./api.js";
import { Cast } from "./cast.js";
import { h, setText } from "./dom.js";
import { driverInWords, driverPart } from "./driver_form.js";
import { saveFile } from "./files.js";
import { FilmPlayer } from "./film_player.js";
import { hud } from "./hud.js";
import { HumanClock } from "./human_clock.js";
import { actionOf } from "./keys.js";
import { legend } from "./legend.js";
import { overlay } from "./overlay.js";
import { pad } from "./pad.js";
import { Projector } from "./projector.js";
import { anySeed } from "./seed.js";
import { sessionView } from "./session_view.js";
import { remember, remembered } from "./settings.js";
import { Stage } from "./stage.js";
import { ThoughtView } from "./thought_view.js";
import { videoControls } from "./video_controls.js";
import { sentence, titled } from "./words.js";

/** Ticks per second unless something else was chosen. */
const USUAL_SPEED = "10";

export const videoPlayView = sessionView(videoGames, (root, view, message) => new VideoPlay(root, view, message));

export class VideoPlay {
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
    this.clock = new HumanClock({
      rate: () => this.rate,
      send: (actions) => this.act(actions),
      changed: () => this.show(),
    });
    this.clock.begun = view.ticks > 0;
    /** @type {FilmPlayer | null} */
    this.film = null;
    this.hud = hud(plan.types);
    this.status = h("p", { class: "status", role: "status", "aria-live": "polite" });
    this.who = h("p", { class: "who-plays" });
    this.overlay = overlay({
      go: () => this.togglePause(),
      again: () => void this.begin(null),
      next: () => void this.nextLevel(),
      film: () => this.playBack(),
    });
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
      this.overlay.element,
    );
    this.status.id = "video-status";
    this.box.style.setProperty("--ratio", String(plan.columns / plan.rows));
    this.pad = pad({ press: (action) => this.press(action), release: (action) => this.clock.release(action) });
    /** There is a next level. */
    this.more = game.level !== null && game.level + 1 < game.levels;
    this.controls = videoControls(this);
    this.thoughts = new ThoughtView();
    this.seats = driverPart(() => this.view.driver, (driver) => void this.begin(driver), message.fail);
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
        ...this.controls.elements,
        this.seats,
        this.thoughts.element,
        legend(plan),
      ),
    );
    root.append(h("h1", {}, this.title), message.element, this.element);
    this.unfollow = this.stage.follow();
    this.hidden = () => {
      if (document.hidden && this.clock.going) this.clock.stop();
    };
    this.listen();
    this.stopListening = videoGames.listen(view.id, {
      view: (next) => this.jump(next),
      step: (step) => this.take(step),
      thinking: (thought) => this.think(thought),
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
    this.clock.renew();
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
      if (action) this.clock.release(action);
    });
    this.box.addEventListener("blur", () => this.clock.held.clear());
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
    if (!this.film && this.human && !this.over) this.clock.press(action);
  }

  /**
   * Plays ticks. False if no more can be played.
   * @param {string} actions
   */
  async act(actions) {
    if (!this.human || this.over) return false;
    try {
      this.take(await videoGames.perform(this.id, "act", { revision: this.view.revision, actions }));
      return !this.over;
    } catch (error) {
      if (error instanceof ApiError && error.code === "stale" && error.view) {
        this.jump(error.view);
      } else {
        this.clock.stop();
        this.message.fail(error);
      }
      return false;
    }
  }

  togglePause() {
    if (this.film) {
      this.film.toggle();
    } else if (this.human) {
      if (this.over) return;
      if (this.clock.going) this.clock.stop();
      else this.clock.go();
      this.box.focus({ preventScroll: true });
    } else {
      void this.perform("pause", { paused: !this.view.paused });
    }
  }

  oneTick() {
    if (this.film) {
      this.film.to(this.film.tick + 1);
    } else if (this.human) {
      if (this.clock.going) this.clock.stop();
      this.clock.tick();
    } else if (this.view.paused) {
      void this.perform("step", {});
    } else {
      void this.perform("pause", { paused: true });
    }
  }

  /** @param {number} rate */
  changeSpeed(rate) {
    remember("video.speed", String(rate));
    if (this.human) {
      if (this.rate === 0) this.clock.stop();
      else this.show();
    } else {
      void this.perform("speed", { ms: Math.round(1000 / Math.max(rate, 1)) });
    }
  }

  /**
   * @param {string} command
   * @param {{ [key: string]: unknown }} body
   */
  async perform(command, body) {
    try {
      this.take(await videoGames.perform(this.id, command, body));
      this.message.clear();
    } catch (error) {
      if (error instanceof ApiError && error.code === "stale" && error.view) this.jump(error.view);
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
      videoGames.view(this.id).then((view) => this.jump(view), this.message.fail);
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
    this.clock.renew();
    this.thoughts.forget();
  }

  /** The time of a tick, in milliseconds. */
  period() {
    if (!this.human) return this.view.tick_ms;
    return this.rate === 0 ? 100 : 1000 / this.rate;
  }

  show() {
    const { view, human, over, clock } = this;
    if (over && clock.going) clock.renew();
    if (!this.film) this.hud.show(this.cast.frame);
    setText(this.who, driverInWords(view.driver));
    this.who.hidden = view.status === "replay";
    const playing = clock.going || this.rate === 0 ? "It is your turn" : clock.begun ? "Paused" : "Ready";
    setText(this.status, human && !over ? playing : sentence(view.text));
    this.status.classList.toggle("over", over);
    this.status.classList.toggle("lost", over && this.cast.frame.result === "lost");
    this.controls.show({
      human,
      begun: clock.begun,
      stopped: human ? !clock.going : view.paused,
      over,
      replay: view.status === "replay",
      film: this.film !== null,
      rate: human ? this.rate : Math.round(1000 / view.tick_ms),
      ticks: view.ticks,
    });
    this.pad.show(view.actions, human && !over && !this.film);
    this.pad.element.hidden = !human || this.film !== null;
    this.thoughts.element.hidden = view.driver.kind !== "agent";
    this.overlay.show(this.announcement());
    const mine = clock.going ? "going" : clock.begun ? "stopped" : "ready";
    Object.assign(this.element.dataset, {
      status: this.film ? "film" : human && !over ? mine : view.status,
      revision: String(view.revision),
      tick: String(this.film ? this.film.tick : this.cast.frame.tick),
      result: this.cast.frame.result ?? "",
    });
  }

  /** @returns {import("./overlay.js").Announcement} */
  announcement() {
    const { view, human, clock } = this;
    if (this.film) return { kind: "none" };
    if (this.over) {
      const { result, score } = this.cast.frame;
      return { kind: "over", result, score, ticks: view.ticks, human, next: this.more, run: view.run };
    }
    if (!human || this.rate === 0 || clock.going) return { kind: "none" };
    return { kind: clock.begun ? "stopped" : "ready" };
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
    const body = { seed: anySeed(), ...(driver ? { driver } : {}) };
    await this.perform("restart", body);
    this.box.focus({ preventScroll: true });
  }

  async nextLevel() {
    const { game, driver } = this.view;
    if (game.level === null) return;
    try {
      const wanted = { game: game.name, level: game.level + 1, profile: game.profile, seed: anySeed() };
      const next = await videoGames.begin({ ...wanted, driver: driver.kind === "agent" ? driver : { kind: "human" } });
      videoGames.end(this.id);
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

  async saveReplay() {
    try {
      const text = await videoGames.record(this.id);
      const { name, level } = this.view.game;
      saveFile(`${name}${level === null ? "" : `-${level}`}.replay.json`, `${text}\n`, "application/json");
    } catch (error) {
      this.message.fail(error);
    }
  }
}
