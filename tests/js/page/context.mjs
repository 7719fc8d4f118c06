// The site as a visitor meets it: built once, served from a sub-path, in the system's Chromium.

import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { launch, serve } from '../browser.mjs';

/** How long a test waits for anything, in ms: a busy machine is no fault of the page. */
const LIMIT = 120_000;

const www = fileURLToPath(new URL('../../../www', import.meta.url));

/**
 * The site, for the tests of one file: it is built and served before them. Returns `open`, below, and `address()`, the URL of its folder.
 * There is a browser for each kind of page (with and without a WebGPU adapter, able to draw by WebGPU or not), which starts when it is
 * first needed.
 */
export function site() {
  let server;
  const browsers = {};
  before(async () => {
    await build({ configFile: `${www}/vite.config.js`, logLevel: 'error' });
    server = await serve(www);
  });
  after(async () => {
    for (const browser of Object.values(browsers)) await (await browser).close();
    await server?.close();
  });

  /**
   * Opens a page of the site in a new profile. Resolves to Playwright's `page`; to `problems`, a list that grows by what a page of ours
   * must never cause (errors, dialogs, requests to other servers); and to `close()`.
   * @param {string} path
   * @param {{ webgpu?: boolean, canvas?: boolean }} [options] `canvas` where WebGPU also draws; and those of Playwright
   */
  async function open(path, { webgpu = false, canvas = false, ...options } = {}) {
    const kind = `${webgpu} ${canvas}`;
    browsers[kind] ??= launch({ webgpu, canvas });
    const context = await (await browsers[kind]).newContext({ reducedMotion: 'reduce', serviceWorkers: 'block', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT);
    const problems = [];
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on(
      'request',
      (request) =>
        /^(blob|data):/.test(request.url()) ||
        request.url().startsWith(server.url) ||
        problems.push(`request: ${request.url()}`),
    );
    await page.goto(`${server.url}dist/${path}`);
    return { page, problems, close: () => context.close() };
  }
  return { open, address: () => `${server.url}dist/` };
}

/**
 * Scrolls through the page, so that all `parts` (a selector) start, which they do when they are on the screen, and waits until all are
 * done. A part that grows when it starts can push the next one off the screen before that was seen, so this scrolls again while some are not.
 */
export async function settle(page, parts = '[data-lab], [data-block]') {
  const end = Date.now() + LIMIT;
  for (;;) {
    await scroll(page, parts);
    try {
      return await done(page, parts, 5000);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Shows each of the parts for a frame. */
async function scroll(page, parts) {
  await page.evaluate(async (parts) => {
    for (const part of document.querySelectorAll(parts)) {
      part.scrollIntoView({ behavior: 'instant' });
      await new Promise((next, fail) => {
        setTimeout(() => fail(new Error('the page has not drawn for a minute')), 60_000);
        requestAnimationFrame(() => setTimeout(next)); // an observer sees it
      });
    }
  }, parts);
}

/** Waits for so many milliseconds until nothing runs any more in the parts of a page, its playground included. */
async function done(page, parts, timeout) {
  const isDone = (parts) => {
    const running = [...document.querySelectorAll(`:is(${parts}, .workbench)`)].map(
      (part) => part.querySelector('.lab-body') ?? part,
    );
    return running.every((part) => part.getAttribute('aria-busy') === 'false');
  };
  await page.waitForFunction(isDone, parts, { timeout });
}

/** Chooses the device as a visitor does. */
export async function choose(page, device) {
  await page.locator(`[data-devices] label:has(input[value="${device}"])`).first().click();
}
