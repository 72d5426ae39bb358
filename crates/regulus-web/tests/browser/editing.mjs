// Writing rules: what is wrong is shown where it is, and nothing is lost.

import { check, reach, same } from "./driver.mjs";

const GAME = `#players = left(100), right(100)
#pieces = leftMan, rightMan, empty
#variables =
#board = rectangle(up, down, west, east,
    [leftMan, empty, empty, rightMan])
#turn(me; step) = ->me (west* + east*) {me~Man} [empty] step {empty} [me~Man] ->>
#rules = (turn(left; east) turn(right; west))*
`;

export async function errors_preview_and_play(driver) {
  const page = await driver.page({}, "#/write");
  const area = page.getByRole("textbox", { name: "Rules in RBG" });
  // What is there first can be played.
  await page.locator(".verdict.good").waitFor();
  await page.locator(".preview .board").waitFor();
  await driver.shot(page, "editor-first");
  await area.fill(GAME.replace("{empty}", "{emty}"));
  await page.locator(".verdict.bad").waitFor();
  const place = await page.locator(".diagnostics .error .place").first().textContent();
  const line = GAME.split("\n").findIndex((l) => l.includes("{empty}")) + 1;
  same(place.split(":")[0], String(line), "the line of the error");
  same(await page.locator(".wrong.error").first().textContent(), "emty", "what is marked in the text");
  check(await page.locator("#play-this").isDisabled(), "what is wrong cannot be played");
  await driver.shot(page, "editor-error");
  // Going to it selects it.
  await page.locator(".diagnostics .place").first().click();
  same(await area.evaluate((e) => e.value.slice(e.selectionStart, e.selectionEnd)), "emty", "what is selected");
  // Nothing typed is lost, even what is wrong.
  await page.reload();
  await page.locator(".verdict.bad").waitFor();
  check((await area.inputValue()).includes("emty"), "the text after reload");
  await area.fill(GAME);
  await page.locator(".verdict.good").waitFor();
  same(await page.locator(".preview .piece").count(), 2, "pieces in the preview");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.locator('[data-quick="people"]').click();
  await page.locator(".place.choice").first().waitFor();
  same(await page.locator(".place").count(), 4, "cells of our own game");
  await driver.shot(page, "own-game");
}

export async function a_dropped_file(driver) {
  const page = await driver.page();
  await page.locator(".card").first().waitFor();
  const drop = (name, text) =>
    page.evaluate(([n, t]) => {
      const data = new DataTransfer();
      data.items.add(new File([t], n));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, text]);
  await drop("tug.rbg", GAME);
  await page.locator('[data-quick="human-0"]').click();
  await reach(page, "choosing", "thinking");
  same(await page.locator("h1").textContent(), "Tug", "the name of the file");
  // With mistakes it is opened where they are shown.
  await page.goto(`${driver.address}/#/`);
  await page.locator(".card").first().waitFor();
  await drop("broken.rbg", "#players = ");
  await page.locator(".verdict.bad").waitFor();
}

export async function another_tab_writes(driver) {
  const context = await driver.visitor();
  for (const [at, label, text] of [["write", "Rules in RBG", GAME], ["write-video", "Level", "wwww\nwA w\nwwww\n"]]) {
    const [here, there] = [await context.newPage(), await context.newPage()];
    for (const page of [here, there]) {
      await page.goto(`${driver.address}/#/${at}`);
      await page.locator(".verdict.good").waitFor();
    }
    await here.getByRole("textbox", { name: label }).fill(text);
    await there.waitForFunction(
      ([name, written]) => document.querySelector(`textarea[aria-label="${name}"]`)?.value === written,
      [label, text],
    );
  }
}
