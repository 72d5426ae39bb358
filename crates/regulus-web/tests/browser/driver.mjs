// What all browser tests share: a real Chromium, pages that may not report any error, and the moves of a visitor.
// Nothing here waits for time: everything waits for what a visitor would see.

import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

// Without the sandbox since tests may run as root; without anything that would go to other hosts.
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// A loaded machine is slow; a page that hangs is still found.
const PATIENCE_MS = 120_000;

export class Driver {
  constructor(browser, address, screenshots) {
    this.browser = browser;
    this.address = address;
    this.screenshots = screenshots;
    this.contexts = [];
    this.problems = [];
  }

  static async launch(executablePath, address, screenshots) {
    fs.mkdirSync(screenshots, { recursive: true });
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    return new Driver(browser, address, screenshots);
  }

  /** A visitor with a browser of his own. */
  async visitor(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on("page", (page) => {
      page.on("pageerror", (error) => this.problems.push(`error in the page: ${error.message}`));
      page.on("dialog", (dialog) => void dialog.accept());
      page.on("console", (message) => {
        // An answer such as 409 is told to the visitor; Chromium reports it here as well.
        const expected = /status of 4\d\d/.test(message.text());
        if (message.type() === "error" && !expected) this.problems.push(`console: ${message.text()}`);
      });
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(this.address) && !/^(data|blob|about):/.test(url)) {
          this.problems.push(`something from elsewhere was asked for: ${url}`);
        }
      });
    });
    this.contexts.push(context);
    return context;
  }

  /** A page of a new visitor. */
  async page(options = {}, at = "#/") {
    const context = await this.visitor(options);
    const page = await context.newPage();
    await page.goto(`${this.address}/${at}`);
    return page;
  }

  async shot(page, name) {
    await page.screenshot({ path: path.join(this.screenshots, `${name}.png`), fullPage: true });
  }

  /** The processes that the server has started; nothing where that cannot be found out. */
  childProcesses() {
    const tasks = `/proc/${process.env.REGULUS_SERVER_PROCESS}/task`;
    if (!fs.existsSync(tasks)) return null;
    const children = fs.readdirSync(tasks).map((task) => fs.readFileSync(`${tasks}/${task}/children`, "utf8"));
    return children.join(" ").split(/\s+/).filter(Boolean).map(Number);
  }

  /** Ends a test: visitors go, and anything that was reported fails it. */
  async finish() {
    const contexts = this.contexts.splice(0);
    await Promise.all(contexts.map((context) => context.close()));
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(problems.join("\n"));
  }
}

/** Begins a game from its card. `quick` is one of the buttons: human-0, watch, people. */
export async function begin(page, game, quick) {
  await page.locator(`.card[data-game="${game}"] a`).click();
  await page.locator(`[data-quick="${quick}"]`).click();
  await page.locator(".board .place").first().waitFor();
}

/** Begins a game with chosen seats: "" for a person, or [agent, limit]. */
export async function beginWith(page, game, seats) {
  await page.locator(`.card[data-game="${game}"] a`).click();
  await page.locator("[data-seat]").first().waitFor();
  for (const [index, seat] of seats.entries()) {
    const [agent, limit] = seat === "" ? ["", null] : seat;
    await page.locator(`[data-seat="${index}"]`).selectOption(agent);
    if (limit !== null) await page.locator(`[data-limit="${index}"]`).selectOption(limit);
  }
  await page.locator(".setup-form button[type=submit]").click();
  await page.locator(".board .place").first().waitFor();
}

/** Chooses a vertex by its name, and waits until the page has taken it. */
export async function choose(page, name) {
  const place = page.locator(`.place.choice[data-name="${name}"]`);
  await place.waitFor();
  await settled(page, () => place.click());
}

/** Chooses vertices one after the other. */
export async function move(page, ...names) {
  for (const name of names) await choose(page, name);
}

/** Does something and waits until the page shows a newer position. */
export async function settled(page, action) {
  const before = await page.locator(".play").getAttribute("data-revision");
  await action();
  await page.locator(`.play:not([data-revision="${before}"])`).waitFor();
}

/** The state of a game: choosing, thinking, paused, over or looking. */
export function state(page) {
  return page.locator(".play").getAttribute("data-status");
}

/** Waits for one of these states. */
export async function reach(page, ...states) {
  await page.locator(states.map((name) => `.play[data-status="${name}"]`).join(", ")).first().waitFor();
  return state(page);
}

/** A source of choices that is the same every time. */
export function dice(seed) {
  let value = seed >>> 0 || 1;
  return (sides) => {
    value ^= (value << 13) >>> 0;
    value ^= value >>> 17;
    value = (value ^ (value << 5)) >>> 0;
    return value % sides;
  };
}

/**
 * Plays to the end by clicking on whatever can be chosen. Returns how many clicks it took.
 */
export async function playOut(page, throwDice) {
  const clicks = await playSome(page, throwDice, 3000);
  check((await state(page)) === "over", "the game does not end");
  return clicks;
}

/** The same, but for at most `most` clicks. */
export async function playSome(page, throwDice, most) {
  for (let clicks = 0; ; clicks++) {
    if (clicks >= most) return clicks;
    if ((await reach(page, "choosing", "over")) === "over") return clicks;
    const revision = await page.locator(".play").getAttribute("data-revision");
    const names = await page.locator(".place.choice").evaluateAll((all) => all.map((e) => e.dataset.name));
    const texts = await page.locator(".choices button").evaluateAll((all) => all.map((e) => e.textContent));
    if (names.length + texts.length === 0) {
      // It was no longer our turn between the questions.
      await page.locator(`.play:not([data-revision="${revision}"])`).waitFor();
      continue;
    }
    if (names.length > 0) {
      const name = names[throwDice(names.length)];
      await settled(page, () => page.locator(`.place[data-name="${name}"]`).click());
    } else {
      await settled(page, () => page.locator(".choices button").nth(throwDice(texts.length)).click());
    }
  }
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function same(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

/** Nothing may be wider than the window. */
export async function fits(page, what) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  check(content <= window, `${what} is ${content} pixels wide in a window of ${window}`);
}
