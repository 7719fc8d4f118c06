// Random calls give the same bits on the CPU, on WebGPU and by the loops that define the operators; bad indices change
// nothing. The calls are the same in every run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, say } from './web.mjs';

const SEED = 3;
const CALLS = 10_000;
const IGNORED = 600;

/** Runs `runRandom` of random.js in a page that was opened by `openPage`. */
export const runRandom = ({ page }, options) =>
  page.evaluate(async (options) => {
    const { runRandom } = await import('/tests/js/web/random.js');
    return runRandom(options);
  }, options);

/** Asserts that random calls were of every operator and every dtype. */
export const assertAllDrawn = (drawn) => assert.equal(Object.keys(drawn).length, 8 + 13, 'every operator and every dtype');

/** Declares the tests, which run in a page that was opened by `openPage`. */
export function testRandomCalls(opened) {
  test(`${CALLS} random calls`, async (t) => {
    const { failures, skipped, drawn, colliding } = await runRandom(opened, { seed: SEED, count: CALLS });
    for (const backend of ['cpu', 'webgpu']) {
      const left_out = backend === 'webgpu' ? skipped : {};
      const ran = CALLS - Object.values(left_out).reduce((sum, count) => sum + count, 0);
      const passed = ran - failures[backend].length;
      say({ backend, adapter: opened.adapter[backend], suite: 'random', ran, passed, skipped: left_out });
    }
    t.diagnostic(`drawn: ${JSON.stringify(drawn)}; of float32 and int32 with several updates in one place: ${colliding}`);

    assertAllDrawn(drawn);
    assert.ok(Math.min(...Object.values(drawn)) >= 300, 'each of them often');
    assert.ok(colliding >= 1000, `only ${colliding} calls in which order matters`);
    const wrong = Object.entries(failures).filter(([, found]) => found.length > 0);
    const told = wrong.map(([backend, found]) => `${found.length} calls of seed ${SEED} are wrong on ${backend}\n${list(found)}`);
    assert.equal(wrong.length, 0, told.join('\n'));
  });

  test(`${IGNORED} random calls with ignore_index`, async (t) => {
    const options = { seed: SEED, draw: 'ignored' };
    const { failures, skipped, drawn } = await runRandom(opened, { ...options, count: IGNORED });
    for (const backend of ['cpu', 'webgpu']) say({ backend, adapter: opened.adapter[backend], suite: 'random-ignored', ran: IGNORED, passed: IGNORED - failures[backend].length });
    t.diagnostic(`drawn: ${JSON.stringify(drawn)}`);
    assert.deepEqual(skipped, {});
    for (const backend of ['cpu', 'webgpu']) assert.equal(failures[backend].length, 0, `${failures[backend].length} are wrong on ${backend}\n${list(failures[backend])}`);
    const planted = await runRandom(opened, { ...options, count: 200, planted: 'ignored' });
    for (const backend of ['cpu', 'webgpu']) assert.ok(planted.failures[backend].length > 30, `values that are not left out: ${planted.failures[backend].length} found on ${backend}`);
  });

  test('random calls find a result that is wrong', async () => {
    const order = await runRandom(opened, { seed: SEED, count: 500, planted: 'order' });
    const bit = await runRandom(opened, { seed: SEED, count: 100, planted: 'bit' });
    for (const backend of ['cpu', 'webgpu']) {
      assert.ok(order.failures[backend].length > 30, `updates in the wrong order: ${order.failures[backend].length} found`);
      assert.ok(order.failures[backend].every(({ id }) => id.includes('scatter')), list(order.failures[backend]));
      assert.ok(bit.failures[backend].length > 70, `a wrong bit: ${bit.failures[backend].length} found`);
    }
  });

  /** Runs a function of random.faults.js in the page. */
  const faults = (name) =>
    opened.page.evaluate(async (name) => {
      const faults = await import('/tests/js/web/random.faults.js');
      return faults[name]();
    }, name);

  /** The facts of the errors that random.faults.js is refused with: `value` is the bad index value. */
  const factsOf = (value) => ({
    name: 'IndexError',
    code: 'index-out-of-range',
    op: 'Tensor.scatter_',
    position: [1],
    value,
    allowed: [-4, 3],
  });
  const unchanged = [10, 20, 30, 40];

  for (const device of ['cpu', 'webgpu']) {
    test(`a bad index changes nothing on ${device}, and is named at once`, async () => {
      const { errors, after } = await faults(`atOnce_${device}`);
      assert.equal(errors.length, 6 * 3 * 2, 'an error for each index, reduce and source');
      for (const { message, ...facts } of errors) {
        assert.deepEqual(facts, factsOf(9));
        assert.match(message, /index\[1\] is 9\b.*-4 to 3/);
      }
      assert.deepEqual(after, unchanged);
    });
  }

  test('a bad index that was computed on WebGPU changes nothing, and is named by the first read, once', async () => {
    const results = await faults('atFirstRead');
    assert.deepEqual([...new Set(results.map(({ first }) => Number(first.value)))], [9, 2 ** 32]);
    for (const { first, second, other } of results) {
      const { message, ...facts } = first;
      assert.deepEqual(facts, factsOf(first.value));
      assert.match(message, new RegExp(`index\\[1\\] is ${first.value}\\b.*-4 to 3`));
      assert.deepEqual([second, other], [unchanged, unchanged]);
    }
  });

  test('two faults arrive one by one, in the order of the calls, from whatever reads', async () => {
    for (const { first, second, third } of await faults('twoFaults')) {
      assert.deepEqual([first.value, first.position], [9, [1]]);
      assert.deepEqual([second.value, second.position], [-5, [0]]);
      assert.deepEqual(third, unchanged);
    }
  });
}
