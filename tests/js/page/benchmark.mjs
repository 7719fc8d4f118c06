// The benchmark page: it measures both devices, says whether they agree, compares with other libraries when asked, and its
// link carries the numbers.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRecord } from '../../../www/src/benchmark/record.js';
import { pack } from '../../../www/src/shared/address.js';
import { choose } from './context.mjs';

const peersInstalled = existsSync(new URL('../../../benches/browser/node_modules/onnxruntime-web/package.json', import.meta.url));

/** Measures the sizes up to 16 Ki, and waits until the numbers are in the page's address. */
async function measure(page) {
  await page.getByLabel('Up to').selectOption('16384');
  await page.locator('#benchmark button.primary').click();
  await page.getByText('The address of this page now holds the numbers').waitFor({ timeout: 240_000 });
}

/** The time of one way at one size, and a record with times by size and way of the workload `count`: what a link to the page holds. */
const time = { verdict: 'exact', median: 1, low: 0.9, high: 1.1 };
const recordOf = (count) => ({ when: '2026-01-01', browser: 'a browser', cores: 2, adapter: null, peers: {}, results: { count } });

/** The heads of the columns of the first table, and the text of all cells. */
const heads = (page) => page.locator('#benchmark section thead').first().locator('th').allInnerTexts();
const cellsOf = (page) => page.locator('#benchmark section td').allInnerTexts();

