// examples/deckgl beside deck.gl's own aggregator, in Chromium on its WebGL. To run it after `npm run package`, which it adds an entry to:
//   npm ci --prefix tests/js/peers --ignore-scripts && npm run package -- --families group_by --name deckgl &&
//   npm pack ./target/npm/scatterwise --pack-destination target/npm && node --test tests/js/peers/

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from '../browser.mjs';
import { entries } from '../matrix/install.mjs';
import { missing, serveExample } from './served.mjs';

const skip = missing || (!entries.some(({ name }) => name === 'deckgl') && 'the entry of examples/deckgl/README.md is not built');

let browser;
let served;
before(async () => {
  if (skip) return;
  browser = await launch({ webgpu: false, canvas: true });
  served = await serveExample('deckgl', { 'deckgl.js': 'tests/js/peers/deckgl.js' });
});
after(async () => {
  await browser?.close();
  await served?.close();
});

/** A page of the example, which is closed after the test. */
async function open(t, query = '') {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  t.after(() => page.close());
  page.setDefaultTimeout(120_000);
  const failures = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
  t.after(() => assert.deepEqual(failures, []));
  await page.goto(`${served.url}${query}`);
  await page.waitForFunction(() => document.querySelector('[name=made]').value);
  return page;
}

for (const by of ['scatterwise', 'plain']) {
  test(`${by}: bins, counts, members and statistics are deck.gl's`, { skip }, async (t) => {
    const page = await open(t);
    assert.deepEqual(await page.evaluate(async (by) => (await import('/deckgl.js')).check(by), by), []);
  });
}

/** What the page shows: picks at some places, and its picture as a PNG. */
async function look(t, query) {
  const page = await open(t, query);
  await page.evaluate(() => (document.querySelector('form').style.display = 'none'));
  const picked = await page.evaluate(async () => {
    const frames = async (count) => {
      for (let k = 0; k < count; k++) await new Promise(requestAnimationFrame);
    };
    await frames(5);
    const places = [[450, 300], [560, 320], [640, 300], [500, 200], [330, 240], [60, 560]];
    const objects = places.map(([x, y]) => globalThis.deck.pickObject({ x, y })?.object);
    await frames(2);
    return objects.map((object) => object && { ...object, points: undefined });
  });
  return { page, picked, picture: (await page.screenshot()).toString('base64') };
}

/** How many pixels of two pictures differ. Runs in a page. */
async function differ(pictures) {
  const [a, b] = await Promise.all(
    pictures.map(async (picture) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    }),
  );
  return { pixels: a.length, colours: new Set(a).size, different: a.filter((colour, i) => colour !== b[i]).length };
}

for (const layer of ['hexagons', 'grid']) {
  for (const statistic of ['SUM', 'MEAN', 'MAX', 'COUNT']) {
    test(`${layer}, ${statistic}: drawn and picked as by deck.gl`, { skip }, async (t) => {
      const query = (by) => `?layer=${layer}&statistic=${statistic}&by=${by}&radius=800`;
      const ours = await look(t, query('scatterwise'));
      const theirs = await look(t, query('deck.gl'));
      assert.deepEqual(ours.picked, theirs.picked);
      assert.ok(ours.picked.filter(Boolean).length >= 2, 'some bins are hit');
      const { pixels, colours, different } = await ours.page.evaluate(differ, [ours.picture, theirs.picture]);
      assert.ok(colours > 20, `${colours} colours`);
      // Bins come in another order, so of two that overlap at an edge the other one may be drawn last.
      assert.ok(different <= pixels / 10_000, `${different} of ${pixels} pixels differ`);
    });
  }
}

for (const statistic of ['MEDIAN', 'STDEV', 'MODE', 'COUNT_UNIQUE']) {
  test(`${statistic}: drawn and picked as by the plain loops`, { skip }, async (t) => {
    const query = (by) => `?layer=hexagons&statistic=${statistic}&missing=true&by=${by}&radius=800`;
    const ours = await look(t, query('scatterwise'));
    const plain = await look(t, query('plain'));
    assert.deepEqual(ours.picked, plain.picked);
    assert.ok(ours.picked.filter(Boolean).length >= 2, 'some bins are hit');
    assert.equal((await ours.page.evaluate(differ, [ours.picture, plain.picture])).different, 0);
  });
}

test('deck.gl itself keeps to its own statistics', { skip }, async (t) => {
  const page = await open(t, '?statistic=MEDIAN&by=deck.gl&radius=800');
  assert.equal(await page.evaluate(() => document.querySelector('[name=statistic]').value), 'MEAN');
});

test('means with missing values, and members of the bin under the pointer', { skip }, async (t) => {
  const page = await open(t, '?statistic=MEAN&missing=true&radius=800');
  await page.waitForTimeout(500);
  await page.mouse.move(560, 320);
  const text = await page.waitForFunction(() => /^column/.test(document.querySelector('[name=picked]').value) && document.querySelector('[name=picked]').value).then((handle) => handle.jsonValue());
  assert.match(text, /^column -?\d+, row -?\d+: \d+ points, [\d.]+; the first are \d+/);
});
