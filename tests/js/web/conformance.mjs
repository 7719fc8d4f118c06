// The package does what PyTorch, MindSpore and Paddle did, and what this project decided, when called from JavaScript, on
// each device. Every case runs before a test fails.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { list, say } from './web.mjs';

const files = [
  'scatter_',
  'scatter_duplicates',
  'scatter_add_axis',
  'scatter_add_nd',
  'scatter_mul',
  'gather',
  'scatter_reduce',
  'scatter_nd',
  'scatter_family',
  'index_ops',
  'segment',
  'reduce_dim',
  'out_of_range',
  'elementwise_mul',
  'elementwise',
  'errors',
  'histogram',
  'binned',
  'errors_more',
  'grads',
  'precise',
  'winners',
  'softmax',
  'options',
  'sort',
  'masks',
  'small',
  'groups',
];

/** Declares the test that no file of vectors is forgotten. */
export function testFiles() {
  test('all recorded vectors are in the list', async () => {
    const recorded = await readdir(new URL('../../vectors', import.meta.url));
    assert.deepEqual(recorded.filter((name) => name.endsWith('.json')).sort(), files.map((name) => `${name}.json`).sort());
  });
}

/** Files without a row that `scatterwise/core` takes. */
const ofFamilies = ['segment', 'reduce_dim', 'binned', 'grads', 'precise', 'winners', 'softmax', 'sort', 'groups'];

/**
 * Declares the tests, which run in a page that was opened by `openPage`. `by` is added to their names. `isCore`: whether the entry has no family
 * of operators.
 */
export function testConformance(opened, { devices = ['cpu', 'webgpu'], by = '', isCore = false } = {}) {
  for (const device of devices) {
    for (const file of files.filter((name) => !isCore || !ofFamilies.includes(name))) {
      test(`the vectors of ${file} on ${device}${by}`, async (t) => {
        const outcome = await opened.page.evaluate(
          async ([file, device]) => {
            const { runFile } = await import('/tests/js/web/conformance.js');
            return runFile(file, device);
          },
          [file, device],
        );
        const { total, ran, passed, skipped, failures, differing } = outcome;
        say({ backend: device, adapter: opened.adapter[device], suite: file, ran, passed, skipped });
        if (by === '') for (const { id, got, expected } of differing) t.diagnostic(`not required: ${id}: got ${got}; recorded: ${expected}`);

        const left_out = Object.values(skipped).reduce((sum, count) => sum + count, 0);
        assert.equal(ran + left_out, total, 'every case is accounted for');
        assert.ok(passed > 0, 'nothing passed');
        assert.equal(failures.length, 0, `${failures.length} of ${ran} are wrong\n${list(failures)}`);
      });
    }
  }
}
