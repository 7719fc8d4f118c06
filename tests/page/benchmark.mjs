// The benchmark page: it measures both devices, says whether they agree, and its link carries the numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './context.mjs';

export function testBenchmark({ open }) {
  test('the benchmark measures every workload, agrees, and its link shows the numbers again', async () => {
    const { page, problems, close } = await open('benchmark.html', { webgpu: true });
    await choose(page, 'both');
    await page.getByLabel('Up to').selectOption('16384');
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    await page.getByText('The address of this page now holds the numbers').waitFor({ timeout: 120_000 });
    assert.equal(await page.locator('#benchmark table').count(), 5);
    assert.deepEqual(await page.locator('#benchmark thead').first().locator('th').allInnerTexts(), ['Elements', 'loop in JavaScript', 'WebAssembly', 'WebGPU']);
    assert.equal(await page.getByText('✓ All ways gave the same bits.').count(), 5);
    const cells = await page.locator('#benchmark td').allInnerTexts();
    assert.equal(cells.length, 5 * 2 * 3);
    for (const cell of cells) assert.match(cell, /^[\d.,]+ ±[\d.,]+$/);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as JSON' }).click()]);
    assert.equal(download.suggestedFilename(), 'scatterwise-benchmark.json');
    const link = page.url();
    const other = await open(`benchmark.html${new URL(link).hash}`);
    await other.page.getByText('they were measured elsewhere').waitFor();
    assert.deepEqual(await other.page.locator('#benchmark td').allInnerTexts(), cells);
    assert.deepEqual([...problems, ...other.problems], []);
    await other.close();
    await close();
  });
}
