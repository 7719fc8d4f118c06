// The puzzles: predicted by the visitor, judged by the library.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { puzzles } from '../../../www/src/puzzles/puzzles.js';

/** The right answer of each puzzle, cell by cell; null where the call is refused. */
const solutions = {
  first: [7, 0, 5, 0],
  twice: [30, 20, 3],
  negative: [4, 1, 4],
  dim: [1, 8, 9, 4],
  histogram: [1, 0, 3],
  outside: null,
  tuples: [0, 6, 3, 0],
  rows: [1, 2, 18, 8],
  read: [2, 2, 3, 4],
  axis: [10, 20, 30, 400, 500, 600],
  ends: null,
  largest: [5, 2, 9],
  winners: [-1, 0, -1],
  softmax: [0.5, 1, 0.5, 1],
  slices: [1, 112, 3, 6],
  divide: [3, -1],
  counts: [2, 0, 3],
  ranks: [2, 0, 3, 1],
  order: [0],
};

export function testPuzzles({ open }) {
  test('every puzzle knows its answer, by keyboard, and says why', async () => {
    const { page, problems, close } = await open('puzzles.html');
    assert.deepEqual(puzzles.map(({ id }) => id), Object.keys(solutions));
    for (const [id, cells] of Object.entries(solutions)) {
      const own = page.locator(`#${id}`);
      if (cells === null) await own.getByRole('checkbox').press('Space');
      else for (const [at, value] of cells.entries()) await own.locator('td input').nth(at).fill(String(value));
      await own.locator(cells === null ? 'input[type="checkbox"]' : 'td input').last().press('Enter');
      await own.getByText('✓ Right.').waitFor();
    }
    assert.equal(await page.textContent('#progress'), '19 of 19 solved');
    assert.match(await page.locator('#outside .why').innerText(), /IndexError.*index\[1\] is 3/);
    assert.match(await page.locator('#ranks .why').innerText(), /the rank of each element/);
    assert.match(await page.locator('#twice .why').innerText(), /t\[1\] = 20, from src\[1\] \(was 10\)/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('a wrong cell is marked, and the answer can be shown', async () => {
    const { page, close } = await open('puzzles.html');
    const own = page.locator('#twice');
    assert.equal(await own.locator('td input').first().inputValue(), '1', 'what is written to holds what it was');
    await own.getByRole('button', { name: 'Check' }).click();
    await own.getByText('✗ 2 cells differ.').waitFor();
    assert.equal(await own.locator('[aria-invalid="true"]').count(), 2);
    await own.getByRole('button', { name: 'Show the answer' }).click();
    await own.locator('.why').waitFor();
    assert.equal(await own.locator('td input').nth(1).inputValue(), '20');
    assert.equal(await page.textContent('#progress'), '0 of 19 solved');
    await own.getByRole('button', { name: 'Check' }).click();
    await page.waitForTimeout(200); // the engine answers in a few ms by now
    assert.equal(await page.textContent('#progress'), '0 of 19 solved', 'an answer that was shown is not solved');
    assert.equal(await own.getByText('✓ Right.').count(), 0);
    await own.locator('td input').first().fill('31');
    await own.locator('td input').first().fill('30');
    await own.getByRole('button', { name: 'Check' }).click();
    await own.getByText('✓ Right.').waitFor();
    await close();
  });

  test('a puzzle says so when the library cannot be asked, and asks again', async () => {
    const { page, close } = await open('puzzles.html');
    const workers = /\/assets\/worker-[^/]*\.js$/;
    await page.route(workers, (route) => route.abort());
    const own = page.locator('#twice');
    for (const name of ['Check', 'Show the answer']) {
      await own.getByRole('button', { name }).click();
      await own.getByText('The library could not be asked: the worker could not be started').waitFor();
    }
    await page.unroute(workers);
    await own.getByRole('button', { name: 'Check' }).click();
    await own.getByText('✗ 2 cells differ.').waitFor();
    assert.equal(await own.getByText('The library could not be asked').count(), 0);
    await close();
  });
}
