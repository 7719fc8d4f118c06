// The fuzzer in a page, on WebGPU: adversarial values, random calls and calls within calls. Fewer than in Node, since each value is read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, say } from '../web/web.mjs';

const CALLS = Number(process.env.SCATTERWISE_FUZZ_WEB_CALLS ?? 2000);
const SEED = 1;
const opened = openPage();

test(`${CALLS} calls in a page, on WebGPU`, async (t) => {
  const run = async ([calls, seed]) => {
    const { fuzz } = await import('/tests/js/fuzz/run.js');
    let copies = 0; // another query makes another copy of a module
    const load = async () => {
      const lib = await import(`/target/npm/scatterwise/index.js?copy=${copies++}`);
      await lib.init({ device: 'webgpu' });
      return lib;
    };
    // Adversarial values reject promises that nobody waits for.
    addEventListener('unhandledrejection', (event) => event.preventDefault());
    return fuzz({ load, device: 'webgpu', seed, calls, chosen: ['adversarial', 'oracle', 'reentry'] });
  };
  const { counts, kinds, faults } = await opened.page.evaluate(run, [CALLS, SEED]);
  const ran = Object.values(counts).reduce((sum, count) => sum + count, 0);
  say({ backend: 'webgpu', adapter: opened.adapter.webgpu, suite: 'fuzz', ran, passed: faults.length === 0 ? ran : 0 });
  t.diagnostic(`calls: ${JSON.stringify(counts)}; ended: ${JSON.stringify(kinds)}`);
  assert.ok(counts.adversarial > 0 && counts.oracle > 0 && counts.reentry > 0);
  assert.equal(faults.length, 0, faults.map(({ part, call, problem }) => `${part}: ${call}\n    ${problem}`).join('\n'));
});
