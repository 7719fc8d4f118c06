// Every build of the library that users get does the same on the CPU: the vectors, and random calls. calls.test.mjs has the build that has
// everything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConformance } from './conformance.mjs';
import { assertAllDrawn, runRandom } from './random.mjs';
import { list, openPage, say } from './web.mjs';

const SEED = 2;
const CALLS = 3_000;

const builds = {
  'without SIMD': { entry: 'index.js', binary: 'scatterwise_scalar.wasm' },
  'CPU only': { entry: 'cpu.js', binary: 'scatterwise_cpu_simd.wasm' },
  'CPU only, without SIMD': { entry: 'cpu.js', binary: 'scatterwise_cpu_scalar.wasm' },
  core: { entry: 'core.js', binary: 'scatterwise_core_simd.wasm', isCore: true },
  'core, without SIMD': { entry: 'core.js', binary: 'scatterwise_core_scalar.wasm', isCore: true },
};

for (const [name, { isCore = false, ...build }] of Object.entries(builds)) {
  const opened = openPage({ build });
  testConformance(opened, { devices: ['cpu'], by: ` (${name})`, isCore });

  test(`${CALLS} random calls (${name})`, async () => {
    const { failures, drawn, skipped } = await runRandom(opened, { seed: SEED, count: CALLS, devices: ['cpu'] });
    const left_out = Object.values(skipped).reduce((sum, count) => sum + count, 0);
    say({ backend: 'cpu', adapter: '', suite: `random (${name})`, ran: CALLS - left_out, passed: CALLS - left_out - failures.cpu.length, skipped });
    assert.ok(isCore ? left_out < CALLS / 6 : left_out === 0, `${left_out} calls were not made`); // activations of a family
    assertAllDrawn(drawn);
    assert.equal(failures.cpu.length, 0, list(failures.cpu));
  });
}
