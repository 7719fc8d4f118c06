// Exact sums from JavaScript on the CPU: the vectors, ExactSum, the gradients that are sums, traces.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as library from 'scatterwise';
import { outcomeOf } from '../../../src/js/verify/calls.js';
import { Numbers } from '../../../src/js/verify/numbers.js';
import { difference, typed, untyped } from '../calls/elements.js';
import { bytesOf } from '../../vectors/package/values.js';
import { operatorOf } from '../vectors.js';

const { ExactSum, init, IndexPlan, memory, Tensor, trace, vjp } = library;
await init({ device: 'cpu' });

const { cases } = JSON.parse(readFileSync(new URL('../../vectors/precise.json', import.meta.url), 'utf8'));

/** A recorded value with the bytes of its tensors. */
const withBytes = (value) => {
  if (Array.isArray(value)) return value.map(withBytes);
  return value?.dtype && value.shape ? { dtype: value.dtype, shape: value.shape, bytes: bytesOf(value) } : value;
};
const allWithBytes = (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, withBytes(value)]));

test('the vectors of precise.json', async () => {
  const wrong = [];
  for (const { id, op, self, args, kwargs, expect, also_accept = [] } of cases.filter(({ op }) => op !== 'ExactSum')) {
    const call = { op: operatorOf(op), self: withBytes(self), args: allWithBytes(args), options: allWithBytes(kwargs) };
    const { results, error } = await outcomeOf(library, call, 'cpu');
    if (expect.accept) {
      const classes = { TypeError, ...library };
      if (!expect.accept.some((name) => error instanceof classes[name])) wrong.push(`${id}: ${error}`);
      continue;
    }
    if (error) {
      wrong.push(`${id}: ${error}`);
      continue;
    }
    const expected = [expect, ...also_accept].map(({ outputs, ...one }) => (outputs ? [outputs.hist, outputs.edges].flat() : [one]));
    const found = expected.map((tensors) => tensors.map((tensor, at) => difference(tensor.dtype, results[at].bytes, bytesOf(tensor))).find(Boolean));
    if (found.every(Boolean)) wrong.push(`${id}: got ${found[0].got}, not ${found[0].expected}`);
  }
  assert.deepEqual(wrong, []);
});

/** All orders of a list. */
const orders = (list) => (list.length < 2 ? [list] : list.flatMap((first) => orders(list.filter((each) => each !== first)).map((rest) => [first, ...rest])));

test('the vectors of ExactSum, in every order, one part through its bytes', async () => {
  const recorded = cases.filter(({ op }) => op === 'ExactSum');
  for (const { id, args, kwargs, expect } of recorded) {
    const tensor = ({ dtype, shape, bytes }) => new Tensor(typed(dtype, bytes), { dtype, shape });
    const part = (number) => new ExactSum(kwargs.shape, { dtype: kwargs.dtype }).add(0, tensor(withBytes(args[`index${number}`])), tensor(withBytes(args[`src${number}`])));
    for (const order of orders([0, 1, 2])) {
      const [all, second, third] = order.map(part);
      all.merge(ExactSum.from_bytes(await second.to_bytes())).merge(third);
      for (const [name, wanted] of Object.entries(expect.outputs)) {
        const found = difference(wanted.dtype, untyped(all[name]().data_sync()), bytesOf(wanted));
        assert.equal(found, null, `${id} ${name} ${order}`);
      }
    }
  }
  assert.equal(recorded.length, 12);
});

test('any order, any chunks and any parts have the bytes and the bits of one call', async () => {
  const numbers = new Numbers(44);
  const below = (bound) => numbers.below(bound);
  for (const dtype of ['float16', 'bfloat16', 'float32', 'float64']) {
    for (let round = 0; round < 8; round++) {
      const places = 1 + below(9);
      const terms = Array.from({ length: 200 }, () => [below(places), (below(2) ? 1 : -1) * 2 ** (below(40) - 24) * (1 + numbers.below(65536) / 65536)]);
      const [index, src] = [(some) => Int32Array.from(some, ([place]) => place), (some) => new Tensor(some.map(([, value]) => value), { dtype })];
      const whole = new ExactSum([places], { dtype }).add(0, index(terms), src(terms));
      for (let at = terms.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [terms[at], terms[other]] = [terms[other], terms[at]];
      }
      const merged = new ExactSum([places], { dtype });
      for (let at = 0; at < terms.length; ) {
        const chunk = terms.slice(at, (at += 1 + below(60)));
        if (below(2)) merged.add(0, index(chunk), src(chunk));
        else merged.merge(ExactSum.from_bytes(await new ExactSum([places], { dtype }).add(0, index(chunk), src(chunk)).to_bytes()));
      }
      assert.deepEqual(await merged.to_bytes(), await whole.to_bytes());
      const inOneCall = Tensor.zeros([places], { dtype }).scatter_add(0, index(terms), src(terms), { sum: 'exact' });
      assert.deepEqual(untyped(inOneCall.data_sync()), untyped(merged.sum().data_sync()));
      assert.deepEqual(untyped(whole.merge(whole).mean().data_sync()), untyped(merged.mean().data_sync()), 'twice as many terms, the same mean');
    }
  }
});

