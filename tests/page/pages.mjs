// What every page of the site keeps, in every language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { tables } from '../../www/messages/index.js';
import { languages, pages } from '../../www/pages.js';
import { settle } from './context.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const editions = languages.flatMap(({ folder }) => pages.map(({ id }) => `${folder}${id}.html`));

/** What axe finds serious or worse, each with the first element that has it. */
async function findings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
  });
}

export function testPages({ open }) {
  test('the languages say the same things', () => {
    const [first, ...others] = Object.values(tables);
    const needed = Object.keys(first).filter((key) => !key.endsWith('.one')); // not every language has a singular
    for (const table of others) {
      assert.deepEqual(needed.filter((key) => !(key in table)), []);
      assert.deepEqual(Object.keys(table).filter((key) => !(key in first)), []);
      const fields = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join();
      for (const key of needed) assert.equal(fields(table[key]), fields(first[key]), key);
    }
  });

  test('no page has a serious fault of accessibility, an error, or a request to another server', async () => {
    for (const [at, path] of editions.entries()) {
      if (path.startsWith('zh/') && pages.some(({ id, section }) => section === 'operators' && id !== 'gather' && path === `zh/${id}.html`)) continue; // made alike
      const { page, problems, close } = await open(path, { colorScheme: at % 2 ? 'dark' : 'light' });
      await settle(page);
      assert.deepEqual(await findings(page), [], path);
      assert.deepEqual(problems, [], path);
      assert.equal(await page.locator('h1').count(), 1, path);
      await close();
    }
  });

  test('nothing is wider than a phone of 360 pixels', async () => {
    for (const { id } of pages) {
      const { page, close } = await open(`${id}.html`, { viewport: { width: 360, height: 740 } });
      await settle(page);
      await page.$$eval('details', (all) => all.forEach((details) => (details.open = true)));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, id);
      await close();
    }
  });

  test('every link inside the site leads somewhere', async () => {
    const { page, close } = await open('index.html');
    const faults = await page.evaluate(async (paths) => {
      const found = [];
      const base = new URL('.', location.href);
      const documents = new Map();
      for (const path of paths) {
        const text = await (await fetch(new URL(path, base))).text();
        documents.set(path, new DOMParser().parseFromString(text, 'text/html'));
      }
      for (const [path, page] of documents) {
        for (const link of page.querySelectorAll('a[href]')) {
          const url = new URL(link.getAttribute('href'), new URL(path, base));
          if (url.origin !== location.origin) continue;
          const target = documents.get(url.pathname.slice(base.pathname.length));
          if (!target || (url.hash && !target.getElementById(url.hash.slice(1)))) found.push(`${path}: ${link.getAttribute('href')}`);
        }
      }
      return found;
    }, editions);
    assert.deepEqual(faults, []);
    await close();
  });

  test('the theme is remembered, and the language keeps the page and its state', async () => {
    const { page, close } = await open('scatter_.html#live', { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'dark theme' }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await background(), dark);
    await page.locator('[data-language]').click();
    await page.waitForURL(/\/zh\/scatter_\.html#live$/);
    assert.equal(await page.getAttribute('html', 'lang'), 'zh-Hans');
    assert.equal(await background(), dark);
    await close();
  });
}
