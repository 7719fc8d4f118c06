// The entry `scatterwise/verify` in Node, where there is the CPU alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backend, init, memory } from 'scatterwise';
import { verify } from 'scatterwise/verify';
import { verdict } from '../../../src/js/verify/report.js';

test('it says what was not compared, and works on the library that runs', async () => {
  await init({ device: 'cpu' });
  const { cpu_reserved_bytes, ...before } = memory();
  const progress = [];
  const report = await verify({ on_progress: (...args) => void progress.push(args) });
  assert.equal(report.outcome, 'not-compared');
  assert.match(report.verdict, /^Nothing was compared with another device: .*WebGPU.* \d+ recorded results had the right bits on the CPU\.$/);
  assert.match(report.reason, /WebGPU/);
  assert.deepEqual(report.backend, backend(), 'of the same instance');
  assert.deepEqual(report.failures, []);
  assert.deepEqual([report.device, report.random, report.complete, report.format], ['cpu', null, true, 1]);
  assert.deepEqual(report.recorded, { cpu: { of: report.recorded.cpu.of, same: report.recorded.cpu.of, different: 0, not_supported: 0 } });
  assert.ok(report.recorded.cpu.of > 150);
  assert.deepEqual(progress.at(-1), [report.recorded.cpu.of, report.recorded.cpu.of]);
  assert.match(report.platform.runtime, /^Node\.js \d/);
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
  assert.deepEqual({ ...memory(), cpu_reserved_bytes: undefined }, { ...before, cpu_reserved_bytes: undefined });
});

test('the time is a bound', async () => {
  const report = await verify({ seconds: 1e-6 });
  assert.equal(report.complete, false);
  assert.ok(report.recorded.cpu.of < 100);
});

test('the verdict on a device that does not answer has what it had answered before', () => {
  const counts = (same) => ({ of: same, same, different: 0, not_supported: 0 });
  const silent = { reason: 'the CPU was asked for', complete: false, answered: false, failures: [], backend: {} };
  const cpu = { ...silent, device: 'cpu', recorded: { cpu: counts(7) }, random: null };
  assert.deepEqual(verdict(cpu, 10), { outcome: 'no-answer', verdict: 'The CPU did not answer in time. What it had answered before, 7 results, had the right bits.' });
  const webgpu = { ...silent, device: 'webgpu', recorded: { cpu: counts(7), webgpu: counts(1) }, random: counts(0) };
  assert.match(verdict(webgpu, 10).verdict, /^The adapter did not answer in time\. What it had answered before, 1 result, had the right bits\.$/);
});

test('options of a wrong kind are refused', async () => {
  const wrong = [[{ device: 'gpu' }, 'device'], [{ seconds: 0 }, 'seconds'], [{ seconds: NaN }, 'seconds'], [{ seed: -1 }, 'seed'], [{ on_progress: 1 }, 'on_progress'], [null, 'options']];
  for (const [options, argument] of wrong) {
    await assert.rejects(verify(options), (error) => error instanceof TypeError && error.code === 'invalid-argument' && error.op === 'verify' && error.argument === argument);
  }
});

test('what the caller throws reaches the caller, and nothing is left', async () => {
  const { cpu_reserved_bytes, ...before } = memory();
  const mine = new Error('mine');
  await assert.rejects(verify({ on_progress: () => { throw mine; } }), mine);
  assert.deepEqual({ ...memory(), cpu_reserved_bytes: undefined }, { ...before, cpu_reserved_bytes: undefined });
});