test('ExactSum takes every form of an index', () => {
  const sums = new ExactSum([3]);
  sums.add(IndexPlan.along([3], 0, [0, 2]), 1.5).add([[0], [2]], [1, 2]).add(0, [-3, 7], 1, { mode: 'drop' }).add(0, [], []);
  assert.deepEqual(Array.from(sums.sum().data_sync()), [3.5, 0, 3.5]);
  assert.deepEqual(Array.from(sums.count().data_sync()), [3n, 0n, 2n]);
  assert.ok(Number.isNaN(sums.mean().data_sync()[1]));
  assert.deepEqual([sums.shape, sums.dtype, sums.device, String(sums)], [[3], 'float32', 'cpu', 'ExactSum(shape=[3], dtype=float32)']);
});

test('ExactSum says what is wrong before anything is added', async () => {
  const sums = new ExactSum([3]).add(0, [0], [1]);
  const bytes = await sums.to_bytes();
  const gone = new ExactSum([1]);
  gone.dispose();
  gone.dispose();
  const calls = {
    'TypeError unsupported-dtype': () => new ExactSum([2], { dtype: 'int32' }),
    'ValueError unknown-dtype': () => new ExactSum([2], { dtype: 'float' }),
    'RuntimeError device-unavailable': () => new ExactSum([2], { device: 'webgpu' }),
    'TypeError unknown-option': () => new ExactSum([2], { dtyp: 'float32' }),
    'TypeError dtype-mismatch': () => sums.merge(new ExactSum([3], { dtype: 'float64' })),
    'ValueError shape-mismatch': () => sums.merge(new ExactSum([2])),
    'IndexError index-out-of-range': () => sums.add(0, [0, 3], [1, 1]),
    'ValueError dim-out-of-range': () => sums.add(1, [0], [1]),
    'TypeError invalid-argument': () => sums.add(0, sums, [1]),
    'RuntimeError disposed': () => gone.sum(),
    'ValueError invalid-argument': () => ExactSum.from_bytes(bytes.slice(1)),
  };
  for (const [wanted, call] of Object.entries(calls)) {
    assert.throws(call, (error) => `${error.name} ${error.code}` === wanted || assert.fail(`${error.name} ${error.code}: ${error.message}`));
  }
  for (const value of [[1, 2], 'bytes', new Int8Array(40), undefined, Tensor.zeros([1])]) assert.throws(() => ExactSum.from_bytes(value), { name: 'TypeError' });
  await assert.rejects(() => gone.to_bytes(), { code: 'disposed' });
  assert.throws(() => ExactSum.prototype.sum.call({}), { name: 'TypeError' });
  assert.throws(() => Tensor.zeros([1]).scatter_add(0, sums, [1]), /is an ExactSum, where a Tensor is needed/);
  assert.deepEqual(await sums.to_bytes(), bytes);
});

test('sums without dimensions are one place, in every form', async () => {
  const total = () => new ExactSum([]);
  const chunk = Float32Array.of(1e8, 1, -1e8);
  const none = new Tensor(new Int32Array(0), { shape: [3, 0] });
  const calls = {
    'an index of 0 and -1': () => total().add(0, [0, -1, 0], chunk),
    'dim -1': () => total().add(-1, new Int32Array(3), chunk),
    'numbers': () => total().add(0, 0, 1e8).add(0, -1, 1).add(0, 0, -1e8),
    'tensors without dimensions': () => total().add(0, 0, new Tensor(1e8)).add(0, 0, new Tensor(1)).add(0, 0, new Tensor(-1e8)),
    'tuples of nothing': () => total().add([[], [], []], chunk),
    'an index plan of tuples': () => total().add(IndexPlan.nd([], none), chunk),
    'an index plan along a dim': () => total().add(IndexPlan.along([1], 0, [0, 0, 0]), chunk),
    'parts': () => total().add(0, [0, 0], chunk.subarray(0, 2)).merge(total().add(0, [0, 5, 0], [-1e8, 9, 0], { mode: 'drop' }).add(0, [], [])),
  };
  for (const [what, call] of Object.entries(calls)) {
    const sums = call();
    assert.equal(await sums.sum().item(), 1, what);
    assert.deepEqual(sums.sum().shape, [], what);
  }
  assert.equal(await total().add(none, 2).count().item(), 3n);
  assert.equal(await ExactSum.from_bytes(await total().add(0, 0, 5).to_bytes()).mean().item(), 5);
  for (const [call, code] of [[() => total().add(0, [0, 1], 1), 'index-out-of-range'], [() => total().add(1, [0], 1), 'dim-out-of-range'], [() => total().add(0, [[0]], 1), 'rank-mismatch']]) {
    assert.throws(call, { code });
  }
});