/** Declares the tests; `open` is that of context.mjs, here and in the other files of this folder. */
export function testBenchmark({ open }) {
  test('the benchmark measures every workload, agrees, and its link shows the numbers again', async () => {
    const { page, problems, close } = await open('benchmark.html', { webgpu: true });
    await choose(page, 'both');
    await measure(page);
    assert.equal(await page.locator('#benchmark section table').count(), 5);
    assert.deepEqual(await heads(page), ['Elements', 'loop in JavaScript', 'WebAssembly', 'WebGPU']);
    assert.equal(await page.getByText('✓ All implementations gave the same bits.').count(), 5);
    const cells = await cellsOf(page);
    assert.equal(cells.length, 5 * 2 * 3); // workloads, sizes, and ways, which are the columns behind the first
    for (const cell of cells) assert.match(cell, /^[\d.,]+ ±[\d.,]+$/);
    const crossings = await page.locator('.summary td:nth-child(2)').allInnerTexts();
    assert.equal(crossings.length, 5);
    for (const words of crossings) assert.match(words, /^(1|16) Ki elements on$|^not up to 16 Ki$/);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as JSON' }).click()]);
    assert.equal(download.suggestedFilename(), 'scatterwise-benchmark.json');
    const link = page.url();
    const other = await open(`benchmark.html${new URL(link).hash}`);
    await other.page.getByText('They were measured where it was made').waitFor();
    assert.deepEqual(await cellsOf(other.page), cells);
    assert.deepEqual([...problems, ...other.problems], []);
    await other.close();
    await close();
  });

  test('the benchmark shows what was recorded without a script, the times of docs/performance', async () => {
    const { page, close } = await open('benchmark.html', { javaScriptEnabled: false });
    const { cases } = JSON.parse(readFileSync(new URL('../../../docs/performance/browser-cpu.json', import.meta.url), 'utf8'));
    const { rows } = cases.find(({ id, size, dtype }) => id === 'gather-axis1' && size === 'full' && dtype === 'float32');
    const [ours, theirs] = ['scatterwise', 'burn'].map((library) => rows.find(([who, how]) => who === library && how === 'resident')[2]);
    const cells = await page.locator('.recorded tr', { hasText: 'gather along 1' }).first().locator('td').allInnerTexts();
    assert.equal(cells[0], `${ours.toLocaleString('en', { maximumSignificantDigits: 3 })} ms`);
    assert.equal(cells.at(-1), `×${(theirs / ours).toLocaleString('en', { maximumSignificantDigits: 3 })}`);
    assert.equal(await page.locator('.recorded').count(), 3);
    await close();
  });

  test('other libraries load when asked for, and their results are checked', { skip: !peersInstalled && 'npm ci --prefix benches/browser' }, async () => {
    const { page, problems, close } = await open('benchmark.html');
    const binaries = [];
    page.on('request', (request) => /(ort|tfjs).*\.wasm$/.test(request.url()) && binaries.push(request.url()));
    for (const id of ['tfjs-wasm', 'onnx', 'jax']) await page.locator(`#benchmark input[value="${id}"]`).check();
    assert.match(await page.locator('#benchmark button.primary').innerText(), /^Load 15\.\d MB and measure$/);
    assert.deepEqual(binaries, []);
    await measure(page);
    assert.equal(binaries.length, 2);
    assert.deepEqual((await heads(page)).slice(3), ['TensorFlow.js, wasm', 'ONNX Runtime Web, wasm', 'jax-js, wasm']);
    assert.equal(await page.getByText('✓ All implementations gave the same bits.').count(), 5);
    const cells = await cellsOf(page);
    assert.deepEqual(cells.filter((cell) => !/^[\d.,]+ ±[\d.,]+$/.test(cell)), ['–', '–'], 'jax-js sums no integers');
    assert.deepEqual(problems, []);
    await close();
  });

  test('the benchmark measures on the device that it started with', async () => {
    const { page, problems, close } = await open('benchmark.html', { webgpu: true });
    const gpu = page.locator('[data-devices] input[value="webgpu"]').first();
    await gpu.waitFor();
    await page.evaluate(async () => {
      document.querySelector('#benchmark button.primary').click();
      await new Promise((next) => setTimeout(next)); // the device of the run is chosen, the library is still loading
      document.querySelector('[data-devices] input[value="webgpu"]').click();
    });
    await page.locator('#benchmark section table').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. The results until then are shown.').waitFor();
    assert.ok(await gpu.isChecked());
    assert.deepEqual(await heads(page), ['Elements', 'loop in JavaScript', 'WebAssembly']);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a benchmark link is followed on the same page, and one with damaged numbers shows none', async () => {
    const { page, problems, close } = await open('benchmark.html');
    const follow = async (record) => page.evaluate((hash) => (location.hash = hash), `#run=${await pack(record)}`);
    await follow(recordOf({ 1024: { loop: time, cpu: time } }));
    await page.getByText('They were measured where it was made').waitFor();
    assert.equal(await page.locator('#benchmark section td').count(), 2);
    await follow(recordOf({ 1024: { loop: { verdict: 'failed' } } }));
    await page.getByText('Measuring starts when you press the button.').waitFor();
    assert.equal(await page.locator('#benchmark table').count(), 0);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a benchmark record is accepted where all of it can be shown', () => {
    const read = (record) => readRecord(record, ['count'], ['loop', 'cpu', 'webgpu']);
    const whole = recordOf({ 1024: { loop: time, cpu: time }, 16384: { cpu: { verdict: 'wrong' }, loop: time } });
    assert.equal(read(whole), whole);
    const damaged = {
      'a word as time': recordOf({ 1024: { loop: { ...time, median: 'x' } } }),
      'no end of time': recordOf({ 1024: { loop: { ...time, median: Infinity } } }),
      'a time that no scale has': recordOf({ 1024: { loop: { ...time, high: 1e300 } } }),
      'a size in other words': recordOf({ '1e3': { loop: time } }),
      'a loop without time': recordOf({ 1024: { loop: { verdict: 'failed' }, cpu: time } }),
      'ways that differ by size': recordOf({ 1024: { loop: time, cpu: time }, 16384: { loop: time } }),
      'a way that is none': recordOf({ 1024: { loop: time, toString: time } }),
      'a date that is no text': { ...whole, when: 5n },
      'an adapter that is no text': { ...whole, adapter: { toString: 1 } },
    };
    for (const [what, record] of Object.entries(damaged)) assert.equal(read(record), null, what);
  });
}
