/** The time of somebody who plays: ticks go on by themselves, with what is held or was pressed. */

import { Held } from "./keys.js";

/** At most this many actions wait for a slow server; then time stands still. */
const MOST_WAITING = 10;

/**
 * @typedef {object} ClockListener
 * @property {() => number} rate ticks a second; 0 is one for every key
 * @property {(actions: string) => Promise<boolean>} send plays ticks; false if no more can be played
 * @property {() => void} changed
 */

export class HumanClock {
  /** @param {ClockListener} listener */
  constructor(listener) {
    this.listener = listener;
    this.held = new Held();
    /** Time goes on. */
    this.going = false;
    /** Something was played. */
    this.begun = false;
    /** Actions that are not sent yet. */
    this.waiting = "";
    this.sending = false;
    this.timer = 0;
  }

  /** @param {string} action */
  press(action) {
    this.held.press(action);
    if (this.listener.rate() === 0) this.tick();
    else if (!this.begun) this.go();
  }

  /** @param {string} action */
  release(action) {
    this.held.release(action);
  }

  go() {
    if (this.listener.rate() === 0) return;
    this.begun = true;
    this.going = true;
    this.listener.changed();
    this.schedule(0);
  }

  stop() {
    this.going = false;
    window.clearTimeout(this.timer);
    this.held.clear();
    this.listener.changed();
  }

  /** One tick. */
  tick() {
    this.begun = true;
    this.waiting += this.held.next();
    void this.send();
  }

  /** Everything from the beginning. */
  renew() {
    this.going = false;
    this.begun = false;
    this.waiting = "";
    window.clearTimeout(this.timer);
    this.held.clear();
  }

  /** @param {number} late milliseconds by which the last tick was late */
  schedule(late) {
    window.clearTimeout(this.timer);
    const period = 1000 / Math.max(this.listener.rate(), 1);
    const due = performance.now() + Math.max(0, period - late);
    this.timer = window.setTimeout(() => {
      if (!this.going) return;
      if (this.waiting.length < MOST_WAITING) this.tick();
      this.schedule(Math.min(performance.now() - due, period));
    }, due - performance.now());
  }

  /** Sends what waits. One request goes on at a time: ticks have an order. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    while (this.waiting !== "") {
      const actions = this.waiting;
      this.waiting = "";
      if (!(await this.listener.send(actions))) this.waiting = "";
    }
    this.sending = false;
  }
}
