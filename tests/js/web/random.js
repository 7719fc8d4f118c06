// Runs random calls on the CPU and on WebGPU, in the page that imports this, and compares them with each other and with the oracle.

import { Numbers } from '../../../src/js/verify/numbers.js';
import * as library from '../../../target/npm/scatterwise/index.js';
import { difference, typed, untyped } from '../calls/elements.js';
import { describe, isInPlace, operandsOf, run } from '../calls/make.js';
import { expected, isReading, collides } from '../calls/oracle.js';
import { ignoredCall, wideCall } from '../calls/random.js';

const draws = { wide: wideCall, ignored: ignoredCall };

/**
 * Runs `count` calls of a seed, drawn by one of `draws`, on each of `devices`. Resolves to the `failures` by device, how many calls were `skipped` on WebGPU by
 * reason, how often each operator and dtype was `drawn`, and in how many calls of float32 and int32 the order of updates may matter, as
 * several collide in one place (`colliding`). `planted` names one of `spoiled`, which is then expected of each call, to see that a wrong result
 * is found.
 */
export async function runRandom({ seed, count, draw = 'wide', devices = ['cpu', 'webgpu'], planted = null }) {
  const outcome = { failures: Object.fromEntries(devices.map((device) => [device, []])), skipped: {}, drawn: {}, colliding: 0 };
  const together = 100; // reads that overlap cost little more than one
  for (let begin = 0; begin < count; begin += together) {
    const calls = Array.from({ length: Math.min(together, count - begin) }, (_, k) => ({ n: begin + k, ...draws[draw](new Numbers(seed, begin + k)) }));
    const made = [];
    const results = calls.map((call) => devices.map(async (device) => [device, await start(call, device, made)]));
    for (const [k, call] of calls.entries()) {
      judge(call, planted ? spoiled[planted](call) : expected(call), Object.fromEntries(await Promise.all(results[k])), outcome);
    }
    for (const tensor of made) tensor.dispose();
  }
  return outcome;
}

/** Results that are wrong on purpose. */
const spoiled = {
  /** Updates are applied from the last to the first. */
  order: (call) => expected(call, (updates) => updates.reverse()),
  /** No index value is skipped. */
  ignored: (call) => expected({ ...call, ignore_index: undefined }),
  /** One bit of the result is wrong. */
  bit: (call) => {
    const right = expected(call);
    if (right.bytes.length > 0) right.bytes[right.bytes.length >> 1] ^= 1;
    return right;
  },
};

/**
 * Runs a call on a device. Resolves to `{ shape, dtype, bytes, self }`, where self has the bytes of self afterwards, null for a call in
 * place; or to `{ error }`. The call itself is made at once: nothing is awaited before it.
 */
async function start(call, device, made) {
  try {
    const own = []; // self first, see operandsOf
    const tensor = ({ dtype, shape, data }) => {
      own.push(new library.Tensor(typed(dtype, untyped(data)), { dtype, shape, device }));
      return own.at(-1);
    };
    const self = tensor(call.self);
    const result = run(library, call, { self, ...operandsOf(call, tensor, library, own) });
    if (result !== self) own.push(result);
    made.push(...own);
    if ((result === self) !== isInPlace(call.op)) throw new Error('not the object that it should be');
    if (result.device !== device) throw new Error(`a result on ${result.device}`);
    const [data, after] = await Promise.all([result.data(), result === self ? null : self.data()]);
    return { shape: result.shape, dtype: result.dtype, bytes: untyped(data), self: after && untyped(after) };
  } catch (error) {
    return { error };
  }
}

/** Compares the results by device with the right one, and that of WebGPU with the CPU's, and counts the outcomes. */
function judge(call, right, { cpu, webgpu }, outcome) {
  const { n, op, how, self, source } = call;
  const { dtype } = self;
  for (const name of [`${op} ${call.form}`, dtype]) outcome.drawn[name] = (outcome.drawn[name] ?? 0) + 1;
  if (call.index && !isReading(op) && ['float32', 'int32'].includes(dtype) && collides(call)) outcome.colliding += 1;
  // What only moves elements keeps every bit, those of a NaN too.
  const payloads = isReading(op) || (call.form !== 'pair' && how === 'replace' && source.scalar === undefined);
  if (cpu.error?.code === 'not-in-this-entry') {
    outcome.skipped[cpu.error.code] = (outcome.skipped[cpu.error.code] ?? 0) + 1;
    return;
  }
  const fault = (device, problem) => {
    if (problem) outcome.failures[device].push({ id: `call ${n}: ${describe(call)}`, ...problem });
  };
  fault('cpu', wrong(call, cpu, right, payloads));
  if (!webgpu) return;
  if (webgpu.error?.code === 'unsupported-on-device' && op === 'scatter_mul' && source.dtype && source.dtype !== dtype) {
    const reason = 'unsupported-on-device: conversion of updates';
    outcome.skipped[reason] = (outcome.skipped[reason] ?? 0) + 1;
    return;
  }
  fault('webgpu', wrong(call, webgpu, right, payloads) ?? (cpu.error ? null : wrong(call, webgpu, cpu, payloads)));
}

/** The fault of a result, `{ got, expected }`, or null. A call that is not in place must leave self unchanged. */
function wrong({ self }, got, right, payloads) {
  if (got.error) return { got: `${got.error.name}: ${got.error.message}`, expected: 'a result' };
  const [ours, theirs] = [got, right].map(({ shape }) => `shape [${shape}]`);
  if (ours !== theirs || got.dtype !== self.dtype) return { got: `${got.dtype} ${ours}`, expected: `${self.dtype} ${theirs}` };
  const found = difference(self.dtype, got.bytes, right.bytes, { payloads });
  const changed = !found && got.self && difference(self.dtype, got.self, untyped(self.data), { payloads: true });
  return found ?? (changed ? { got: `self changed, ${changed.got}`, expected: changed.expected } : null);
}
