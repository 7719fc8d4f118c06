// Random calls of sorts, groups, segments, sparse products, counts and statistics give the bits of the loops that define them, on the CPU and on
// WebGPU; softmax stays within its bounds. The calls are the same in every run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, say } from './web.mjs';

const SEED = 5;
const CALLS = Number(process.env.SCATTERWISE_OWN_CALLS ?? 1500);
/** The operators of own.js, with in-place variants. */
const OPERATORS = 31;

/** Runs `runOwn` of own.js in a page that was opened by `openPage`. */
const runOwn = ({ page }, options) =>
  page.evaluate(async (options) => {
    const { runOwn } = await import('/tests/js/web/own.js');
    return runOwn(options);
  }, options);

/** Declares the tests, which run in a page that was opened by `openPage`. */
export function testOwnCalls(opened) {
  test(`${CALLS} random calls of operators with a function of their own`, async (t) => {
    const { failures, skipped, drawn } = await runOwn(opened, { seed: SEED, count: CALLS });
    for (const backend of ['cpu', 'webgpu']) {
      const left_out = backend === 'webgpu' ? skipped : {};
      const ran = CALLS - Object.values(left_out).reduce((sum, count) => sum + count, 0);
      say({ backend, adapter: opened.adapter[backend], suite: 'random-own', ran, passed: ran - failures[backend].length, skipped: left_out });
    }
    t.diagnostic(`drawn: ${JSON.stringify(drawn)}`);
    assert.equal(Object.keys(drawn).length, OPERATORS, 'every operator');
    assert.ok(Object.values(skipped).reduce((sum, count) => sum + count, 0) < CALLS / 20, `too many calls are skipped: ${JSON.stringify(skipped)}`);
    const told = Object.entries(failures).filter(([, found]) => found.length > 0).map(([backend, found]) => `${found.length} calls of seed ${SEED} are wrong on ${backend}\n${list(found)}`);
    assert.equal(told.length, 0, told.join('\n'));
  });

  test('these calls find an option that is forgotten', async () => {
    const { failures, planted } = await runOwn(opened, { seed: SEED, count: 300, planted: true });
    assert.ok(planted > 30, `only ${planted} calls in which an option matters`);
    for (const backend of ['cpu', 'webgpu']) assert.ok(failures[backend].length >= planted * 0.9, `${failures[backend].length} of ${planted} found on ${backend}`);
  });
}
