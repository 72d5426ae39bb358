// Seeing agents think: hints, watching, pausing, stepping.

import { begin, beginWith, check, reach, same, settled, state } from "./driver.mjs";

export async function a_hint(driver) {
  const page = await driver.page();
  await begin(page, "breakthrough", "people");
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".place.hint").first().waitFor();
  await page.locator(".thinking tbody tr").first().waitFor();
  const shares = await page.locator(".thinking tbody tr td:nth-child(2)").allTextContents();
  const visits = shares.map((text) => Number(text.replaceAll(",", "")));
  same(visits, [...visits].sort((a, b) => b - a), "moves sorted by visits");
  check((await page.locator(".steps").textContent()).startsWith("Hint: "), "the hint in words");
  const heat = await page.locator(".heat").evaluateAll((all) => all.filter((e) => Number(e.getAttribute("fill-opacity")) > 0).length);
  check(heat > 0, "heat on the board");
  check((await page.locator('[data-figure="iterations"]').textContent()) !== "–", "iterations");
  check((await page.locator(".chart .line").count()) > 0, "a line");
  await driver.shot(page, "hint");
  // Without thoughts on the board, if one does not want them.
  await page.locator("#heat").uncheck();
  const cold = await page.locator(".heat").evaluateAll((all) => all.filter((e) => Number(e.getAttribute("fill-opacity")) > 0).length);
  same(cold, 0, "heat after switching it off");
}

export async function watching_with_pause_and_step(driver) {
  const page = await driver.page();
  // Slow enough that the game cannot be over before it is paused.
  const agent = ["auto", "time=1s"];
  await beginWith(page, "gomoku", [agent, agent]);
  const pause = page.locator('[data-control="pause"]');
  const plies = async () => Number((await page.locator(".counter").textContent()).split("/")[1]);
  const has = (count) => page.locator(".counter", { hasText: `/ ${count}` }).waitFor();
  await pause.click();
  await reach(page, "paused");
  const before = await plies();
  await page.locator('[data-control="step"]').click();
  await has(before + 1);
  await reach(page, "paused");
  await page.locator(".thinking tbody tr").first().waitFor();
  await driver.shot(page, "watching-paused");
  await page.getByRole("combobox", { name: "Speed of agents" }).selectOption("500");
  await pause.click();
  await has(before + 3);
  // A person takes a seat in the middle of it.
  await pause.click();
  await reach(page, "paused");
  await page.getByText("Change who plays").click();
  await page.locator(".panel [data-seat='0']").selectOption("");
  await page.locator(".panel [data-seat='1']").selectOption("");
  await page.getByRole("button", { name: "Play on with these seats" }).click();
  same(await reach(page, "choosing"), "choosing", "people are asked");
}

export async function resigning(driver) {
  const page = await driver.page();
  await beginWith(page, "reversi", ["", ["auto", "sims=100"]]);
  same(await state(page), "choosing", "black begins");
  await settled(page, () => page.getByRole("button", { name: "Resign" }).click());
  await reach(page, "over");
  const text = await page.locator(".status").textContent();
  same(text, "The game is over: black has resigned.", "the end");
}
