// Video games: played with keys, watched, saved, played back, written.

import fs from "node:fs";
import { check, fits, same } from "./driver.mjs";

// Going right wins; what walks about cannot get in the way.
const GAME = fs.readFileSync(new URL("../data/corridor.txt", import.meta.url), "utf8");
const LEVEL = "wwwwwwwwww\nwA c c  gw\nwwwwwwwwww\nw   xx   w\nw        w\nwwwwwwwwww\n";

/** Waits for a state of the level: ready, going, stopped, running, paused, over, replay or film. */
async function reach(page, ...states) {
  await page.locator(states.map((name) => `.video[data-status="${name}"]`).join(", ")).waitFor();
}

const tick = async (page) => Number(await page.locator(".video").getAttribute("data-tick"));
const figure = (page, name) => page.locator(`[data-figure="${name}"]`).textContent();

/** Waits until that many ticks were played. */
async function played(page, ticks) {
  await page.waitForFunction((least) => Number(document.querySelector(".video")?.dataset.tick) >= least, ticks);
}

/** Begins a level of a built-in game. */
async function begin(page, driver, game, level, quick) {
  await page.goto(`${driver.address}/#/level/${game}`);
  await page.locator(`[data-level="${level}"]`).click();
  await page.locator(`[data-quick="${quick}"]`).click();
  await page.locator(".video .stage").waitFor();
}

/** Begins a level of our own, from the editor. */
async function beginOwn(page, driver) {
  await page.goto(`${driver.address}/#/write-video`);
  await page.getByRole("textbox", { name: "Rules in VGDL" }).fill(GAME);
  await page.getByRole("textbox", { name: "Level" }).fill(LEVEL);
  await page.locator(".verdict.good").waitFor();
  await page.getByRole("button", { name: "Play this" }).click();
  await reach(page, "ready");
}

async function drop(page, name, text) {
  await page.evaluate(([n, t]) => {
    const data = new DataTransfer();
    data.items.add(new File([t], n));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, text]);
}

/** True if the canvas shows something. */
function isDrawn(page) {
  return page.locator(".video .stage").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value !== 0);
  });
}

