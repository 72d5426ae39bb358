// Reloading, two tabs, phones, keyboards, screens of all kinds.

import { begin, check, choose, dice, fits, move, playSome, same } from "./driver.mjs";

export async function reload_loses_nothing(driver) {
  const page = await driver.page();
  await begin(page, "breakthrough", "people");
  const first = page.locator(".place.choice").first();
  await choose(page, await first.getAttribute("data-name"));
  const chosen = await page.locator(".steps").textContent();
  check(chosen.startsWith("Chosen: "), "a step is chosen");
  await page.reload();
  await page.locator(".place.chosen").waitFor();
  same(await page.locator(".steps").textContent(), chosen, "the step after reload");
  await choose(page, await page.locator(".place.choice").first().getAttribute("data-name"));
  await page.locator(".counter", { hasText: "1 / 1" }).waitFor();
  await page.reload();
  await page.locator(".counter", { hasText: "1 / 1" }).waitFor();
  check((await page.locator(".place.last").count()) > 0, "the last move is marked");
  // And from the list of games one comes back to it.
  await page.goto(`${driver.address}/#/`);
  await page.getByRole("link", { name: "go back to your last game" }).click();
  await page.locator(".counter", { hasText: "1 / 1" }).waitFor();
}

export async function two_tabs_show_one_game(driver) {
  const context = await driver.visitor();
  const one = await context.newPage();
  await one.goto(`${driver.address}/#/`);
  await begin(one, "tic-tac-toe", "people");
  const two = await context.newPage();
  await two.goto(one.url());
  await two.locator(".place.choice").first().waitFor();
  const name = await one.locator(".place.choice").first().getAttribute("data-name");
  await choose(one, name);
  await two.locator(`.place[data-name="${name}"][data-piece="cross"]`).waitFor();
  const next = await two.locator(".place.choice").first().getAttribute("data-name");
  await choose(two, next);
  await one.locator(`.place[data-name="${next}"][data-piece="nought"]`).waitFor();
}

export async function a_game_that_is_gone(driver) {
  const page = await driver.page({}, "#/play/00000000000000000000000000000000");
  await page.getByText("no longer on the server").waitFor();
  await page.getByRole("main").getByRole("link", { name: "To the games" }).click();
  await page.locator(".card").first().waitFor();
}

const RULES = `#players = a(100)
#pieces = e, x
#variables =
#board = rectangle(up, down, left, right, [e, e, e])
#rules = ->a right [x] ->a right [x] ->> {}`;

export async function a_process_that_is_gone(driver) {
  const processes = driver.childProcesses();
  if (processes === null) return;
  const page = await driver.page();
  const id = await page.evaluate(async (text) => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ text, name: "mine", seats: [{ kind: "human" }] });
    const answer = await fetch("/api/v1/sessions", { method: "POST", headers, body });
    return (await answer.json()).id;
  }, RULES);
  const [started] = driver.childProcesses().filter((other) => !processes.includes(other));
  await page.goto(`${driver.address}/#/play/${id}`);
  await page.locator(".place.choice").first().waitFor();
  process.kill(started, "SIGKILL");
  // Nobody has to do anything.
  const told = "The game is over: it cannot go on, because the process that runs the rules was killed from outside (SIGKILL).";
  await page.getByText(told).waitFor();
  await fits(page, "a game that cannot go on");
  await driver.shot(page, "killed");
}

export async function phone_width(driver) {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await driver.page(phone);
  await page.locator(".card").first().waitFor();
  await fits(page, "the list of games");
  await driver.shot(page, "phone-games");
  for (const game of ["chess", "hex", "the-mill-game", "go"]) {
    await page.goto(`${driver.address}/#/`);
    await page.locator(`.card[data-game="${game}"] a`).click();
    await page.locator('[data-quick="people"]').waitFor();
    await fits(page, `setting up ${game}`);
    await page.locator('[data-quick="people"]').tap();
    await page.locator(".place.choice").first().waitFor();
    await fits(page, game);
    await driver.shot(page, `phone-${game}`);
  }
  await page.goto(`${driver.address}/#/write`);
  await page.locator(".verdict.good").waitFor();
  await fits(page, "the editor");
  await driver.shot(page, "phone-editor");
}

export async function keyboard_only(driver) {
  const page = await driver.page();
  await page.locator(".card").first().waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("breakthrough");
  await page.locator('.card[data-game="chess"]').waitFor({ state: "hidden" });
  // From here on only keys: the card is one of the next stops of the tab key.
  const tabTo = async (matches) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(matches)) return;
    }
    throw new Error(`the tab key does not reach ${matches}`);
  };
  await tabTo(() => document.activeElement?.closest('[data-game="breakthrough"]') !== null);
  await page.keyboard.press("Enter");
  await page.locator('[data-quick="people"]').waitFor();
  await tabTo(() => document.activeElement?.getAttribute("data-quick") === "people");
  await page.keyboard.press("Enter");
  await page.locator(".place.choice").first().waitFor();
  await tabTo(() => document.activeElement?.classList.contains("place") === true);
  // To a pawn, then choose it, step back, choose it again, and go on.
  await page.keyboard.press("n");
  await page.locator(".place.choice:focus").waitFor();
  const from = await page.locator(".place:focus").getAttribute("data-name");
  await page.keyboard.press("Enter");
  await page.locator(`.place.chosen[data-name="${from}"]`).waitFor();
  check((await page.locator(".place:focus").count()) === 1, "the focus stays on the board");
  await page.keyboard.press("Escape");
  await page.locator(`.place.choice[data-name="${from}"]`).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(`.place.chosen[data-name="${from}"]`).waitFor();
  await page.keyboard.press("ArrowUp");
  const to = await page.locator(".place:focus").getAttribute("data-name");
  check(to !== from, "arrows move");
  await page.locator(`.place.choice[data-name="${to}"]`).waitFor();
  await driver.shot(page, "keyboard");
  await page.keyboard.press("Enter");
  await page.locator(".counter", { hasText: "1 / 1" }).waitFor();
  check((await page.locator(".place:focus").getAttribute("aria-label")).startsWith(to.replace(/^r/, "")), "what is focused is named");
}

