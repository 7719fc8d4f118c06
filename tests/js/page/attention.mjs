// Graph attention, a start of the playground: both networks learn on both devices, and are drawn meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asHtml } from '../../../www/src/playground/takeaway.js';

/** From now on, notes what is said of each drawing, in `globalThis.said`. */
const listen = (page) =>
  page.evaluate(() => {
    globalThis.said = new Set();
    const note = () => document.querySelectorAll('.drawing + pre').forEach((words) => globalThis.said.add(words.textContent));
    new MutationObserver(note).observe(document.querySelector('.results'), { childList: true, subtree: true, characterData: true });
  });

/** The colours of a drawing, each with how many of its points have it. */
const colours = (canvas) =>
  canvas.evaluate((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    const found = new Map();
    for (const word of new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)) found.set(word, (found.get(word) ?? 0) + 1);
    return [...found.values()];
  });

/** The numbers of what was said of a network, in the order of its steps: `{ step, loss, right }`. */
const learned = (said, name) =>
  said.filter((words) => words.startsWith(name)).map((words) => {
    const [, step, loss, right] = /step (\d+) · loss ([\d.]+) · (\d+) of 34 right/.exec(words).map(Number);
    return { step, loss, right };
  });

export function testAttention({ open }) {
  test('two networks with attention learn on both devices, and the one without exp has the same bits', async () => {
    const { page, problems, close } = await open('demos.html', { webgpu: true });
    await page.locator('a[href*="start=attention"]').click();
    const idle = page.locator('.workbench[aria-busy="false"]');
    await idle.waitFor();
    assert.match(await page.locator('.writing').innerText(), /no device promises the last bit of exp/);
    await page.getByLabel('Time limit').selectOption('60');
    await listen(page);
    await page.locator('.writing .switch label', { hasText: 'Both' }).click();
    await page.locator('.workbench[aria-busy="false"] .both .verdict').waitFor();
    assert.match(await page.locator('.both .verdict').innerText(), /✓ the same bits on both devices, in the one tensor shown/);

    const said = await page.evaluate(() => [...globalThis.said]);
    for (const name of ['softmax', 'relu and exact sums']) {
      const steps = learned(said, name);
      const [first, last] = [steps.find(({ step }) => step === 0), steps.findLast(({ step }) => step === 60)];
      assert.ok(steps.length > 60, `${name} is drawn while it learns: ${steps.length} drawings`);
      assert.ok(first.loss > 0.5 && last.loss < 0.1, `${name}: from ${first.loss} to ${last.loss}`);
      assert.ok(first.right < 26 && last.right >= 31, `${name}: from ${first.right} to ${last.right} of 34`);
    }
    const runs = await page.locator('.run').allInnerTexts();
    assert.equal(runs.length, 2);
    assert.match(runs[1], /softmax: (the same bits as|other bits than) on the CPU/);
    assert.match(runs[1], /relu and exact sums: the same bits as on the CPU/);
    assert.equal(await page.locator('.drawing canvas').count(), 4, 'a canvas that is shown again is drawn in its place');
    for (const canvas of await page.locator('.drawing canvas').all()) assert.ok((await colours(canvas)).filter((points) => points > 400).length > 3);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a drawing takes the place of the earlier one of its canvas, and what is no drawing is no harm', async () => {
    const { page, problems, close } = await open('playground.html');
    await page.locator('.workbench[aria-busy="false"]').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(`const canvas = new OffscreenCanvas(8, 4);
const paint = canvas.getContext('2d');
for (const [at, colour] of ['red', 'lime', 'blue'].entries()) {
  paint.fillStyle = colour;
  paint.fillRect(0, 0, 8, 4);
  await show(canvas, 'drawing', at);
}
await show('before', canvas);
show(new OffscreenCanvas(0, 4));
self.postMessage({ type: 'output', kind: 'show', line: 0, values: [{ drawing: { id: 0, bitmap: '<b>' } }] });
await show('the end');`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.run', { hasText: 'the end' }).waitFor();
    assert.equal(await page.locator('.drawing canvas').count(), 2, 'one of the loop, and one that does not begin its output');
    assert.deepEqual(await page.locator('.output').first().locator('pre').allInnerTexts(), ['drawing', '2']);
    assert.deepEqual(await colours(page.locator('.drawing canvas').first()), [32]);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a page that is taken away draws a canvas again in its place', async () => {
    const { page, problems, close } = await open('about.html');
    const code = "const canvas = new OffscreenCanvas(8, 4);\nfor (const at of [1, 2, 3]) {\n  canvas.getContext('2d').fillRect(0, 0, 8, at);\n  await show(canvas, at);\n}\nawait show('the end');";
    const [, module] = /<script type="module">([^]*)<\/script>/.exec(asHtml({ code, device: 'cpu', known: ['init', 'Tensor'] }));
    const shown = await page.evaluate(async (body) => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const run = Object.getPrototypeOf(async () => {}).constructor;
      await new run('init', 'Tensor', 'document', body)(async () => {}, class {}, frame.contentDocument);
      const rows = [...frame.contentDocument.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 4).data].filter((_, at) => at % 4 === 3);
      return [frame.contentDocument.querySelectorAll('canvas').length, frame.contentDocument.body.innerText.trim().split(/\s*\n\s*/), rows];
    }, module.replace(/^\s*import .*$/m, ''));
    assert.deepEqual(shown, [1, ['3', 'the end'], [255, 255, 255, 0]]);
    assert.deepEqual(problems, []);
    await close();
  });
}
