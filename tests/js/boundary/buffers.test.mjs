// Buffers that go away, change their size, belong to several threads or are larger than the library's memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertTyped, assertWorks, assertWritable, attempt, detach, load, typed } from './package.mjs';

const lib = await load();
const { Tensor, IndexPlan } = lib;
const canResize = 'resize' in ArrayBuffer.prototype;
const canGrow = 'grow' in SharedArrayBuffer.prototype;
/** Options of a test that needs a kind of buffer: it is skipped where the engine has none. */
const onlyIf = (isSupported) => ({ skip: isSupported ? false : 'this engine has no such buffers' });

/** The error of a call that returns a promise, whether it throws or its promise rejects; null where it succeeds. */
const errorOf = async (run) => {
  const { value, error } = attempt(run);
  return error ?? value.then(() => null, (late) => late);
};
const kinds = [Float32Array, Int8Array, Uint8ClampedArray, BigInt64Array, Float64Array, DataView, ArrayBuffer];
/** The view of that kind over a buffer, or the buffer itself. */
const make = (Kind, buffer) => (Kind === ArrayBuffer ? buffer : new Kind(buffer));
/** Options of a tensor of such data: a DataView and an ArrayBuffer do not tell a dtype. */
const optionsOf = (Kind) => (Kind === DataView || Kind === ArrayBuffer ? { dtype: 'uint8' } : {});

test('detached before the call', () => {
  for (const Kind of kinds) {
    const array = make(Kind, new ArrayBuffer(16));
    detach(array);
    typed(() => new Tensor(array, optionsOf(Kind)), { op: 'Tensor' }, Kind.name);
  }
  for (const call of [
    (array) => new Tensor([1, 2]).gather(0, array),
    (array) => new Tensor([1, 2]).mul(array),
    (array) => new Tensor([1, 2]).scatter_(0, [0, 1], array),
    (array) => IndexPlan.along([2], 0, array),
    (array) => new Tensor([1, 2]).data_sync({ out: array }),
    (array, file) => Tensor.from_npy(file),
  ]) {
    const array = new Int32Array(2);
    const file = new Uint8Array(array.buffer); // over the same buffer: detached with it
    detach(array);
    const { error, threw } = attempt(() => call(array, file));
    assert.ok(threw, String(call));
    assertTyped(error, {}, String(call));
  }
  assertWorks(lib);
});

test('detached while the call reads its options', async () => {
  for (const Kind of kinds) {
    const array = make(Kind, new ArrayBuffer(16));
    const options = { ...optionsOf(Kind), get name() { if (array.byteLength) detach(array); return 'n'; } };
    const { value, error, threw } = attempt(() => new Tensor(array, options));
    // Both are right: to refuse it, or to have taken the values before.
    if (threw) assertTyped(error, {}, Kind.name);
    else assert.ok(value.size > 0);
  }
  const t = new Tensor([1, 2, 3]);
  const out = new Float32Array(3);
  const error = await errorOf(() => t.data({ get out() { detach(out); return out; } }));
  assertTyped(error);
  assertWritable(t);
});

test('an out that is detached while data() is under way', async () => {
  const t = new Tensor([1, 2, 3]);
  const out = new Float32Array(3);
  const promise = t.data({ out });
  detach(out);
  const outcome = await promise.catch((error) => error);
  if (outcome !== out) assertTyped(outcome);
  assertWritable(t);
});

test('resizable buffers', onlyIf(canResize), () => {
  const buffer = new ArrayBuffer(16, { maxByteLength: 64 });
  const [tracking, fixed] = [new Int32Array(buffer), new Int32Array(buffer, 8, 2)];
  tracking.set([1, 2, 3, 4]);
  assert.deepEqual([...new Tensor(tracking).data_sync()], [1, 2, 3, 4]);
  buffer.resize(32);
  assert.equal(new Tensor(tracking).size, 8);
  buffer.resize(8);
  assert.equal(new Tensor(tracking).size, 2);
  typed(() => new Tensor(fixed), {}, 'an array beyond the end of its buffer');
  typed(() => new Tensor([1, 2]).gather(0, fixed));
  // The buffer shrinks while the options are read, after the length of the array was.
  buffer.resize(16);
  const { value, error, threw } = attempt(() => new Tensor(tracking, { shape: [4], get name() { buffer.resize(4); return ''; } }));
  if (threw) assertTyped(error);
  else assert.equal(value.size, 4);
  const t = new Tensor(Int32Array.of(1, 2));
  buffer.resize(8);
  const refused = attempt(() => t.data_sync({ get out() { buffer.resize(4); return tracking; } }));
  assertTyped(refused.error);
  assertWritable(t);
});

test('shared buffers, and those that grow', onlyIf(canGrow), () => {
  const shared = new Int32Array(new SharedArrayBuffer(16));
  shared.set([1, 2, 3, 4]);
  assert.deepEqual([...new Tensor(shared).data_sync()], [1, 2, 3, 4]);
  assert.deepEqual([...new Tensor([5, 6, 7, 8, 9]).gather(0, shared).data_sync()], [6, 7, 8, 9]);
  const t = new Tensor(Int32Array.of(9, 8, 7, 6));
  assert.equal(t.data_sync({ out: shared }), shared);
  assert.deepEqual([...shared], [9, 8, 7, 6]);
  const buffer = new SharedArrayBuffer(16, { maxByteLength: 64 });
  const tracking = new Int32Array(buffer);
  const { value, error, threw } = attempt(() => new Tensor(tracking, { shape: [4], get name() { buffer.grow(32); return ''; } }));
  if (threw) assertTyped(error);
  else assert.equal(value.size, 4);
  assert.equal(new Tensor(tracking).size, 8);
});

test('arrays larger than the memory', (t) => {
  const huge = attempt(() => new Uint8Array(2 ** 32));
  if (huge.threw) return t.skip('this machine has no room for 4 GiB');
  const { value } = huge;
  typed(() => new Tensor(value), {}, 'data of 4 GiB');
  typed(() => new Tensor(value.buffer, { dtype: 'float32' }), {}, 'a buffer of 4 GiB');
  typed(() => new Tensor([1]).gather(0, value), {}, 'an index of 4 GiB');
  typed(() => new Tensor([1]).data_sync({ out: value }), {}, 'an out of 4 GiB');
  typed(() => Tensor.from_npy(value), {}, 'a file of 4 GiB');
  typed(() => new Tensor(new Array(2 ** 32 - 1)), {}, 'an array of 4 G holes');
  assertWorks(lib);
});