/** What was chosen may be shown before the answer to the choice is here; a key that is pressed in between counts. */
export async function a_quick_key_is_heard(driver) {
  const page = await driver.page();
  await begin(page, "breakthrough", "people");
  let release = () => {};
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/choose", async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const from = await page.locator(".place.choice").first().getAttribute("data-name");
  await page.locator(`.place[data-name="${from}"]`).click();
  await page.locator(`.place.chosen[data-name="${from}"]`).waitFor();
  await page.keyboard.press("Escape");
  release();
  await page.locator(`.place.choice[data-name="${from}"]`).waitFor();
  same(await page.locator(".place.chosen").count(), 0, "chosen pieces");
}

export async function another_piece_can_be_chosen_instead(driver) {
  const page = await driver.page();
  await begin(page, "breakthrough", "people");
  const names = await page.locator(".place.choice").evaluateAll((all) => all.map((e) => e.dataset.name));
  await choose(page, names[0]);
  // It is not among what can be chosen now, which the driver would wait for.
  await page.locator(`.place[data-name="${names.at(-1)}"]`).click({ force: true });
  await page.locator(`.place.chosen[data-name="${names.at(-1)}"]`).waitFor();
  same(await page.locator(".place.chosen").count(), 1, "chosen pieces");
}

export async function light_and_dark(driver) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await driver.page({ colorScheme });
    await page.locator(".card").first().waitFor();
    await driver.shot(page, `games-${colorScheme}`);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    // System, light, dark: one of the two differs from what the system says.
    await page.locator("#theme").click();
    const light = await ground();
    await page.locator("#theme").click();
    const dark = await ground();
    check(light !== dark, "light and dark differ");
    same(before, colorScheme === "light" ? light : dark, "what the system says");
    await page.reload();
    await page.locator(".card").first().waitFor();
    same(await ground(), dark, "the choice is kept");
  }
}

const CUBOID = `#players = white(100), black(100)
#pieces = whiteBall, blackBall, empty
#variables =
#layer = [[empty, empty, empty] [empty, empty, empty] [empty, empty, empty]]
#board = cuboid(up, down, left, right, front, back, layer layer layer)
#turn(me) = ->me (up* + down*) (left* + right*) (front* + back*) {empty} [me~Ball] ->>
#rules = (turn(white) turn(black))*
`;

/** Nothing tells how this is drawn but its edges. */
const GRAPH = `#players = red(100), blue(100)
#pieces = redToken, redHome, blueToken, empty
#variables =
#board =
    a [redToken] {next: b, skip: c}
    b [empty] {next: c, skip: d}
    c [empty] {next: d}
    d [redHome] {next: e, skip: a}
    e [empty] {next: f}
    f [blueToken] {next: g, skip: h}
    g [empty] {next: h}
    h [empty] {next: a}
#turn(me) = ->me next* {me~Token} [empty] (next + skip) {empty} [me~Token] ->>
#rules = (turn(red) turn(blue))*
`;

/** Boards of all kinds after a few steps, for people to look at. */
export async function gallery(driver) {
  const games = ["amazons", "go", "pentago", "english-draughts", "hexxagon", "rolit", "eight-puzzle", "hare-and-hounds", "domineering", "breakthru", "peg-solitaire", "skirmish", "yavalath"];
  for (const [i, game] of games.entries()) {
    const page = await driver.page({ colorScheme: i % 2 === 0 ? "light" : "dark" });
    const puzzle = ["eight-puzzle", "peg-solitaire"].includes(game);
    await begin(page, game, puzzle ? "human-0" : "people");
    await playSome(page, dice(i + 1), 8);
    await driver.shot(page, `board-${game}`);
    await page.close();
  }
  for (const [name, text] of [["cuboid", CUBOID], ["graph", GRAPH]]) {
    const page = await driver.page({}, "#/write");
    await page.getByRole("textbox", { name: "Rules in RBG" }).fill(text);
    await page.locator(".verdict.good").waitFor();
    await page.getByRole("button", { name: "Play this" }).click();
    await page.locator('[data-quick="people"]').click();
    await page.locator(".place").first().waitFor();
    await playSome(page, dice(5), 5);
    await driver.shot(page, `board-${name}`);
    await page.close();
  }
}

export async function moves_of_the_list_lead_to_positions(driver) {
  const page = await driver.page();
  await begin(page, "tic-tac-toe", "people");
  const first = await page.locator(".place.choice").nth(4).getAttribute("data-name");
  await move(page, first);
  await choose(page, await page.locator(".place.choice").first().getAttribute("data-name"));
  await page.locator(".moves button").nth(1).click();
  await page.locator(".counter", { hasText: "1 / 2" }).waitFor();
  same(await page.locator('.place[data-piece="nought"]').count(), 0, "noughts after the first move");
}
