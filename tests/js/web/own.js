// Runs random calls of the operators with a function of their own on the CPU and on WebGPU, in the page that imports this, and compares them
// with the oracle. Node runs more of them on the CPU: tests/js/fuzz.

import { Numbers } from '../../../src/js/verify/numbers.js';
import * as library from '../../../target/npm/scatterwise/index.js';
import { judgeOwn } from '../calls/make.own.js';
import { describeOwn, ownCall, withoutOption } from '../calls/own.js';
import { expectedOwn } from '../calls/own.oracle.js';

/**
 * Runs `count` calls of a seed on both devices. Resolves to the `failures` by device, how many calls were `skipped` on WebGPU by reason, and
 * how often each operator was `drawn`. With `planted`, the oracle forgets an option of each call: `planted` of the outcome counts the calls
 * for which that matters.
 */
export async function runOwn({ seed, count, planted = false }) {
  const outcome = { failures: { cpu: [], webgpu: [] }, skipped: {}, drawn: {}, planted: 0 };
  const together = 50; // reads that overlap cost little more than one
  for (let begin = 0; begin < count; begin += together) {
    const calls = Array.from({ length: Math.min(together, count - begin) }, (_, k) => ({ n: begin + k, ...ownCall(new Numbers(seed, begin + k)) }));
    // The error of a call that WebGPU refuses may come with the next read of any tensor, so such a call runs alone.
    const [alone, others] = [calls.filter((call) => expectedOwn(call).error), calls.filter((call) => !expectedOwn(call).error)];
    await Promise.all(others.map((call) => judge(call, planted, outcome)));
    for (const call of alone) await judge(call, planted, outcome);
  }
  return outcome;
}

/** Makes a call on both devices, and counts the outcomes. */
async function judge(call, planted, outcome) {
  outcome.drawn[call.op] = (outcome.drawn[call.op] ?? 0) + 1;
  const wrong = planted ? withoutOption(call) : call;
  if (!wrong) return;
  if (planted && JSON.stringify(expectedOwn(wrong), asText) !== JSON.stringify(expectedOwn(call), asText)) outcome.planted += 1;
  for (const device of ['cpu', 'webgpu']) {
    const { problem, skipped } = await judgeOwn(library, call, device, { right: expectedOwn(wrong, device) });
    if (problem) outcome.failures[device].push({ id: `call ${call.n}: ${describeOwn(call)}`, got: problem, expected: 'the result of the oracle' });
    if (skipped) outcome.skipped[skipped] = (outcome.skipped[skipped] ?? 0) + 1;
  }
}
const asText = (_, value) => (typeof value === 'bigint' ? `${value}` : ArrayBuffer.isView(value) ? Array.from(value, String) : value);
