// Plans: the bits of the same call without one, the class, and that nothing is kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, say } from './web.mjs';

const SEED = 2;
const CALLS = 600;

/** Declares the tests, which run in a page that was opened by `openPage`. */
export function testPlans(opened) {
  /** Runs a function of plans.js in the page. */
  const run = (name, argument) =>
    opened.page.evaluate(
      async ([name, argument]) => {
        const plans = await import('/tests/js/web/plans.js');
        return plans[name](argument);
      },
      [name, argument],
    );

  test(`${CALLS} random calls give the same bits with a plan`, async () => {
    const { failures, ran, compared } = await run('runRandomPlans', { seed: SEED, count: CALLS });
    for (const backend of ['cpu', 'webgpu']) {
      const wrong = failures.filter(({ id }) => id.includes(`on ${backend},`));
      const passed = ran - new Set(wrong.map(({ id }) => id.split(',')[0])).size;
      say({ backend, adapter: opened.adapter[backend], suite: 'plans', ran, passed });
    }
    assert.equal(compared, CALLS * 6); // three calls with a plan on each of two devices
    assert.equal(failures.length, 0, list(failures));
  });

  test('the class, and its plans after dispose()', async () => {
    const { disposed, wrong, ...facts } = await run('theClass');
    assert.deepEqual(facts, {
      isPlan: true,
      name: 'IndexPlan',
      shape: [3],
      updates: 2,
      has_duplicates: false,
      sameObject: true,
      values: [20, 2, 20],
      isTensor: true,
      after: [20, 2, 20],
    });
    const ops = ['Tensor.scatter_', 'Tensor.scatter', 'Tensor.scatter_add', 'Tensor.scatter_add_', 'Tensor.gather'];
    ops.push('Tensor.gather_nd', 'scatter_mul', 'Tensor.scatter_', 'IndexPlan.updates', 'IndexPlan.has_duplicates', 'IndexPlan.shape', 'IndexPlan.ready');
    assert.deepEqual(disposed.slice(0, 12).map(({ op }) => op), ops);
    for (const { name, code, argument, message } of disposed) {
      assert.deepEqual([name, code, argument], ['RuntimeError', 'disposed', 'plan']);
      assert.match(message, /was disposed of; make another/);
    }
    for (const error of wrong) assert.ok(['TypeError', 'RuntimeError'].includes(error.name), JSON.stringify(error));
    assert.match(wrong[0].message, /IndexPlan\.along\(shape, dim, index\)/);
  });

  test('two hundred plans leave nothing behind', async () => {
    // Tensors that other tests left to the garbage collector must not count here.
    await opened.page.reload();
    await opened.page.evaluate(async () => {
      const { init } = await import('/target/npm/scatterwise/index.js');
      await init({ device: 'webgpu' });
    });
    const { before, during, after, same } = await run('soak', 200);
    assert.ok(same, 'both devices counted the same');
    // Buffers that wait in the pool for their next use do not count.
    const held = ({ tensors, cpu_bytes, gpu_bytes }) => ({ tensors, cpu_bytes, gpu_bytes });
    assert.deepEqual(held(after), held(before));
    assert.equal(during.cpu_bytes - before.cpu_bytes, 4000, 'positions on the CPU');
    assert.ok(during.gpu_bytes - before.gpu_bytes >= 4000, 'and on WebGPU');
  });
}
