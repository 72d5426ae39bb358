// Whole games, played by clicking.

import { begin, beginWith, check, choose, dice, fits, move, playOut, reach, same, settled } from "./driver.mjs";

const WEAK = ["auto", "sims=100"];

async function outcome(page) {
  return page.locator(".status").textContent();
}

export async function breakthrough_against_an_agent(driver) {
  const page = await driver.page();
  await beginWith(page, "breakthrough", ["", WEAK]);
  const box = await page.locator(".board").boundingBox();
  check((await page.locator(".status").textContent()).startsWith("White to move: "), "the first sentence");
  await playOut(page, dice(7));
  check(/^The game is over: (white|black) wins \(white (0|100), black (0|100)\)\.$/.test(await outcome(page)), `not an end: ${await outcome(page)}`);
  same(await page.locator(".board").boundingBox(), box, "the board has moved");
  check((await page.locator(".moves button").count()) > 10, "the moves are listed");
  await driver.shot(page, "breakthrough-over");
}

export async function connect_four_for_two_people(driver) {
  const page = await driver.page();
  await begin(page, "connect-four", "people");
  // Red stacks the first column, yellow the second.
  const column = async (x) => {
    const names = await page.locator(".place.choice").evaluateAll((all) => all.map((e) => e.dataset.name));
    const there = names.filter((name) => name.includes(`x${x}y`));
    check(there.length > 0, `column ${x} can be chosen among ${names}`);
    await choose(page, there.at(-1));
  };
  for (let i = 0; i < 3; i++) {
    await column(0);
    await column(1);
  }
  same(await page.locator('.place[data-piece="redDisc"]').count(), 3, "red discs");
  await column(0);
  await reach(page, "over");
  check((await outcome(page)).includes("red wins (red 100, yellow 0)"), await outcome(page));
  await driver.shot(page, "connect-four-over");
  // Undo goes back into the game, and it can be ended again.
  await settled(page, () => page.getByRole("button", { name: "Undo", exact: true }).click());
  same(await reach(page, "choosing", "over"), "choosing", "after undo");
  await column(0);
  await reach(page, "over");
  await settled(page, () => page.getByRole("button", { name: "Restart" }).click());
  same(await page.locator('.place[data-piece="redDisc"]').count(), 0, "discs after restart");
}

export async function hex_to_the_end(driver) {
  const page = await driver.page({ colorScheme: "dark" });
  await begin(page, "hex", "people");
  same(await page.locator(".place").count(), 121, "cells");
  await playOut(page, dice(3));
  check(/(red|blue) wins/.test(await outcome(page)), await outcome(page));
  await driver.shot(page, "hex-over-dark");
}

export async function the_mill_game_on_its_graph(driver) {
  const page = await driver.page();
  await beginWith(page, "the-mill-game", ["", WEAK]);
  same(await page.locator(".place").count(), 24, "points");
  same(await page.locator(".board .edge").count(), 32, "lines");
  await choose(page, "a7");
  await page.locator('.place[data-name="a7"][data-piece="whiteMan"]').waitFor();
  await driver.shot(page, "mill-begun");
  await playOut(page, dice(11));
  check(/wins|draw/.test(await outcome(page)), await outcome(page));
  await driver.shot(page, "mill-over");
  await fits(page, "the mill game");
}

export async function chess_with_promotion_from_a_record(driver) {
  const page = await driver.page();
  await begin(page, "chess", "people");
  const names = await page.locator(".place").evaluateAll((all) => all.map((e) => e.dataset.name));
  const at = (square) => {
    const found = names.find((name) => name.endsWith(`x${"abcdefgh".indexOf(square[0])}y${8 - Number(square[1])}`));
    check(found !== undefined, `${square} is a vertex`);
    return found;
  };
  const moves = ["h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "b8c6", "h6h7", "a8b8"];
  for (const m of moves) await move(page, at(m.slice(0, 2)), at(m.slice(2)));
  same(await page.locator(".moves li").count(), moves.length + 1, "moves in the list");
  // What is saved is loaded by a visitor who knows nothing else.
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the game" }).click()]);
  const path = await download.path();
  const other = await driver.page();
  await other.locator(".card").first().waitFor();
  const [chooser] = await Promise.all([other.waitForEvent("filechooser"), other.getByRole("button", { name: "open a file" }).click()]);
  await chooser.setFiles({ name: "chess.json", mimeType: "application/json", buffer: (await import("node:fs")).readFileSync(path) });
  await other.locator('.place[data-piece="whitePawn"]').first().waitFor();
  same(await other.locator(".counter").textContent(), "8 / 8", "the position of the record");
  // Stepping through it and back.
  await settled(other, () => other.getByRole("button", { name: "To the beginning" }).click());
  same(await other.locator(".counter").textContent(), "0 / 8", "the beginning");
  for (let ply = 1; ply <= 8; ply++) {
    await settled(other, () => other.getByRole("button", { name: "One move on" }).click());
  }
  await other.locator(`.place[data-name="${at("h7")}"][data-piece="whitePawn"]`).waitFor();
  // A pawn takes on g8 and becomes a knight, which is chosen by a button.
  await choose(other, at("h7"));
  await driver.shot(other, "chess-promotion-destination");
  await choose(other, at("g8"));
  await other.locator(".choices button").first().waitFor();
  await driver.shot(other, "chess-promotion-choice");
  // Stepping back inside the move, and forward again.
  await settled(other, () => other.getByRole("button", { name: "Step back" }).click());
  await choose(other, at("g8"));
  await settled(other, () => other.locator(".choices button", { hasText: /knight/i }).click());
  await other.locator(`.place[data-name="${at("g8")}"][data-piece="whiteKnight"]`).waitFor();
  same(await other.locator(".moves li").count(), moves.length + 2, "moves after the promotion");
  await driver.shot(other, "chess-promoted");
}
