// The demos, on both devices: their counts are right, and the devices agree.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './context.mjs';

/** Sets a range input as a visitor would, with its events. `id` is a selector, here and below. */
const slide = (page, id, value) =>
  page.locator(id).evaluate((input, next) => {
    input.value = next;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, String(value));

const text = (page, id) => page.locator(id).innerText();
/** Waits until the element has a text that the pattern matches. */
const says = (page, id, pattern) => page.locator(id).filter({ hasText: pattern }).waitFor();
/** The whole number in a text, whatever is between its digits. */
const whole = (words) => Number(words.replace(/\D/g, ''));

/** Opens the page of the demos, to run on `device`: 'cpu', 'webgpu' or 'both'. */
const openDemos = async (open, device) => {
  const webgpu = device !== 'cpu';
  const opened = await open('demos.html', { webgpu, canvas: webgpu });
  if (webgpu) await choose(opened.page, device);
  return opened;
};

/** The map with 30,000 points, drawn on the device. @returns {Promise<number>} how many of them are on it */
async function showDensity(page, device) {
  await slide(page, '#density-size', 1);
  await page.locator('#density').scrollIntoViewIfNeeded();
  await says(page, '#density-counting', device === 'cpu' ? /^[\d.,]+ ms, one histogramdd$/ : /all three together/);
  await says(page, '#density-count', /^30,000$/);
  await says(page, '#density-inside', /^2\d,\d{3}$/);
  return whole(await text(page, '#density-inside'));
}

/** Waits until the points on the map are fewer than `value` ('less'), or as many ('equal'). */
const onMap = (page, compare, value) =>
  page.waitForFunction(
    ([how, than]) => {
      const inside = Number(document.getElementById('density-inside').textContent.replace(/\D/g, ''));
      return how === 'less' ? inside < than : inside === than;
    },
    [compare, value],
  );

/**
 * How many pixels of the map are painted, and in how many colours. A canvas of WebGPU has a picture only until the task ends in which it
 * was drawn, so that it is looked at right after the commands were submitted; those of a step that draws nothing yet are passed over.
 */
const paintOf = (page) =>
  page.evaluate(() => {
    const shown = document.querySelector('#density .map canvas:not([hidden])');
    const look = () => {
      const copy = new OffscreenCanvas(shown.width, shown.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(shown, 0, 0);
      const words = new Uint32Array(copy.getImageData(0, 0, shown.width, shown.height).data.buffer);
      return { painted: words.filter((word) => word >>> 24).length, colours: new Set(words).size };
    };
    if (shown.dataset.kind === '2d') return look();
    return new Promise((resolve) => {
      const { submit } = GPUQueue.prototype;
      GPUQueue.prototype.submit = function (...commands) {
        submit.apply(this, commands);
        const seen = look();
        if (seen.painted === 0) return;
        GPUQueue.prototype.submit = submit;
        resolve(seen);
      };
      document.getElementById('density-home').click(); // which redraws the map
    });
  });

/**
 * Has the page learn a second map as soon as WebGPU has learned the first, while the CPU still learns that one for comparison. In the page,
 * `firstError` becomes the error of the first map, and `said` the list of all that is then said of the bits, each with the status.
 */
const beginAgain = (page) =>
  page.evaluate(() => {
    const [status, same, again] = ['status', 'same', 'again'].map((name) => document.getElementById(`atlas-${name}`));
    globalThis.said = [];
    const once = new MutationObserver(() => {
      if (!/^400 steps on WebGPU/.test(status.textContent)) return;
      once.disconnect();
      globalThis.firstError = document.getElementById('atlas-error').textContent;
      again.click();
      new MutationObserver(() => globalThis.said.push(`${status.textContent} ${same.textContent}`)).observe(same, { childList: true });
    });
    once.observe(status, { childList: true });
  });

/** Clears the brushes of the linked views, then sets all of them as they were for one redraw, which has no counts to keep. */
async function brushAtOnce(page) {
  const sliders = page.locator('#linked .ends input');
  const values = await sliders.evaluateAll((inputs) => inputs.map(({ value }) => value));
  await page.locator('#linked-clear').click();
  await says(page, '#linked-kept', /^1,000,000$/);
  await sliders.evaluateAll((inputs, all) => {
    inputs.forEach((input, at) => {
      input.value = all[at];
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }, values);
}

/** Waits until the list, which follows a drawing, has been the same for half a second. */
const listed = (page) =>
  page.waitForFunction(() => {
    const shown = document.getElementById('linked-kept').textContent + document.getElementById('linked-list').textContent;
    if (globalThis.lastShown !== shown) [globalThis.lastShown, globalThis.shownSince] = [shown, performance.now()];
    return performance.now() - globalThis.shownSince > 500;
  });

/** What the linked views show on the CPU: the pictures, and the list. A canvas of WebGPU keeps no picture. */
const seenOf = async (page) => [
  await page.locator('#linked canvas[data-kind="2d"]').evaluateAll((canvases) => canvases.map((canvas) => canvas.toDataURL())),
  await text(page, '#linked-list'),
];

export function testDemos({ open }) {
  for (const device of ['cpu', 'webgpu']) {
    test(`the linked views count a million flights, and follow a brush, ${device}`, async () => {
      const { page, problems, close } = await openDemos(open, device);
      await page.locator('#linked').scrollIntoViewIfNeeded();
      await says(page, '#linked-kept', /^1,000,000$/);
      await page.locator('#linked-list tr').nth(9).waitFor();
      assert.match(await text(page, '#linked-list'), /^ORD\s+[\d,]+\s+[\d,]+ min, to [A-Z]{3} at \d\d:\d\d/); // Chicago has the most flights
      const brushed = (than) => page.waitForFunction((most) => Number(document.getElementById('linked-kept').textContent.replace(/\D/g, '')) < most, than);
      await slide(page, '#linked-delays-from', 30); // an hour late, and more
      await brushed(200_000);
      const late = whole(await text(page, '#linked-kept'));
      assert.ok(late > 10_000, `${late} flights are an hour late`);
      const box = await page.locator('#linked-miles').boundingBox();
      await page.mouse.move(box.x + 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2, { steps: 3 });
      await page.mouse.up();
      await brushed(late);
      await slide(page, '#linked-minutes-from', 72);
      await says(page, '#linked-minutes-text', /^12:00/); // the last brush was drawn
      if (device === 'webgpu') {
        await page.locator('#linked-compare').click(); // with the CPU, which counts everything
        await says(page, '#linked-same', /^✓ the same bits on both devices/);
      } else {
        await listed(page);
        const seen = await seenOf(page);
        await brushAtOnce(page);
        await says(page, '#linked-minutes-text', /^12:00/);
        await listed(page);
        assert.deepEqual(await seenOf(page), seen);
      }
      await page.locator('#linked-clear').click();
      await says(page, '#linked-kept', /^1,000,000$/);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  for (const device of ['cpu', 'webgpu']) {
    test(`the density map counts every point, and follows keyboard and pointer, ${device}`, async () => {
      const { page, problems, close } = await openDemos(open, device);
      const before = await showDensity(page, device);
      assert.ok(before > 25_000 && before <= 30_000, `${before} of 30,000 points are on the map`);
      await page.locator('#density-map').focus();
      for (let i = 0; i < 6; i += 1) await page.keyboard.press('+');
      await onMap(page, 'less', before / 2);
      await page.keyboard.press('0');
      await onMap(page, 'equal', before);
      const { painted, colours } = await paintOf(page);
      assert.ok(painted > 5_000 && painted <= before, `${painted} places are painted for ${before} points`);
      assert.ok(colours > 3, `${colours} colours`);

      const box = await page.locator('#density-map').boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();
      await onMap(page, 'less', before * 0.75); // the map follows the pointer: the eastern half is out
      await page.getByRole('button', { name: 'Whole map' }).click();
      await onMap(page, 'equal', before);
      await page.getByRole('button', { name: 'Let them fly' }).click();
      await says(page, '#density-rate', /a second/);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test('the density map is the same picture on both devices, and has the same counts', async () => {
    const { page, problems, close } = await openDemos(open, 'cpu');
    const cpu = { inside: await showDensity(page, 'cpu'), ...(await paintOf(page)) };
    await close();
    const gpu = await openDemos(open, 'both');
    const webgpu = { inside: await showDensity(gpu.page, 'both'), ...(await paintOf(gpu.page)) };
    // A shader moves the points in float32, JavaScript in double precision: a point near an edge may fall on either side.
    for (const each of ['inside', 'painted']) assert.ok(Math.abs(cpu[each] - webgpu[each]) <= 30, `${each}: ${cpu[each]} and ${webgpu[each]}`);
    assert.equal(cpu.colours, webgpu.colours);
    await gpu.page.locator('#density-compare').click();
    await says(gpu.page, '#density-same', /^✓ the same count in every bin$/);
    assert.deepEqual([...problems, ...gpu.problems], []);
    await gpu.close();
  });

  test('no GPU starts unasked, and a demo away from the screen rests', async () => {
    const { page, problems, close } = await open('demos.html', { webgpu: true, canvas: true });
    await page.evaluate(() => {
      globalThis.devices = 0;
      const { requestDevice } = GPUAdapter.prototype;
      GPUAdapter.prototype.requestDevice = function (...wishes) {
        globalThis.devices += 1;
        return requestDevice.apply(this, wishes);
      };
    });
    await showDensity(page, 'cpu');
    assert.equal(await page.evaluate(() => globalThis.devices), 0);
    await page.locator('#histogram').scrollIntoViewIfNeeded();
    await says(page, '#histogram-time', /CPU$/);
    await page.locator('[data-devices] input[value="webgpu"]').evaluate((input) => input.click()); // without scrolling to it
    await says(page, '#histogram-time', /WebGPU$/);
    assert.equal(await page.evaluate(() => globalThis.devices), 1);
    assert.match(await text(page, '#density-counting'), /^[\d.,]+ ms, one histogramdd$/);
    await page.locator('#density').scrollIntoViewIfNeeded();
    await says(page, '#density-counting', /all three together/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a demo that cannot be loaded says so', async () => {
    const { page, close } = await open('demos.html');
    await page.route(/\/assets\/panel-[^/]*\.js$/, (route) => route.abort());
    await page.locator('#club').scrollIntoViewIfNeeded();
    await says(page, '#club-status', /^This demo stopped: /);
    await close();
  });

  test('the picture is the newest one asked for, and one that cannot be loaded is said', async () => {
    const { page, problems, close } = await openDemos(open, 'cpu');
    let letCatCome;
    const cat = new Promise((resolve) => (letCatCome = resolve));
    await page.route('**/cat.webp', async (route) => {
      await cat;
      await route.continue();
    });
    const coming = page.waitForRequest('**/cat.webp');
    await page.locator('#image').scrollIntoViewIfNeeded();
    await coming;
    const small = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(10, 20);
      canvas.getContext('2d').fillRect(0, 0, 5, 5);
      return Array.from(new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()));
    });
    await page.locator('#image-file').setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer: Buffer.from(small) });
    await says(page, '#image-readout', /^600 values/);
    const came = page.waitForResponse('**/cat.webp');
    letCatCome();
    await (await came).finished();
    await page.waitForTimeout(300);
    assert.match(await text(page, '#image-readout'), /^600 values/, 'the older picture does not come back');
    await page.locator('#image-file').setInputFiles({ name: 'none.png', mimeType: 'image/png', buffer: Buffer.from('none') });
    await says(page, '#image-status', /^This file could not be read as a picture\.$/);
    assert.deepEqual(problems, []);
    await close();

    const other = await openDemos(open, 'cpu');
    await other.page.route('**/cat.webp', (route) => route.fulfill({ status: 404 }));
    await other.page.locator('#image').scrollIntoViewIfNeeded();
    await says(other.page, '#image-status', /^The picture could not be loaded: HTTP 404\.$/);
    assert.deepEqual(other.problems.filter((problem) => problem.startsWith('uncaught')), []);
    await other.close();
  });

  test('the picture follows its gains, and its histogram counts every value', async () => {
    const { page, problems, close } = await openDemos(open, 'cpu');
    await page.locator('#image').scrollIntoViewIfNeeded();
    await says(page, '#image-readout', /^405,900 values/);
    const red = () =>
      page.locator('#image-canvas').evaluate((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.reduce((most, value, at) => (at % 4 === 0 ? Math.max(most, value) : most), 0);
      });
    assert.ok((await red()) > 150);
    await slide(page, '#image-lever-0', 0);
    await page.waitForFunction(() => {
      const canvas = document.getElementById('image-canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.every((value, at) => at % 4 !== 0 || value === 0);
    });
    assert.match(await text(page, '#image-lever-0-name'), /0\.00/);
    await page.locator('#image-mode').selectOption('column');
    await says(page, '#image-call', /axis: 2.*y \(451,\)/);
    assert.deepEqual(problems, []);
    await close();
  });

  for (const device of ['cpu', 'both']) {
    test(`PageRank keeps its bits with a plan, ${device}`, async () => {
      const { page, problems, close } = await openDemos(open, device);
      await slide(page, '#ranks-size', 0);
      await page.locator('#ranks').scrollIntoViewIfNeeded();
      await says(page, '#ranks-status', device === 'cpu' ? /20 rounds on CPU/ : /20 rounds on WebGPU/);
      await says(page, '#ranks-edges', /^10,000$/);
      assert.match(await text(page, '#ranks-same'), /^✓/);
      if (device === 'both') assert.match(await text(page, '#ranks-devices'), /^✓/);
      assert.match(await text(page, '#ranks-table tbody tr:first-child'), /^ATL Atlanta/);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  for (const device of ['cpu', 'both']) {
    test(`a map is learned from lengths, ${device}`, async () => {
      const { page, problems, close } = await openDemos(open, device);
      if (device === 'both') await beginAgain(page);
      await page.locator('#atlas').scrollIntoViewIfNeeded();
      await says(page, '#atlas-status', device === 'cpu' ? /400 steps on CPU/ : /400 steps on WebGPU/);
      if (device === 'both') {
        await says(page, '#atlas-same', /^✓/);
        assert.deepEqual(await page.evaluate(() => globalThis.said), ['Learning … –', '400 steps on WebGPU. ✓ every bit']);
      }
      const error = whole(device === 'cpu' ? await text(page, '#atlas-error') : await page.evaluate(() => globalThis.firstError));
      assert.ok(error < 40, `the lengths are learned to ${error} km`);
      assert.ok((await page.locator('#atlas-map circle').count()) > 200);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  for (const device of ['cpu', 'both']) {
    test(`messages between neighbours tell how the club split, ${device}`, async () => {
      const { page, problems, close } = await openDemos(open, device);
      await slide(page, '#ranks-size', 0); // the demo beside it, whose turn may come first
      await page.locator('#club').scrollIntoViewIfNeeded();
      await says(page, '#club-reached', /^2 of 34$/);
      await page.locator('#club-step').click();
      await says(page, '#club-reached', /^27 of 34$/);
      await page.locator('#club-ten').click();
      await says(page, '#club-steps', /^11$/);
      assert.equal(await text(page, '#club-right'), '33 of 34');
      if (device === 'both') assert.match(await text(page, '#club-same'), /^✓/);
      assert.match(await page.locator('#club-graph title').nth(8).textContent(), /^Member 9: -0\.\d{3}$/); // the one that is on the wrong side
      await page.locator('#club-how').selectOption('amax');
      await says(page, '#club-reached', /^1 of 34$/);
      await page.locator('#club-ten').click();
      await says(page, '#club-reached', /^34 of 34$/);
      assert.equal(await page.locator('#club-graph title').nth(33).textContent(), 'Member 34, the president: 0.250');
      assert.deepEqual(problems, []);
      await close();
    });
  }

  for (const [device, path] of [['cpu', 'demos.html'], ['both', 'zh/demos.html']]) {
    test(`the histogram of flights counts every record, ${path}`, async () => {
      const { page, problems, close } = await open(path, { webgpu: device === 'both', canvas: device === 'both' });
      await choose(page, device);
      await page.locator('#histogram').scrollIntoViewIfNeeded();
      await says(page, '#histogram-time', device === 'cpu' ? /CPU$/ : /^WebGPU/);
      assert.match(await text(page, '#histogram-sum'), /^[\d,]+ ✓$/);
      if (device === 'both') assert.match(await text(page, '#histogram-bits'), /^✓/);
      for (const view of ['time-delay', 'mean-delay']) {
        await page.locator('#histogram-view').selectOption(view);
        await page.waitForFunction(() => document.getElementById('histogram').getAttribute('aria-busy') === 'false');
        await page.locator('.field').focus();
        await page.keyboard.press('ArrowUp');
        const words = await text(page, '#histogram');
        if (device === 'both') assert.doesNotMatch(words.replace(/CPU|WebGPU|scatter\w*/g, ''), /[A-Za-z]{2,}/, 'words left in English');
      }
      assert.deepEqual(problems, []);
      await close();
    });
  }
}
