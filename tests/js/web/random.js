// Runs random calls on the CPU and on WebGPU, in the page that imports this, and compares them with each other and with the loops of
// random.oracle.js.

import { Tensor, elementwise_mul, scatter_mul } from '../../../target/npm/scatterwise/index.js';
import { difference, typed, untyped } from './elements.js';
import { randomCall } from './random.calls.js';
import { expected } from './random.oracle.js';

const operators = {
  scatter_: (self, { dim, reduce }, index, source) => self.scatter_(dim, index, source, reduce && { reduce }),
  scatter_add: (self, { dim }, index, source) => self.scatter_add(dim, index, source),
  scatter_add_nd: (self, call, index, source) => self.scatter_add(index, source),
  scatter_mul: (self, call, index, source) => scatter_mul(self, index, source),
  gather: (self, { dim }, index) => self.gather(dim, index),
  gather_nd: (self, call, index) => self.gather_nd(index),
  elementwise_mul: (self, { axis, act }, index, source) => elementwise_mul(self, source, { axis, act }),
  mul: (self, call, index, source) => self.mul(source),
};
/** The operators that write to self and return it. */
const inPlace = ['scatter_', 'scatter_mul'];

/**
 * Runs `count` calls of a seed on each of `devices`. Resolves to the `failures` by device, how many calls were `skipped` on WebGPU by
 * reason, how often each operator and dtype was `drawn`, and in how many calls of float32 and int32 the order of updates may matter, as
 * several meet in one place (`meeting`). `planted` names one of `spoiled`, which is then expected of each call, to see that a wrong result
 * is found.
 */
export async function runRandom({ seed, count, devices = ['cpu', 'webgpu'], planted = null }) {
  const outcome = { failures: Object.fromEntries(devices.map((device) => [device, []])), skipped: {}, drawn: {}, meeting: 0 };
  const together = 100; // reads that overlap cost little more than one
  for (let begin = 0; begin < count; begin += together) {
    const calls = Array.from({ length: Math.min(together, count - begin) }, (_, k) => randomCall(seed, begin + k));
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
    const tensor = ({ dtype, shape, bytes }) => {
      made.push(new Tensor(typed(dtype, bytes), { dtype, shape, device }));
      return made.at(-1);
    };
    const self = tensor(call.self);
    const operand = (source) => (source === call.self ? self : source.dtype ? tensor(source) : source.scalar);
    const source = call.source && operand(call.source);
    let index = call.index && tensor(call.index);
    if (index && call.computed) made.push((index = index.mul(1)));
    const result = operators[call.op](self, call, index, source);
    if (result !== self) made.push(result);
    if ((result === self) !== inPlace.includes(call.op)) throw new Error('not the object that it should be');
    if (result.device !== device) throw new Error(`a result on ${result.device}`);
    const [data, after] = await Promise.all([result.data(), result === self ? null : self.data()]);
    return { shape: result.shape, dtype: result.dtype, bytes: untyped(data), self: after && untyped(after) };
  } catch (error) {
    return { error };
  }
}

/** Compares the results by device with the right one, and that of WebGPU with the CPU's, and counts what came of it. */
function judge(call, right, { cpu, webgpu }, outcome) {
  const { op, dtype, source, reduce, index } = call;
  for (const name of [op, dtype]) outcome.drawn[name] = (outcome.drawn[name] ?? 0) + 1;
  if (right.meets && ['float32', 'int32'].includes(dtype)) outcome.meeting += 1;
  // What only moves elements keeps every bit, those of a NaN too.
  const payloads = op.startsWith('gather') || (op === 'scatter_' && !reduce && source.scalar === undefined);
  const fault = (device, problem) => {
    if (problem) outcome.failures[device].push({ id: describe(call), ...problem });
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

/** What is wrong with a result, `{ got, expected }`, or null. A call that is not in place has to leave self as it was. */
function wrong({ dtype, self }, got, right, payloads) {
  if (got.error) return { got: `${got.error.name}: ${got.error.message}`, expected: 'a result' };
  const [ours, theirs] = [got, right].map(({ shape }) => `shape [${shape}]`);
  if (ours !== theirs || got.dtype !== dtype) return { got: `${got.dtype} ${ours}`, expected: `${dtype} ${theirs}` };
  const found = difference(dtype, got.bytes, right.bytes, { payloads });
  const changed = !found && got.self && difference(dtype, got.self, self.bytes, { payloads: true });
  return found ?? (changed ? { got: `self changed, ${changed.got}`, expected: changed.expected } : null);
}

/** The call in words, for whoever has to repeat it. */
function describe({ n, op, dtype, self, index, source, dim, reduce, axis, act, computed }) {
  const shape = (tensor) => tensor && (tensor.shape ? `${tensor.dtype}[${tensor.shape}]` : `${String(tensor.scalar)}`);
  const facts = { dim, reduce, axis, act, index: shape(index), source: source === self ? 'self' : shape(source), computed };
  const given = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return `call ${n}: ${op} on ${dtype}[${self.shape}]${given.map(([name, fact]) => ` ${name}=${fact}`).join('')}`;
}
