// Firefox by puppeteer-core, which speaks WebDriver BiDi with the one that is installed: docs/decisions/libraries-and-tools.md says why.

import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { findFirefox } from '../../tools/machine.mjs';

/** Why these tests cannot run on this machine, in words; undefined where Firefox is installed. */
export const missing = findFirefox() ? undefined : 'Firefox is not installed';

/** Preferences that switch WebGPU on. `startFirefox` adds one, for the output of consoles. */
const { 'moz:firefoxOptions': { prefs } } = JSON.parse(readFileSync(new URL('../../webdriver.json', import.meta.url), 'utf8'));

/**
 * Matches a line of Firefox's output about an error in a page. There are two kinds. One is what a page told `console.error`; code
 * of Firefox itself also logs there, but begins with the name of its module and a colon, which are in no quotes. The other is an exception
 * that nobody caught, unless its address is one of Firefox's own code, `resource:` or `chrome:`. Puppeteer's events leave workers out.
 */
const PROBLEM = /^(console\.error: (?![A-Za-z]+: )|JavaScript error: (?!resource:|chrome:))/;

const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/**
 * Starts Firefox, headless, with a fresh profile. `onLog` gets the text of each message on the page's console. Resolves to an object with one
 * page:
 * - `goto(url)` resolves when the page has loaded.
 * - `run(work, ...args)` runs the function `work` in the page, as text: it sees nothing of this module. Arguments and result are data.
 *   It rejects when `work` throws.
 * - `until(work, seconds)` runs `work` again and again until its result is truthy, and resolves to that; it rejects after `seconds` (120).
 * - `problems()` are the lines of the errors so far, of pages, frames and workers: those told to a console, and those that nobody caught.
 * - `close()` ends Firefox and resolves when its profile is gone.
 */
export async function startFirefox({ onLog } = {}) {
  const extraPrefsFirefox = { 'devtools.console.stdout.content': true, ...prefs }; // pages' consoles are printed too, for `problems`
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: findFirefox(), extraPrefsFirefox, timeout: 60_000 });
  let said = '';
  for (const stream of [browser.process().stdout, browser.process().stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [page] = await browser.pages();
  page.on('console', (message) => onLog?.(message.text())).on('pageerror', (error) => onLog?.(String(error)));
  const run = (work, ...args) => page.evaluate(work, ...args);

  return {
    goto: (url) => page.goto(url, { timeout: 120_000 }),
    run,
    // Puppeteer's waitForFunction evaluates text in the page, which a content security policy may forbid.
    async until(work, seconds = 120) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) {
        const found = await run(work);
        if (found) return found;
      }
      throw new Error(`not within ${seconds} s: ${work}\n${said}`);
    },
    problems: () => said.split('\n').filter((line) => PROBLEM.test(line)),
    close: () => browser.close(),
  };
}
