// Pages for the tests of scatterwise/threads, in Chromium and in Firefox, with the headers that isolate a page and without.

import { launch, serve } from '../browser.mjs';
import { missing, startFirefox } from '../firefox.mjs';
import { root } from '../../../tools/shell.mjs';

/** Headers by which a page is cross-origin isolated. */
export const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** An entry that the tables of this folder import by the path of `index.js`: that one whose threads come late, or the published one. */
const entryAt = (file) => ({ '/target/npm/scatterwise/index.js': `export * from '/target/npm/${file}';\n` });
export const late = entryAt('threads.testing.js');
export const published = entryAt('scatterwise/threads.js');

/** The blank page of a server of `serve`. */
export const blank = ({ url }) => `${url}tests/js/package/blank.html`;

/**
 * The browsers, by name: `missing` says why one cannot be tried, and `start()` resolves to `{ run, close() }`. `run(url, body, argument)`
 * opens a page, runs the function `body` in it as text, and resolves to its result.
 */
export const browsers = {
  Chromium: { missing: false, start: startChromium },
  Firefox: { missing: missing ?? false, start: startPagesInFirefox },
};

async function startChromium() {
  const browser = await launch({ webgpu: false });
  return {
    close: () => browser.close(),
    async run(url, body, argument) {
      const page = await browser.newPage();
      try {
        await page.goto(url);
        return await page.evaluate(body, argument);
      } finally {
        await page.close();
      }
    },
  };
}

async function startPagesInFirefox() {
  const firefox = await startFirefox();
  /** Runs in the page: a call of WebDriver may not take as long as a table. */
  const begin = (text, argument) => {
    globalThis.answer = undefined;
    const ended = (found) => (globalThis.answer = found);
    (0, eval)(`(${text})`)(argument).then((value) => ended({ value }), (error) => ended({ error: String(error) }));
  };
  return {
    close: () => firefox.close(),
    async run(url, body, argument) {
      await firefox.goto(url);
      await firefox.run(begin, String(body), argument);
      const { value, error } = await firefox.until(() => globalThis.answer, 900);
      if (error) throw new Error(error);
      return value;
    },
  };
}

/** Runs `body` in a page of a server of its own with these headers and texts: see `serve`. */
export async function inPage(browser, { headers = isolated, texts = late }, body, argument) {
  const server = await serve(root, { headers, texts });
  try {
    return await browser.run(blank(server), body, argument);
  } finally {
    await server.close();
  }
}
