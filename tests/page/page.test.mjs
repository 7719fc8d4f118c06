// The playground as a visitor meets it: the built page, served from a sub-path, in the system's Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { launch, serve } from '../browser.mjs';

const www = fileURLToPath(new URL('../../www', import.meta.url));
let server;

before(async () => {
  await build({ configFile: `${www}/vite.config.js`, logLevel: 'error' });
  server = await serve(www);
});

after(() => server?.close());

/** A fresh page at its first result. `problems` collects what a page of ours must never cause. */
async function open(browser, options = {}) {
  const page = await browser.newPage(options);
  const problems = [];
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => request.url().startsWith(server.url) || problems.push(`request: ${request.url()}`));
  await page.goto(`${server.url}dist/`);
  await page.waitForFunction(() => document.querySelectorAll('.cm-editor').length > 0);
  await settled(page);
  return { page, problems };
}

/** Everything that had to run has run and is shown. */
const settled = (page) =>
  page.waitForFunction(() => {
    const parts = [...document.querySelectorAll('.outcome, #histogram')];
    return parts.length > 1 && parts.every((part) => part.getAttribute('aria-busy') === 'false');
  });

async function switchTo(page, device) {
  await page.locator(`label:has(#device-${device})`).click();
  await page.getByText(device === 'webgpu' ? /Running on WebGPU/ : /Running on the CPU/).waitFor();
  await settled(page);
}

const failedCards = (page) =>
  page.$$eval('.card', (cards) =>
    cards
      .filter((card) => !card.querySelector('.verdict').textContent.startsWith('✓'))
      .map((card) => `${card.id}: ${card.querySelector('.outcome').textContent}`),
  );

async function checkExamples(page) {
  assert.ok((await page.locator('.card').count()) >= 10);
  assert.deepEqual(await failedCards(page), []);
}

/** Records, sum and pixels of the histogram for every view of the data. */
async function checkHistogram(page) {
  for (const view of await page.$$eval('#histogram-view option', (options) => options.map((option) => option.value))) {
    await page.selectOption('#histogram-view', view);
    await settled(page);
    const records = (await page.textContent('#fact-records')).match(/^([\d,]+) of 200,000$/);
    assert.ok(records, `${view}: ${await page.textContent('#histogram-readout')}`);
    assert.equal(await page.textContent('#fact-sum'), `${records[1]} ✓`, view);
    assert.ok(Number(records[1].replaceAll(',', '')) > 190_000, view);
    const { painted, colours } = await paintedPixels(page);
    assert.ok(painted > 1000 && colours > 50, `${view}: ${painted} pixels in ${colours} colours`);
  }
}

const paintedPixels = (page) =>
  page.$eval('.field canvas', (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const pixels = [...new Uint32Array(data.buffer)].filter((pixel) => pixel !== 0);
    return { painted: pixels.length, colours: new Set(pixels).size };
  });

/** Replaces the code of an example as a visitor would, and waits for what it does. */
async function edit(page, id, code) {
  const picture = page.locator(`#${id} .picture`);
  const before = await picture.innerHTML();
  await page.locator(`#${id} .cm-content`).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
  await page.waitForFunction(([element, old]) => element.innerHTML !== old, [await picture.elementHandle(), before]);
}