export async function a_level_is_won_with_the_keyboard(driver) {
  const page = await driver.page({ viewport: { width: 1000, height: 500 } });
  await beginOwn(page, driver);
  check(await isDrawn(page), "the level is drawn");
  check(await page.evaluate(() => document.activeElement?.classList.contains("stage-box")), "keys go to the game");
  await page.evaluate(() => window.scrollTo(0, 40));
  const scrolled = await page.evaluate(() => window.scrollY);
  // Time begins with the first key, and goes on by itself.
  same(await tick(page), 0, "ticks before the first key");
  await page.keyboard.down("ArrowDown");
  await reach(page, "going");
  await played(page, 3);
  await page.keyboard.up("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("p");
  await reach(page, "stopped");
  const stopped = await tick(page);
  same(await figure(page, "score"), "0", "the score");
  await driver.shot(page, "video-paused");
  // One tick at a time, with a key.
  await page.keyboard.press(".");
  await played(page, stopped + 1);
  same(await tick(page), stopped + 1, "one tick");
  await page.keyboard.press("p");
  await reach(page, "going");
  await page.keyboard.down("d");
  await reach(page, "over");
  await page.keyboard.up("d");
  same(await page.locator(".video").getAttribute("data-result"), "won", "the result");
  same(await figure(page, "score"), "5", "the score at the end");
  same((await page.locator('[data-resource="coin"]').textContent()).trim(), "2", "coins");
  check((await page.locator(".overlay").textContent()).includes("You have won!"), "the overlay");
  check((await page.locator(".status").textContent()).startsWith("Won after"), "the sentence");
  same(await page.evaluate(() => window.scrollY), scrolled, "nothing has scrolled");
  await driver.shot(page, "video-won");
  await page.getByRole("button", { name: "Try again" }).click();
  await reach(page, "ready");
  same(await tick(page), 0, "ticks after the new beginning");
}

export async function a_tick_for_every_key(driver) {
  const page = await driver.page();
  await beginOwn(page, driver);
  await page.locator('[data-control="speed"]').selectOption("0");
  await page.locator(".stage-box").focus();
  for (let i = 1; i <= 7; i++) {
    await page.keyboard.press(i % 2 ? "ArrowRight" : "d");
    await played(page, i);
    same(await tick(page), i, "a tick for every key");
  }
  await reach(page, "over");
  same(await figure(page, "score"), "5", "the score");
  await page.reload();
  await reach(page, "over");
  same(await figure(page, "score"), "5", "the score after reload");
}

export async function every_video_game(driver) {
  const page = await driver.page();
  await page.locator("[data-video]").first().waitFor();
  await page.locator('[data-filter="kind"]').selectOption("video");
  const names = await page.locator("[data-video]").evaluateAll((all) => all.map((card) => card.dataset.video));
  check(names.length >= 12, `${names.length} video games`);
  same(await page.locator("[data-game]:visible").count(), 0, "board games in the list of video games");
  await driver.shot(page, "video-games");
  await page.getByRole("searchbox").fill(names[3]);
  same(await page.locator("[data-video]:visible").count(), 1, "what is found");
  for (const [i, name] of names.entries()) {
    await begin(page, driver, name, i % 3, "play");
    await reach(page, "ready");
    if (i === 0) await page.locator('[data-control="speed"]').selectOption("40");
    await page.locator(".stage-box").focus();
    await page.keyboard.down("ArrowRight");
    await page.waitForFunction(() => {
      const { tick, status } = document.querySelector(".video").dataset;
      return Number(tick) >= 6 || status === "over";
    });
    await page.keyboard.up("ArrowRight");
    check(await isDrawn(page), `${name} is drawn`);
    await driver.shot(page, `video-${name}`);
  }
}

export async function next_level(driver) {
  const page = await driver.page();
  await page.locator("[data-video] a").first().click();
  await page.locator('[data-quick="play"]').click();
  await reach(page, "ready");
  check((await page.locator("h1").textContent()).endsWith("level 1"), "level 1");
  const first = page.url();
  await page.locator('[data-control="next"]').click();
  await page.locator("h1", { hasText: "level 2" }).waitFor();
  await page.locator('[data-control="next"]').click();
  await page.locator("h1", { hasText: "level 3" }).waitFor();
  check(await page.locator('[data-control="next"]').isHidden(), "there is no fourth");
  await page.goto(first);
  await page.getByText("no longer on the server").waitFor();
}

export async function watching_a_video_agent(driver) {
  const page = await driver.page();
  await page.locator("[data-video] a").first().click();
  await page.locator('[data-driver="agent"]').selectOption("vg-ol-mcts");
  await page.locator('[data-driver="limit"]').selectOption("sims=20");
  await page.locator('[data-quick="watch"]').click();
  await reach(page, "running");
  await played(page, 5);
  await page.locator('[data-control="pause"]').click();
  await reach(page, "paused");
  const before = await tick(page);
  await page.locator('[data-control="step"]').click();
  await played(page, before + 1);
  same(await tick(page), before + 1, "one tick");
  check((await page.locator(".thoughts tbody tr").count()) > 1, "what it thinks");
  const visits = await page.locator(".thoughts tbody td:nth-child(2)").allTextContents();
  check(visits.some((text) => Number(text) > 0), "visits");
  await driver.shot(page, "video-watching");
  // What was played so far can be seen again, and left.
  await page.locator('[data-control="again"]').click();
  await page.locator('[data-film="counter"]', { hasText: `/ ${before + 1}` }).waitFor();
  await page.locator('[data-film="leave"]').click();
  await reach(page, "paused");
  await page.locator('[data-control="speed"]').selectOption("20");
  await page.locator('[data-control="pause"]').click();
  await played(page, before + 5);
  // A second tab sees the same game.
  const two = await page.context().newPage();
  await two.goto(page.url());
  await played(two, before + 5);
  // And somebody else takes over.
  await page.getByText("Change who plays").click();
  await page.locator('.seats-part [data-quick="play"]').click();
  await reach(page, "ready");
  await reach(two, "ready");
}

export async function replays_are_played_back(driver) {
  const page = await driver.page();
  await beginOwn(page, driver);
  await page.locator('[data-control="speed"]').selectOption("40");
  await page.locator(".stage-box").focus();
  await page.keyboard.down("ArrowLeft");
  await played(page, 60);
  await page.keyboard.up("ArrowLeft");
  await page.keyboard.down("ArrowRight");
  await reach(page, "over");
  const ticks = await tick(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator('[data-control="save"]').click()]);
  const text = fs.readFileSync(await download.path(), "utf8");
  same(JSON.parse(text).actions.length, ticks, "actions in the file");
  // The game again, at once.
  await page.locator(".overlay").getByRole("button", { name: "Watch again" }).click();
  await page.locator('[data-film="counter"]', { hasText: `0 / ${ticks}` }).waitFor();
  // From the file.
  await page.goto(`${driver.address}/#/`);
  await page.locator(".card").first().waitFor();
  await drop(page, "mine.replay.json", text);
  await reach(page, "film");
  await page.locator('[data-film="counter"]', { hasText: `0 / ${ticks}` }).waitFor();
  check((await page.locator(".status").textContent()).includes("played by human"), "who played");
  await page.locator('[data-film="on"]').click();
  await page.locator('[data-film="on"]').click();
  same(await tick(page), 2, "two ticks on");
  await page.locator('[data-film="back"]').click();
  same(await tick(page), 1, "one back");
  await page.locator('[data-film="slider"]').fill(String(ticks - 1));
  same(await tick(page), ticks - 1, "near the end");
  same(await figure(page, "score"), "2", "the score before the end");
  await page.locator('[data-film="end"]').click();
  same(await figure(page, "score"), "5", "the score at the end");
  same(await figure(page, "result"), "won", "the result at the end");
  await page.locator('[data-film="slider"]').fill("55");
  await page.locator('[data-film="speed"]').selectOption("40");
  await page.locator('[data-film="play"]').click();
  await page.locator('[data-film="play"]', { hasText: "Pause" }).waitFor();
  await page.locator('[data-film="counter"]', { hasText: `${ticks} / ${ticks}` }).waitFor();
  await page.locator('[data-film="play"]', { hasText: "Play" }).waitFor();
  await driver.shot(page, "video-replay");
  // What was changed is found out.
  const damaged = { ...JSON.parse(text), seed: JSON.parse(text).seed + 1 };
  await page.goto(`${driver.address}/#/`);
  await page.locator(".card").first().waitFor();
  await drop(page, "damaged.json", JSON.stringify(damaged));
  await page.locator(".notice", { hasText: "another state after 50 ticks" }).waitFor();
  await driver.shot(page, "video-replay-damaged");
  await drop(page, "cut.json", text.slice(0, 200));
  await page.locator(".notice", { hasText: "not JSON" }).waitFor();
}

