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
  const agent = ["auto", "sims=1000"];
  await beginWith(page, "gomoku", [agent, agent]);
  // Slowly, so that the game cannot be over before it is paused.
  const speed = page.getByRole("combobox", { name: "Speed of agents" });
  await speed.selectOption("3000");
  await page.locator(".thinking tbody tr").first().waitFor();
  await page.locator(".moves li").nth(3).waitFor();
  await page.locator('[data-control="pause"]').click();
  await reach(page, "paused");
  const plies = Number((await page.locator(".counter").textContent()).split("/")[1]);
  await driver.shot(page, "watching-paused");
  await page.locator('[data-control="step"]').click();
  await page.locator(".counter", { hasText: `/ ${plies + 1}` }).waitFor();
  await reach(page, "paused");
  await speed.selectOption("500");
  await page.locator('[data-control="pause"]').click();
  await page.locator(".moves li").nth(plies + 2).waitFor();
  // A person takes a seat in the middle of it.
  await page.locator('[data-control="pause"]').click();
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
