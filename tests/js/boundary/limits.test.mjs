// Values that are too large for a dtype, a list or a text, and properties that a page may have put where options are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, typed } from './package.mjs';

const lib = await load();
const { Tensor, IndexPlan } = lib;

test('typed rows count for the rank, wherever arrays are taken', () => {
  const nested = (row, levels) => Array.from({ length: levels }).reduce((inner) => [inner], row);
  const before = [...Array(8)].map((_, k) => Tensor.full([4096], k));
  const [row, index] = [new Float32Array(100_000).fill(7), new Int32Array(100_000)];
  const facts = { code: 'rank-limit', message: /nested more than 32 deep/ };
  typed(() => new Tensor(nested(row, 32)), facts);
  typed(() => Tensor.zeros([1]).scatter_add_(0, nested(index, 32), 1), facts);
  typed(() => Tensor.zeros([1]).mul(nested(row, 32)), facts);
  assert.deepEqual(new Tensor(nested(row, 31)).shape, [...Array(31).fill(1), 100_000]);
  before.forEach((t, k) => assert.ok(t.data_sync().every((value) => value === k), 'other tensors are as they were'));
});

test('an index value beyond int64 is not wrapped, and nothing is written', () => {
  const t = Tensor.zeros([10], { dtype: 'int32' });
  const wrap = { mode: 'wrap' };
  const huge = BigUint64Array.of(1n, 2n ** 64n - 1n);
  const facts = { code: 'index-out-of-range', value: '18446744073709551615', position: [1] };
  typed(() => t.scatter_add_(0, huge, 1, wrap), facts);
  typed(() => t.gather(0, huge, wrap), facts);
  typed(() => t.take_along_dim(huge, 0, wrap), facts);
  typed(() => IndexPlan.along([10], 0, huge, wrap), facts);
  typed(() => t.gather_nd([[0], [-(2 ** 64)]], wrap), { code: 'index-out-of-range', value: -(2 ** 64), position: [1, 0] });
  // Methods of a class of the caller's are not called.
  const Own = class extends BigUint64Array {};
  for (const name of ['findIndex', 'every', 'some']) Own.prototype[name] = () => assert.fail(`${name} was called`);
  typed(() => t.gather(0, Own.of(3n, 2n ** 63n), wrap), { value: '9223372036854775808', position: [1] });
  assert.ok(t.data_sync().every((value) => value === 0));
  // The ends of int64 are wrapped exactly: 2^63 - 1 is 7 modulo 10, and -2^63 is 2.
  assert.deepEqual([...t.scatter_add_(0, BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n)), 1, wrap).data_sync()], [0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
  // The other modes need no value: it is cut to an end, or dropped.
  assert.deepEqual([...Tensor.arange(3).gather(0, huge, { mode: 'clip' }).data_sync()], [1, 2]);
  assert.deepEqual([...Tensor.arange(3).gather(0, huge, { mode: 'drop', fill_value: 7 }).data_sync()], [1, 7]);
});

test('counts and lengths beyond int64 are named as they were given', () => {
  typed(() => lib.bincount([2n ** 63n]), { value: '9223372036854775808' });
  typed(() => lib.bincount([1e300]), { value: 1e300, message: /1e\+300/ });
  typed(() => lib.segment_reduce([1], 'sum', { lengths: [2n ** 64n - 1n] }), { value: '18446744073709551615', position: [0] });
});

test('a value that does not fit is named with its place', () => {
  typed(() => new Tensor([[1, 2], [300, 4]], { dtype: 'int8' }), { code: 'value-overflow', position: [1, 0], message: /data\[1, 0\] is 300/ });
  typed(() => new Tensor([[1], [2n ** 70n]]), { code: 'invalid-argument', position: [1, 0] });
});

test('text and lists of more values than an engine can hold', () => {
  const many = Tensor.ones(Array(27).fill(2), { dtype: 'int8' });
  assert.match(String(many), /^Tensor\(shape=\[2, 2, .*\], dtype=int8, device=cpu\)$/);
  typed(() => many.toJSON(), { code: 'out-of-memory', message: /data\(\)/ });
  many.dispose();
});