export async function a_video_game_is_written(driver) {
  const page = await driver.page({}, "#/write-video");
  const rules = page.getByRole("textbox", { name: "Rules in VGDL" });
  await page.locator(".verdict.good").waitFor();
  await page.locator(".preview canvas").waitFor();
  await driver.shot(page, "video-editor");
  await rules.fill(GAME.replace("Door", "Dor"));
  await page.locator(".verdict.bad").waitFor();
  same(await page.locator(".diagnostics .error .place").first().textContent(), "game 3:16", "the place");
  same(await page.locator(".wrong.error").first().textContent(), "Dor", "what is marked");
  check(await page.locator("#play-this").isDisabled(), "what is wrong cannot be played");
  await rules.fill(GAME);
  await page.getByRole("textbox", { name: "Level" }).fill("www\nw?w\nwww\n");
  await page.locator(".diagnostics .error .place", { hasText: "level" }).first().waitFor();
  await driver.shot(page, "video-editor-error");
  // A file is opened where it can be changed.
  await page.goto(`${driver.address}/#/`);
  await page.locator(".card").first().waitFor();
  await drop(page, "corridor.txt", `# A comment\n${GAME}`);
  await rules.waitFor();
  check((await rules.inputValue()).startsWith("# A comment"), "the text of the file");
  same(await page.getByRole("textbox", { name: "Name of the game" }).inputValue(), "corridor", "its name");
}

export async function video_on_a_phone(driver) {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await driver.page(phone);
  await page.locator("[data-video]").first().waitFor();
  const name = await page.locator("[data-video]").first().getAttribute("data-video");
  await page.goto(`${driver.address}/#/level/${name}`);
  await page.locator('[data-quick="play"]').waitFor();
  await fits(page, "choosing a level");
  await driver.shot(page, "phone-video-level");
  await page.locator('[data-quick="play"]').tap();
  await reach(page, "ready");
  await fits(page, "a level");
  await page.locator('.pad [data-action="R"]').tap();
  await reach(page, "going");
  await played(page, 3);
  await page.locator('[data-control="pause"]').tap();
  await driver.shot(page, "phone-video");
  // All that is needed is in the window at once.
  const bottom = await page.locator(".pad").evaluate((pad) => pad.getBoundingClientRect().bottom + window.scrollY);
  check(bottom <= 740, `the buttons end at ${bottom}`);
  await page.goto(`${driver.address}/#/write-video`);
  await page.locator(".verdict.good").waitFor();
  await fits(page, "the editor");
}

export async function video_light_and_dark(driver) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await driver.page({ colorScheme });
    await page.locator("[data-video]").first().waitFor();
    await page.locator('[data-filter="kind"]').selectOption("video");
    await driver.shot(page, `video-games-${colorScheme}`);
    await page.locator("[data-video] a").nth(6).click();
    await page.locator('[data-quick="play"]').waitFor();
    await driver.shot(page, `video-level-${colorScheme}`);
    await page.locator('[data-quick="play"]').click();
    await reach(page, "ready");
    await driver.shot(page, `video-ready-${colorScheme}`);
    await page.keyboard.press("ArrowRight");
    await played(page, 4);
    await driver.shot(page, `video-going-${colorScheme}`);
  }
}
