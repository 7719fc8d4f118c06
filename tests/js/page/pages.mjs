// What every page of the site keeps, in every language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { editions, pages } from '../../../www/pages.js';
import { examples } from '../../../www/src/lab/examples.js';
import { choose, settle } from './context.mjs';
import { checkBlocks, checkLabs } from './labs.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of pages that are alike, the ones that stand for all: of the operators in the second language, of the guides there, of what lies behind them. */
const examplesOf = { operators: ['gather'], guides: ['recipes'], depth: ['performance-cpu', 'decisions'] };
/** Whether a page is made like another one that is opened. */
const isAlike = ({ page, language }) => (language.folder || page.section === 'depth') && examplesOf[page.section]?.includes(page.id) === false;
/** The addresses of the pages that are opened and looked at. */
const checked = editions.filter((edition) => !isAlike(edition)).map(({ path }) => path);

/** The addresses of the pages whose accessibility is checked: of pages that are alike the ones with most parts, of the second language two. */
const accessible = [
  ...pages.filter(({ section }) => section === 'top').map(({ id }) => `${id}.html`),
  ...['gather', 'scatter_', 'elementwise_mul', 'trace', 'vjp', 'recipes', 'migrating', 'performance'].map((id) => `${id}.html`),
  ...['zh/index.html', 'zh/gather.html'],
];

/** Asserts that a page is not wider than a phone, also with everything open. */
async function checkPhone(page) {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.$$eval('details', (all) => all.forEach((details) => (details.open = true)));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
}

/** What axe, which checks accessibility, finds serious or worse, each with the first element that has it. */
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
  const labs = new Set(); // those that were checked on a page
  let ran = 0; // examples of the documentation
  for (const [at, path] of checked.entries()) {
    test(`${path} keeps its promises on both devices, to every visitor and at 360 pixels`, async () => {
      const { page, problems, close } = await open(path, { webgpu: true, colorScheme: at % 2 ? 'dark' : 'light' });
      const hasLabs = await page.locator('[data-lab], [data-block]').count();
      if (hasLabs && !path.startsWith('zh/')) {
        await choose(page, 'both');
        await settle(page, '[data-lab]');
        for (const name of await checkLabs(page)) labs.add(name);
        // The examples of the documentation run on both devices in tests/js/web; here on both for one page.
        if (path !== 'gather.html') await choose(page, 'cpu');
      }
      await settle(page);
      ran += await checkBlocks(page);
      if (accessible.includes(path)) assert.deepEqual(await findings(page), []);
      await checkPhone(page);
      assert.equal(await page.locator('h1').count(), 1);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test('the pages have every example', () => {
    const promised = examples.filter(({ page }) => pages.some(({ id }) => id === page)).map(({ id }) => id);
    assert.deepEqual([...labs].sort(), promised.sort());
    assert.ok(ran > 60, `${ran} examples of the documentation`);
  });

  test('the page of vjp begins with a picture, whose numbers are those of its first example', async () => {
    const { page, problems, close } = await open('vjp.html');
    const order = await page.$$eval('main > *', (parts) => parts.map((part) => part.querySelector('h2')?.id ?? part.className));
    assert.deepEqual(order.slice(0, 5), ['operator', 'vjp-picture', 'doc intro', 'devices', 'examples']);
    const [read, back] = await page.$$eval('.vjp-picture svg', (all) => all.map((svg) => [...svg.querySelectorAll('text:not(.name)')].map((text) => text.textContent)));
    assert.deepEqual(read, ['5', '6', '7', '7', '5', '7']);
    assert.deepEqual(back, ['10', '0', '1 + 100', '1', '10', '100']);
    assert.match(await page.locator('#block-1').innerText(), /^vjp\('gather', \[1, 10, 100\], \[5, 6, 7\], 0, \[2, 0, 2\]\)\.self; \/\/ → \[10, 0, 101\]/);
    await page.locator('#block-1').scrollIntoViewIfNeeded();
    await page.locator('#block-1 .verdict.same').waitFor();
    assert.deepEqual(problems, []);
    await close();
  });

  test('every link inside the site leads somewhere', async () => {
    const { page, close } = await open('index.html');
    const faults = await page.evaluate(async (paths) => {
      const found = [];
      const base = new URL('.', location.href);
      const documents = new Map();
      let links = 0;
      for (const path of paths) {
        const text = await (await fetch(new URL(path, base))).text();
        documents.set(path, new DOMParser().parseFromString(text, 'text/html'));
      }
      for (const [path, page] of documents) {
        for (const link of page.querySelectorAll('a[href]')) {
          const url = new URL(link.getAttribute('href'), new URL(path, base));
          if (url.origin !== location.origin) continue;
          links += 1;
          if (/^(api\/|licenses\.txt$)/.test(url.pathname.slice(base.pathname.length)) && (await fetch(url, { method: 'HEAD' })).ok) continue; // not ours
          const target = documents.get(url.pathname.slice(base.pathname.length));
          if (!target || (url.hash && !target.getElementById(url.hash.slice(1))))
            found.push(`${path}: ${link.getAttribute('href')}`);
        }
      }
      return links < 3000 ? [`only ${links} links`] : found;
    }, editions.map(({ path }) => path));
    assert.deepEqual(faults, []);
    await close();
  });

  test('the notices name what others made', async () => {
    const { page, close } = await open('about.html');
    const text = await page.evaluate(async () => (await fetch('./licenses.txt')).text());
    for (const name of ['@codemirror/view', 'lit-html', 'd3-geo', '@fontsource-variable/newsreader', 'The JetBrains Mono Project Authors', 'pagefind', 'typedoc', 'Copyright (c) Pagefind', 'flights-airport.csv', 'wgpu 3', 'wasm-bindgen 0', 'libm 0', 'Rich Felker']) {
      assert.ok(text.includes(name), name);
    }
    await close();
  });

  test('the API reference has a page of each class, which works on a phone too', async () => {
    const { page, problems, close } = await open('docs.html');
    await page.locator('a[href$="api/index.html"]').click();
    await page.waitForURL(/\/api\/index\.html$/);
    await page.getByRole('link', { name: 'scatterwise', exact: true }).first().click();
    await page.locator('.col-content').getByRole('link', { name: 'Tensor', exact: true }).first().click();
    await page.waitForURL(/\/api\/classes\/scatterwise\.Tensor\.html$/);
    assert.match(await page.locator('.tsd-member:has(#scatter_)').innerText(), /in place; returns this very tensor/);
    await checkPhone(page);
    assert.deepEqual(problems, []);
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
