// The demos, on both devices: what they say they counted, and that the devices agree.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './context.mjs';

/** A range input set as a visitor would, with its events. */
const slide = (page, id, value) =>
  page.locator(id).evaluate((input, next) => {
    input.value = next;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, String(value));

const text = (page, id) => page.locator(id).innerText();
const says = (page, id, pattern) => page.locator(id).filter({ hasText: pattern }).waitFor();
const whole = (words) => Number(words.replace(/\D/g, ''));

async function showDensity(page) {
  await slide(page, '#density-size', 1);
  await page.locator('#density').scrollIntoViewIfNeeded();
  await says(page, '#density-count', /^30,000$/);
}

export function testDemos({ open }) {
  test('the density map counts every point, and follows the keyboard', async () => {
    const { page, problems, close } = await open('demos.html');
    await showDensity(page);
    const before = whole(await text(page, '#density-inside'));
    assert.ok(before > 25_000 && before <= 30_000, `${before} of 30,000 points are on the map`);
    await page.locator('#density-map').focus();
    for (let i = 0; i < 6; i += 1) await page.keyboard.press('+');
    await page.waitForFunction((most) => Number(document.getElementById('density-inside').textContent.replace(/\D/g, '')) < most / 2, before);
    await page.keyboard.press('0');
    await page.waitForFunction((all) => Number(document.getElementById('density-inside').textContent.replace(/\D/g, '')) === all, before);
    const painted = await page.locator('#density-map').evaluate((map) => {
      const { data } = map.getContext('2d').getImageData(0, 0, map.width, map.height);
      return data.filter((alpha, at) => at % 4 === 3 && alpha > 0).length;
    });
    assert.ok(painted > 5_000 && painted <= before, `${painted} places are painted for ${before} points`);
    await page.getByRole('button', { name: 'Let them fly' }).click();
    await says(page, '#density-rate', /a second/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the density map has the same counts on WebGPU', async () => {
    const { page, problems, close } = await open('demos.html', { webgpu: true });
    await choose(page, 'both');
    await showDensity(page);
    await page.locator('#density-compare').click();
    await says(page, '#density-same', /^✓ the same count in all 576,001 bins$/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the picture follows its gains, and its histogram counts every value', async () => {
    const { page, problems, close } = await open('demos.html');
    await page.locator('#image').scrollIntoViewIfNeeded();
    await says(page, '#image-readout', /^405,900 values/);
    const red = () =>
      page.locator('#image-canvas').evaluate((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.reduce((most, value, at) => (at % 4 === 0 ? Math.max(most, value) : most), 0);
      });
    assert.ok((await red()) > 150);
    await slide(page, '#image-lever-0', 0);
    await page.waitForFunction(() => document.getElementById('image-lever-0-name').textContent.includes('0.00'));
    await page.waitForTimeout(300);
    assert.equal(await red(), 0);
    await page.locator('#image-mode').selectOption('column');
    await says(page, '#image-call', /axis: 2.*y \(451,\)/);
    assert.deepEqual(problems, []);
    await close();
  });

  for (const device of ['cpu', 'both']) {
    test(`PageRank keeps its bits with a plan, ${device}`, async () => {
      const { page, problems, close } = await open('demos.html', { webgpu: device === 'both' });
      await choose(page, device);
      await slide(page, '#ranks-size', 0);
      await page.locator('#ranks').scrollIntoViewIfNeeded();
      await says(page, '#ranks-edges', /^10,000$/);
      assert.match(await text(page, '#ranks-same'), /^✓/);
      if (device === 'both') assert.match(await text(page, '#ranks-devices'), /^✓/);
      assert.match(await text(page, '#ranks-table tbody tr:first-child'), /^ATL Atlanta/);
      assert.deepEqual(problems, []);
      await close();
    });
  }
}