describe('without WebGPU', () => {
  let browser;
  before(async () => (browser = await launch({ webgpu: false })));
  after(() => browser?.close());

  test('a calm line says why, and everything runs on the CPU', async () => {
    const { page, problems } = await open(browser);
    assert.match(await page.textContent('#status'), /^Running on the CPU.*WebGPU.*only speed differs\.$/s);
    assert.ok(await page.isDisabled('#device-webgpu'));
    assert.ok(await page.isChecked('#device-cpu'));
    await checkExamples(page);
    await checkHistogram(page);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('edited code runs, and Reset brings the example back', async () => {
    const { page } = await open(browser);
    const card = page.locator('#scatter-value');
    await edit(page, 'scatter-value', 'return new Tensor([[1, 2], [3, 4]]).scatter_(1, [[1], [0]], 7);');
    assert.match(await card.locator('.comparison').textContent(), /\[\[1\. 7\.\]\s+\[7\. 4\.\]\]/);
    assert.deepEqual(await card.locator('td.written').allTextContents(), ['7 (was 2)', '7 (was 3)']);
    assert.equal(await card.locator('.verdict').textContent(), 'Your edit, your result');
    await card.getByRole('button', { name: 'Reset' }).click();
    await card.getByText('✓ Same values as the page').waitFor();
    await page.close();
  });

  test('code that does not parse or throws is reported in its card', async () => {
    const { page, problems } = await open(browser);
    await edit(page, 'scatter-value', 'return new Tensor([');
    assert.equal(await page.textContent('#scatter-value .verdict'), 'SyntaxError');
    await edit(page, 'scatter-value', 'throw new RangeError("mine");');
    assert.match(await page.textContent('#scatter-value .failure'), /RangeError.*mine/s);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the keyboard alone is enough', async () => {
    const { page } = await open(browser);
    await edit(page, 'scatter-value', 'return Math.random();');
    const returned = page.locator('#scatter-value .comparison pre').first();
    const first = await returned.textContent();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.waitForFunction(
      (old) => document.querySelector('#scatter-value .comparison pre').textContent !== old,
      first,
    );
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Run');
    await page.keyboard.press('Shift+Tab');
    assert.ok(await page.evaluate(() => document.activeElement.closest('.cm-editor') !== null));
    await page.locator('.field').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await page.textContent('#histogram-readout'), /^Departing .* flights?\.$/);
    await page.close();
  });

  test('the theme can be chosen and is remembered', async () => {
    const { page } = await open(browser, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'dark theme' }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await background(), dark);
    await page.close();
  });

  test('nothing is wider than a phone of 360 pixels', async () => {
    const { page } = await open(browser, { viewport: { width: 360, height: 740 } });
    await page.$$eval('details', (all) => all.forEach((details) => (details.open = true)));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.close();
  });
});

describe('with WebGPU', () => {
  let browser;
  before(async () => (browser = await launch({ webgpu: true })));
  after(() => browser?.close());

  test('every example and the histogram agree on both devices, switched by keyboard', async () => {
    const { page, problems } = await open(browser);
    await checkExamples(page);
    await page.locator('#device-cpu').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/Running on WebGPU/).waitFor();
    await settled(page);
    await checkExamples(page);
    await checkHistogram(page);
    assert.match(await page.textContent('#fact-bits'), /^✓ in all [\d,]+ bins$/);
    await switchTo(page, 'cpu');
    await checkExamples(page);
    await checkHistogram(page);
    assert.deepEqual(problems, []);
    await page.close();
  });

  const fromJavaScript = '[[0, 1], [0, 2]]'; // checked at the call, on every device
  const fromDevice = "new Tensor([[0, 1], [0, 2]], { dtype: 'int32' }).gather(1, [[0, 1], [0, 1]])"; // checked where it is
  for (const [device, index] of [
    ['cpu', fromJavaScript],
    ['webgpu', fromJavaScript],
    ['webgpu', fromDevice],
  ]) {
    test(`an index out of range names its facts and leaves the tensor alone (${device}, ${index})`, async () => {
      const { page } = await open(browser);
      await switchTo(page, device);
      await edit(page, 'scatter-tensor', `return new Tensor([[1, 2], [3, 4]]).scatter_(1, ${index}, 9);`);
      const card = page.locator('#scatter-tensor');
      assert.equal(await card.locator('.verdict').textContent(), 'IndexError');
      const facts = await card.locator('.failure dl').innerText();
      for (const fact of [/position\s+\[1, 1\]/, /value\s+2/, /allowed\s+-2 to 1/]) assert.match(facts, fact);
      assert.match(await card.locator('.failure').textContent(), /Tensor unchanged/);
      const call = card.locator('.call').last();
      assert.deepEqual(await call.locator('.after td:not(:empty)').allTextContents(), ['1', '2', '3', '4']);
      assert.match(await call.locator('td.bad').textContent(), /^2/);
      await page.close();
    });
  }
});
