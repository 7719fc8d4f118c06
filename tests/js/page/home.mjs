// The first view of the home page: what a stranger sees before scrolling, on a desk and on a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const views = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };

/** Sums up in the page, from its start, how far its parts move by themselves (Cumulative Layout Shift), as `shifted`. */
const watchShifts = () => {
  globalThis.shifted = 0;
  const add = (list) => list.getEntries().forEach(({ value, hadRecentInput }) => (globalThis.shifted += hadRecentInput ? 0 : value));
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
};

/** The lightness of each of 64 × 40 parts of the map: of the canvas, or of the picture that stands there before. Both lie on `ground`. */
const mapOf = (page, theme, isPicture) =>
  page.evaluate(
    async ([theme, isPicture]) => {
      const canvas = document.querySelector('#flights canvas');
      const picture = new Image();
      picture.src = `pictures/flights-${theme}.webp`;
      await picture.decode();
      const small = new OffscreenCanvas(64, 40).getContext('2d');
      small.imageSmoothingQuality = 'high';
      small.fillStyle = getComputedStyle(document.querySelector('#flights .map')).backgroundColor;
      small.fillRect(0, 0, 64, 40);
      small.drawImage(isPicture ? picture : canvas, 0, 0, 64, 40);
      return Array.from(small.getImageData(0, 0, 64, 40).data).filter((_value, at) => at % 4 === 1);
    },
    [theme, isPicture],
  );

export function testHome({ open }) {
  for (const [name, viewport] of Object.entries(views)) {
    test(`the home page shows the map and its promises at the first glance and does not move, on a ${name}`, async () => {
      const { page, problems, close } = await open('about.html', { viewport });
      await page.addInitScript(watchShifts);
      await page.goto(page.url().replace('about', 'index'));
      await page.locator('#flights.live').waitFor();
      await page.locator('#flights-took').filter({ hasText: /^[\d.]+ ms here\.$/ }).waitFor();
      for (const part of ['h1', '#flights .map', '#flights figcaption', '.promise', '.promises li:nth-child(2)']) {
        const { y, height } = await page.locator(part).boundingBox();
        assert.ok(y + height <= viewport.height, `${part} ends at ${y + height} of ${viewport.height}`);
      }
      assert.ok((await page.evaluate(() => globalThis.shifted)) < 0.02);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  for (const path of ['puzzles', 'benchmark', 'verify', 'demos', 'docs', 'gather', 'recipes']) {
    test(`the parts of ${path}.html stay where they are while it loads`, async () => {
      for (const viewport of Object.values(views)) {
        const { page, close } = await open('about.html', { viewport });
        await page.addInitScript(watchShifts);
        await page.goto(page.url().replace('about', path));
        await page.waitForTimeout(1500);
        const shifted = await page.evaluate(() => globalThis.shifted);
        assert.ok(shifted < 0.05, `${shifted} at ${viewport.width} pixels`);
        await close();
      }
    });
  }

  for (const theme of ['light', 'dark']) {
    test(`before the map is drawn, the page has a picture of its first frame, ${theme}`, async () => {
      const { page, close } = await open('index.html', { colorScheme: theme });
      const shown = () => page.locator('#flights .map').evaluate((map) => getComputedStyle(map).backgroundImage);
      const image = await shown();
      assert.ok(image === 'none' || image.includes(`flights-${theme}.webp`), image);
      await page.locator('#flights.live').waitFor();
      assert.equal(await shown(), 'none');
      const [canvas, picture] = [await mapOf(page, theme, false), await mapOf(page, theme, true)];
      const mean = canvas.reduce((sum, value, at) => sum + Math.abs(value - picture[at]), 0) / canvas.length;
      assert.ok(mean < 4, `they differ by ${mean} of 255: save the pictures again, as www/README.md says`);
      await close();
    });
  }

  test('the map flies and pauses, rests for visitors who want no motion, and follows the theme', async () => {
    const { page, problems, close } = await open('index.html', { reducedMotion: 'no-preference', colorScheme: 'light' });
    await page.locator('#flights.live').waitFor();
    const map = () => mapOf(page, 'light', false);
    const differs = async () => {
      const before = await map();
      await page.waitForTimeout(400);
      return (await map()).some((value, at) => value !== before[at]);
    };
    assert.equal(await differs(), true);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForTimeout(200);
    assert.equal(await differs(), false);
    const light = await map();
    await page.getByRole('button', { name: 'dark theme' }).click();
    await page.waitForTimeout(300);
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    assert.ok(sum(await map()) < sum(light) / 2);
    assert.deepEqual(problems, []);
    await close();

    const calm = await open('index.html');
    await calm.page.locator('#flights.live').waitFor();
    await calm.page.getByRole('button', { name: 'Let them fly' }).waitFor();
    await calm.close();
  });
}