test('shapes of results and of indices that are too large', () => {
  typed(() => Tensor.zeros([65535, 1]).mul(Tensor.zeros([1, 65535])), { code: 'invalid-shape', argument: undefined });
  typed(() => Tensor.zeros([2]).gather(0, new Array(2 ** 32 - 1)), { code: 'invalid-shape', argument: 'index' });
  typed(() => Tensor.zeros([0, 65536, 65536]), { code: 'invalid-shape', message: /at most 268435455 \(sizes of 0 do not count\)/ });
});

test('the option shape of constructors that have a size of their own', () => {
  assert.deepEqual(Tensor.full([4], 3, { shape: [2, 2] }).shape, [2, 2]);
  assert.deepEqual([...Tensor.arange(6, undefined, undefined, { shape: [2, 3] }).gather(0, [[1, 1, 1]]).data_sync()], [3, 4, 5]);
  typed(() => Tensor.zeros([2], { shape: [3] }), { code: 'shape-mismatch', op: 'Tensor.zeros' });
  typed(() => Tensor.arange(6, undefined, undefined, { shape: [7] }), { code: 'shape-mismatch', op: 'Tensor.arange' });
  typed(() => new Tensor(new Tensor([1, 2]), { shape: [3] }), { code: 'shape-mismatch', op: 'Tensor' });
});

test('arange of integers beyond 2^53', () => {
  const arange = (...all) => [...Tensor.arange(...all).data_sync()];
  assert.deepEqual(arange(2 ** 53, 2 ** 53 + 4, 1, { dtype: 'int64' }), [0n, 1n, 2n, 3n].map((k) => 2n ** 53n + k));
  assert.deepEqual(arange(2 ** 64 - 4096, 2 ** 64, 2048, { dtype: 'uint64' }), [2n ** 64n - 4096n, 2n ** 64n - 2048n]);
  assert.deepEqual(arange(-(2 ** 63), -(2 ** 63) + 2048, 1023, { dtype: 'int64' }), [0n, 1023n, 2046n].map((k) => k - 2n ** 63n));
  typed(() => arange(2 ** 64, 2 ** 64 + 4096, 4096, { dtype: 'uint64' }), { code: 'value-overflow', argument: 'start' });
  typed(() => arange(0, 300, 100, { dtype: 'int8' }), { code: 'value-overflow', argument: 'stop', value: 200 });
});

test('options are not read from prototypes where none were given', () => {
  const names = ['dtype', 'shape', 'mode', 'reduce', 'bins', 'minlength', 'include_self', 'device', 'name', 'lod'];
  for (const name of names) Object.prototype[name] = 'x';
  try {
    assert.equal(new Tensor([300]).dtype, 'float32');
    assert.equal(Tensor.zeros([2]).dtype, 'float32');
    assert.deepEqual([...new Tensor([1, 2]).scatter_reduce(0, [1], [1], 'sum').data_sync()], [1, 3]);
    assert.deepEqual([...lib.bincount([1]).data_sync()], [0n, 1n]);
    assert.equal(lib.histogram([1, 2]).hist.size, 10);
  } finally {
    for (const name of names) delete Object.prototype[name];
  }
});

test('a start by what is no binary is refused, and so is a call while memory is lent', async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const wasm of [5, 'initSync', {}]) typed(() => lib.initSync(wasm), { code: 'invalid-argument', argument: 'wasm' });
  typed(() => lib.initSync(proxy), { code: 'invalid-argument', op: 'initSync' });
  const startAgain = (wasm) => lib.init({ wasm }).then(() => assert.fail('it was not refused'), (error) => error);
  assert.equal((await startAgain(5)).code, 'invalid-argument');
  assert.equal((await startAgain(proxy)).code, 'wasm-not-found');
  const t = new Tensor([1]);
  for (const callback of [() => lib.set_device('cpu'), () => lib.warm_up(), () => lib.initSync(new Uint8Array(8))]) {
    typed(() => t.with_data(callback), { code: 'reentrant-call' });
  }
  for (const callback of [function* () {}, async function* () {}]) typed(() => t.with_data(callback), { argument: 'callback', message: /generator/ });
});

test('a plan of another copy of the library is named as that, also where a dim could stand', () => {
  const other = { get [Symbol.toStringTag]() { return 'IndexPlan'; } };
  typed(() => new Tensor([1]).gather(other), { argument: 'dim', message: /an IndexPlan of another copy/ });
  typed(() => new Tensor([1]).gather(new Tensor([1])), { argument: 'dim', message: /must be an integer, not a Tensor/ });
});
