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
};

for (const [name, build] of Object.entries(builds)) {
  const opened = openPage({ build });
  testConformance(opened, { devices: ['cpu'], by: ` (${name})` });

  test(`${CALLS} random calls (${name})`, async () => {
    const { failures, drawn } = await runRandom(opened, { seed: SEED, count: CALLS, devices: ['cpu'] });
    say({ backend: 'cpu', adapter: '', suite: `random (${name})`, ran: CALLS, passed: CALLS - failures.cpu.length });
    assertAllDrawn(drawn);
    assert.equal(failures.cpu.length, 0, list(failures.cpu));
  });
}
