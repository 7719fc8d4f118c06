// `scatterwise/verify` in a page: its report on both devices, the memory that it leaves, and the faults that it finds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedCases } from '../../../tools/cases.mjs';
import { openPage, say } from './web.mjs';

const opened = openPage();
/** Runs a function of verify.js in the page. */
const call = (name, ...args) => opened.page.evaluate(async ([name, args]) => (await import('/tests/js/web/verify.js'))[name](...args), [name, args]);

// A software adapter compiles slowly: how many calls fit into four seconds depends on what else the machine does. A run may end late,
// because recorded and random calls may each still wait for an answer: hence the 20 seconds more.
for (const [before, seconds] of [['cpu', 4], ['webgpu', 6]]) {
  test(`verify() for ${seconds} s finds the same bits on WebGPU, started on ${before}`, async () => {
    const { report, progress, held, device } = await call('run', { seed: 1, seconds }, before);
    const { recorded, random } = report;
    const [ran, passed] = ['of', 'same'].map((key) => recorded.webgpu[key] + random[key]);
    const lacking = recorded.webgpu.not_supported + random.not_supported;
    say({ backend: 'webgpu', adapter: opened.adapter.webgpu, suite: 'verify', ran: ran - lacking, passed, skipped: lacking ? { 'not supported': lacking } : {} });
    assert.equal(report.outcome, 'same', `${report.verdict}\n${JSON.stringify(report.failures, null, 1)}`);
    assert.match(report.verdict, /^All [\d,]+ results of .* had the CPU's bits\./);
    assert.ok(report.seconds < seconds + 20, `${report.seconds} s`);
    assert.deepEqual([report.failures, recorded.cpu.different], [[], 0]);
    assert.ok(recorded.webgpu.same > 0 && random.same > 0, report.verdict);
    assert.equal(recorded.webgpu.of, recorded.cpu.of);
    assert.equal(report.complete, recorded.webgpu.of === recordedCases().length);
    assert.ok(report.backend.webgpu.software && report.platform.user_agent.includes('Chrome'));
    assert.deepEqual(held[1], held[0], 'nothing is left behind');
    assert.equal(device, before, 'new tensors go where they went');
    const done = progress.map(([each]) => each);
    assert.deepEqual(done, [...done].sort((a, b) => a - b));
    assert.equal(done.at(-1), recorded.cpu.of + random.of);
  });
}

test('verify() on the CPU compares what was recorded, and says that nothing else was', async () => {
  const { report, held } = await call('run', { device: 'cpu' });
  assert.deepEqual([report.outcome, report.random, report.complete], ['not-compared', null, true]);
  assert.match(report.verdict, /Nothing was compared with another device: the CPU was asked for\. \d+ recorded results had the right bits/);
  assert.ok(report.recorded.cpu.same > 150 && report.recorded.cpu.different === 0);
  assert.deepEqual(held[1], held[0]);
});

for (const device of ['webgpu', 'cpu']) {
  test(`verify() finds one wrong bit on ${device}, and says where`, async () => {
    const { report, position, lowest } = await call('withBit', device);
    const [first] = report.failures;
    assert.deepEqual([report.outcome, first.kind, first.device, first.position, first.differing], ['different', 'recorded', device, position, 1]);
    assert.equal(BigInt(first.got) ^ BigInt(first.expected), 1n, `${first.got} ${first.expected}`);
    assert.equal(BigInt(first.expected) & 255n, BigInt(lowest));
    const other = device === 'cpu' ? 'webgpu' : 'cpu';
    assert.equal(report.recorded[other].different, 0);
    assert.match(report.verdict, /^\d+ of [\d,]+ comparisons failed\. The first: .* at \[\d+,\d+\] has 0x[\da-f]+ instead of 0x[\da-f]+\./);
  });
}

test('a run can be stopped', async () => {
  const report = await call('stopped');
  assert.equal(report.complete, false);
  assert.ok(report.recorded.webgpu.of < 20);
  assert.equal(report.outcome, 'same');
  assert.match(report.verdict, /It ended before all \d+ recorded calls had run/);
});

test('a device that does not answer ends the run', async () => {
  const report = await call('withSilence');
  assert.deepEqual([report.outcome, report.answered], ['no-answer', false]);
  assert.match(report.verdict, /did not answer in time/);
  assert.ok(report.seconds < 15);
});

// This test is the last one: its unread work would be compiled and run with the next test's first read.
test('calls that throw are collected', async () => {
  const report = await call('withError');
  assert.equal(report.outcome, 'different');
  assert.equal(report.recorded.webgpu.different, report.recorded.webgpu.of - report.recorded.webgpu.not_supported);
  assert.equal(report.failures.length, 20);
  assert.deepEqual(report.failures[0].error, { name: 'TypeError', code: null, message: 'planted', from: 'the device' });
});
