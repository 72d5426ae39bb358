// Runs browser tests: node run.mjs ADDRESS CHROMIUM SCREENSHOTS [NAME...]

import { Driver } from "./driver.mjs";
import * as editing from "./editing.mjs";
import * as thinking from "./thinking.mjs";
import * as video from "./video.mjs";
import * as visitors from "./visitors.mjs";
import * as wholeGames from "./whole_games.mjs";

const [, , address, chromium, screenshots, ...wanted] = process.argv;
const tests = Object.entries({ ...wholeGames, ...thinking, ...editing, ...visitors, ...video });
const driver = await Driver.launch(chromium, address, screenshots);
let failed = 0;
for (const [name, test] of tests) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const begun = performance.now();
  try {
    try {
      await test(driver);
    } catch (error) {
      // What it looked like tells more than any message.
      for (const [i, page] of driver.contexts.flatMap((context) => context.pages()).entries()) {
        await driver.shot(page, `failed-${name}-${i}`).catch(() => {});
      }
      throw error;
    } finally {
      await driver.finish();
    }
    console.log(`ok ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack ?? error}`);
  }
}
await driver.browser.close();
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