test('terms are not rounded: a typed array of another dtype is refused, a plain one becomes the dtype', async () => {
  const typed = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint8: Uint8Array, uint16: Uint16Array };
  for (const dtype of ['float16', 'bfloat16', 'float32', 'float64']) {
    const sums = new ExactSum([1], { dtype });
    for (const [own, TypedArray] of Object.entries(typed)) {
      if (own === dtype || (own === 'uint16' && /16/.test(dtype))) continue; // a Uint16Array may hold the bits of a half type
      assert.throws(() => sums.add(0, [0], TypedArray.of(1)), { name: 'TypeError', code: 'dtype-mismatch', argument: 'src' }, `${own} to ${dtype}`);
      assert.throws(() => sums.add([[0]], new TypedArray(0)), { code: 'dtype-mismatch' });
    }
    assert.equal(await sums.add(0, [0], [0.5]).sum().item(), 0.5);
  }
  assert.equal(await new ExactSum([], { dtype: 'bfloat16' }).add(0, [0], Uint16Array.of(0x3f80)).sum().item(), 1);
});

test('bytes come in each form in which files do', async () => {
  const bytes = await new ExactSum([2]).add(0, [1], [7]).to_bytes();
  const { buffer } = bytes.slice();
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 3), 3);
  shared.set(bytes);
  for (const form of [bytes, buffer, shared, Buffer.from(bytes)]) assert.deepEqual([...ExactSum.from_bytes(form).sum().data_sync()], [0, 7]);
});

test('bytes that were changed are refused, or are those of other sums', async () => {
  const numbers = new Numbers(5);
  const bytes = await new ExactSum([2, 2]).add([[0, 0], [1, 1], [1, 1]], new Float32Array([1e30, -3, Infinity])).to_bytes();
  for (let round = 0; round < 3000; round++) {
    const spoiled = bytes.slice(0, numbers.once(10) ? numbers.below(bytes.length) : bytes.length);
    if (spoiled.length > 0) spoiled[numbers.below(spoiled.length)] = numbers.below(256);
    let read;
    try {
      read = ExactSum.from_bytes(spoiled);
    } catch (error) {
      assert.ok(error instanceof library.ValueError, `${error}`);
      continue;
    }
    assert.deepEqual(await read.to_bytes(), spoiled);
    read.dispose();
  }
});

test('memory() counts an ExactSum like a tensor, until it is disposed of', () => {
  const before = memory();
  const sums = new ExactSum([1000]);
  assert.equal(memory().tensors, before.tensors + 1);
  assert.ok(memory().cpu_bytes >= before.cpu_bytes + 16_000);
  sums.dispose();
  assert.deepEqual([memory().tensors, memory().cpu_bytes], [before.tensors, before.cpu_bytes]);
});

const HARD = new Float32Array([1e8, 1, -1e8]);

test('gradients that are sums take the option', () => {
  const gradient = (...args) => Array.from(vjp(...args).self.data_sync());
  assert.deepEqual(gradient('gather', HARD, Tensor.zeros([1]), 0, [0, 0, 0]), [0]);
  assert.deepEqual(gradient('gather', HARD, Tensor.zeros([1]), 0, [0, 0, 0], { sum: 'exact' }), [1]);
  assert.deepEqual(gradient('gather', HARD, Tensor.zeros([1]), 0, [0, 0, 1], { mode: 'clip', sum: 'exact' }), [1]);
  const ones = Tensor.ones([2, 3]);
  const cotangent = new Tensor([HARD, HARD].flatMap((row) => [...row]), { dtype: 'float32', shape: [2, 3] });
  assert.deepEqual(Array.from(vjp('mul', cotangent, ones, [[1]], { sum: 'exact' }).y.data_sync()), [2], 'over both dimensions in one rounding');
  assert.deepEqual(Array.from(vjp('elementwise_mul', cotangent, ones, [1, 1], { axis: 0, sum: 'exact' }).y.data_sync()), [1, 1]);
  assert.deepEqual(gradient('scatter_add', [5], [1], 0, [0], [1], { sum: 'exact' }), [5]);
  assert.throws(() => gradient('gather', HARD, Tensor.zeros([1]), 0, [0, 0, 0], { sum: 'precise' }), { name: 'ValueError' });
});

test('a trace of an exact sum shows each sum so far, rounded once', () => {
  const { steps, result } = trace('scatter_add', Tensor.zeros([1]), 0, [0, 0, 0], HARD, { sum: 'exact' });
  assert.deepEqual(steps.map(({ before, operand, after }) => [before, operand, after]), [
    [0, 1e8, 1e8],
    [1e8, 1, 1e8],
    [1e8, -1e8, 1],
  ]);
  assert.deepEqual(Array.from(result.data_sync()), [1]);
  const mean = trace('scatter_reduce', Tensor.zeros([1]), 0, [0, 0, 0], HARD, 'mean', { sum: 'exact' });
  assert.deepEqual(Array.from(mean.result.data_sync()), [0.25]);
});
