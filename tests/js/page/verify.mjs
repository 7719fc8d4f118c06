// The page that verifies: it reaches a verdict, times the ways to scatter, can be stopped, and its report is one that the project's script
// reads.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readReport, sectionOf } from '../../../tools/adapters.mjs';
import { thresholds } from '../../../www/src/verify/thresholds.js';

const button = (page, name) => page.getByRole('button', { name, exact: true });
/** What the page says of the run. */
const verdict = (page) => page.locator('.outcome').innerText();

/** Saves the report as a visitor does, and resolves to it as the project's script reads it. */
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as JSON').click()]);
  assert.equal(download.suggestedFilename(), 'scatterwise-report.json');
  return readReport(await readFile(await download.path(), 'utf8'), 'the report of the page');
}

export function testVerify({ open }) {
  test('the verify page loads nothing before the button, reaches a verdict, and its report is read by the script', async () => {
    const { page, problems, close } = await open('verify.html', { webgpu: true, permissions: ['clipboard-read', 'clipboard-write'] });
    const late = [];
    page.on('request', (request) => late.push(request.url()));
    await page.waitForTimeout(200);
    assert.deepEqual(late.filter((url) => /\.wasm|worker/.test(url)), []);
    await button(page, 'Verify').click();
    await page.locator('progress').waitFor();
    await page.locator('.outcome').waitFor({ timeout: 120_000 });
    // A software adapter compiles for seconds: not all calls are tried, and no mark says so.
    const tried = await verdict(page);
    const [done, of] = /([\d,]+) of ([\d,]+) calls tried, in \d+ s/.exec(tried).slice(1).map((words) => Number(words.replaceAll(',', '')));
    assert.match(tried, done < of ? /^◔ So far so good: the [\d,]+ results that were tried on your GPU have the CPU’s bits/ : /^✓ All [\d,]+ results of your GPU have the CPU’s bits/);
    assert.deepEqual(await page.locator('.outcome meter').evaluate(({ value, max }) => [value, max]), [done, of]);
    assert.equal(await page.getByRole('button', { name: /^Try all \d+ \(some \d+ min\)$/ }).count(), done < of ? 1 : 0);
    assert.ok(late.some((url) => url.endsWith('.wasm')));
    assert.match(await page.locator('.facts').innerText(), /Adapter[\s\S]*computes on the CPU[\s\S]*Browser[\s\S]*Chrome[\s\S]*0 wrong/);

    const report = await saved(page);
    assert.equal(report.outcome, 'same');
    assert.ok(report.seconds < 20, `${report.seconds} s`);
    assert.match(sectionOf([report]), /same bits: \d+ of \d+/);
    await button(page, 'Copy').click();
    await button(page, '✓ Copied').waitFor();
    assert.deepEqual(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())), report);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the verify page stops when it is told to, in both parts', async () => {
    const { page, problems, close } = await open('verify.html', { webgpu: true });
    await button(page, 'Verify').click();
    await page.getByText(/Comparing: \d+ of/).waitFor();
    await button(page, 'Stop').click();
    await page.getByText('Stopped. The report covers the calls until then.').waitFor();
    assert.match(await verdict(page), /It ended before every recorded call had run/);
    const first = await saved(page);
    assert.deepEqual([first.outcome, first.complete], ['same', false]);
    await page.getByRole('button', { name: /^Try all/ }).click();
    await page.getByText(/Comparing: \d+ of/).waitFor();
    await button(page, 'Stop').click();
    await page.getByText('Stopped. The report covers the calls until then.').waitFor();
    assert.equal((await saved(page)).seconds_allowed, 3600);

    await button(page, 'Time the ways to scatter').click();
    await page.getByText(/Timing: [2-9] of \d+ sizes/).waitFor();
    await button(page, 'Stop').click();
    await page.getByText('Stopped before every size was timed').waitFor();
    const { times } = await saved(page);
    assert.equal(times.complete, false);
    const [step] = times.ladders.small;
    assert.deepEqual(step.wrong, []);
    assert.equal(step.chosen, 'small');
    assert.deepEqual(Object.keys(step.ms), ['small', 'run-per-thread', 'columns'], 'each way was taken');
    for (const ms of Object.values(step.ms)) assert.ok(ms > 0);
    assert.ok(Object.keys(times.ladders).every((id) => id in thresholds));
    assert.equal(await page.locator('.times table').count(), 1);
    assert.deepEqual(problems, []);
    await close();
  });

  test('the verify page starts again after a worker that could not be loaded', async () => {
    const { page, close } = await open('verify.html');
    const workers = /\/assets\/worker-[^/]*\.js$/;
    await page.route(workers, (route) => route.abort());
    await button(page, 'Verify').click();
    await page.getByText('It failed: the worker could not be started').waitFor();
    await page.unroute(workers);
    await button(page, 'Verify').click();
    await page.locator('.outcome').waitFor({ timeout: 60_000 });
    await close();
  });

  test('the verify page says what it could not compare', async () => {
    const { page, problems, close } = await open('zh/verify.html');
    await page.getByRole('button', { name: '验证', exact: true }).click();
    await page.locator('.outcome').waitFor();
    assert.match(await verdict(page), /没有比较您的 GPU[\s\S]*no GPU adapter answered/);
    assert.equal(await page.getByRole('button', { name: '测量各种 scatter 方式' }).count(), 0);
    assert.deepEqual(problems, []);
    await close();
  });
}
