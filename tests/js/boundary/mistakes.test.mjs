// Common mistakes: each gets an error that suggests the right call, or simply works.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { assertTyped, load, typed } from './package.mjs';

const { IndexPlan, IndexError, Parameter, RuntimeError, Tensor, bincount, elementwise_mul, histogram, histogramdd, memory, scatter_mul, scatter_max, scatter_sub, trace } = await load();
const values = (t) => [...t.data_sync()];

test('sizes that are no array', () => {
  for (const [name, call] of Object.entries({ zeros: () => Tensor.zeros(2, 3), ones: () => Tensor.ones(2), full: () => Tensor.full(2, 7) })) {
    typed(call, { op: `Tensor.${name}`, message: /\[2/ }, name);
  }
  typed(() => new Tensor([1, 2]).reshape(1, 2), { op: 'Tensor.reshape', argument: 'shape' });
});

test('reshape finds the size that is -1', () => {
  const t = Tensor.arange(12);
  assert.deepEqual(t.reshape([-1]).shape, [12]);
  assert.deepEqual(t.reshape([3, -1]).shape, [3, 4]);
  assert.deepEqual(t.reshape([2, -1, 3]).shape, [2, 2, 3]);
  assert.deepEqual(values(t.reshape([-1, 6])), values(t));
  for (const shape of [[-1, -1], [5, -1], [-2, 6], [0, -1], [-1.5]]) typed(() => t.reshape(shape), { op: 'Tensor.reshape' }, String(shape));
});

test('rows that are typed arrays', () => {
  const t = new Tensor([Float32Array.of(1, 2), Float32Array.of(3, 4)]);
  assert.deepEqual([t.shape, t.dtype, ...values(t)], [[2, 2], 'float32', 1, 2, 3, 4]);
  assert.deepEqual(new Tensor([[Int8Array.of(1)], [Int8Array.of(2)]]).shape, [2, 1, 1]);
  typed(() => new Tensor([Float32Array.of(1, 2), Float32Array.of(3)]), { op: 'Tensor' });
  assert.deepEqual(values(new Tensor([[1, 2], [3, 4]]).gather(1, [Int32Array.of(1), Int32Array.of(0)])), [2, 3]);
  const half = new Tensor([Uint16Array.of(0x3f80)], { dtype: 'bfloat16' });
  assert.deepEqual([...half.astype('float32').data_sync()], [1], 'the bits of a half, as in a flat array');
  assert.deepEqual([...new Tensor([Uint8Array.of(0, 7)], { dtype: 'bool' }).data_sync()], [0, 1]);
  for (const rows of [[[1], Int8Array.of(1)], [Int8Array.of(1), [1]], [Int8Array.of(1), Uint8Array.of(1)]]) {
    typed(() => new Tensor(rows), { code: 'ragged-data', position: [1], message: /rows are all plain arrays, or typed arrays of one kind/ });
  }
  assert.deepEqual(typed(() => new Tensor([Int16Array.of(1, 400)], { dtype: 'int8', shape: [2, 1] })).position, [0, 1]);
});

test('objects that pass for a buffer', () => {
  for (const [name, data] of Object.entries({
    'a Proxy': new Proxy(new ArrayBuffer(8), {}),
    'a tag': { [Symbol.toStringTag]: 'ArrayBuffer', length: 4 },
    'a getter that throws': { [Symbol.toStringTag]: 'ArrayBuffer', get length() { throw new Error('mine'); } },
  })) {
    typed(() => new Tensor(data, { dtype: 'float32' }), { argument: 'data', message: /must be a Tensor, an array/ }, name);
  }
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  assert.equal(new Tensor(buffer, { dtype: 'uint8' }).size, 65536, 'shared memory is one');
});

test('options without a prototype, and of another realm', () => {
  /** The result of an addition with one index value in range and one out of range, which `mode: 'drop'` leaves out. */
  const addTwo = (options) => [...new Tensor([1, 2]).scatter_add([[0], [9]], [5, 5], options).data_sync()];
  assert.deepEqual(addTwo(Object.assign(Object.create(null), { mode: 'drop' })), [6, 2]);
  assert.deepEqual(addTwo(runInNewContext("({ mode: 'drop' })")), [6, 2]);
});

test('arguments that would be ignored, and numbers that stand for something else', () => {
  typed(() => elementwise_mul([-1], [1], { axis: 0 }, 'relu'), { argument: 'act' });
  typed(() => elementwise_mul([-1], [1], {}, undefined, 'out'), { argument: 'name' });
  assert.deepEqual(values(elementwise_mul([-1], [1], { axis: 0 }, null, null)), [-1], 'null stands for the default');
  assert.equal(typed(() => elementwise_mul([1], [1], { act: 'Relu' })).message, "elementwise_mul: act is 'Relu'; there is no such activation: did you mean 'relu'?");
  const t = new Tensor([[10, 30, 20], [60, 40, 50]]);
  for (const dim of [254, 255]) typed(() => t.take_along_dim([[1]], dim), { argument: 'dim' }, String(dim));
  typed(() => t.gather_nd([[0]], { batch_dims: 2 ** 33 }), { argument: 'batch_dims', value: 2 ** 33 });
  assert.match(typed(() => t.reshape([-1, -1])).message, /only one size may be -1/);
  assert.match(typed(() => t.scatter_reduce(0, [[0]], [[1]])).message, /reduce is missing; it must be 'sum' or 'prod'/);
  typed(() => bincount([300000000]), { argument: 'x', code: 'invalid-argument' });
  typed(() => bincount([1], { minlength: 300000000 }), { argument: 'minlength', code: 'invalid-argument' });
  typed(() => Tensor.arange(5, 5, 0, { lod: [[0, 0]] }), { argument: 'step' });
});

test('more entries than 32 bits count are refused, and nothing is written', () => {
  const t = Tensor.zeros([1 << 20, 3], { dtype: 'uint8' });
  const index = new Tensor(new Int32Array(5000));
  for (const call of [() => t.index_fill_(1, index, 7), () => t.index_fill(1, index, 7)]) {
    typed(call, { code: 'invalid-shape', argument: 'index', message: /5000 entries, for each of 1048576 places/ });
  }
  assert.ok(t.data_sync().every((value) => value === 0));
  for (const each of [t, index]) each.dispose();
});

test('a histogram that is refused keeps nothing', () => {
  const x = Tensor.zeros([4, 2]);
  const [edges, gone] = [new Float64Array(1000).map((_, at) => at), new Tensor([0, 1])];
  gone.dispose();
  const before = memory();
  typed(() => histogramdd(x, { bins: [edges, gone] }), { code: 'disposed', argument: 'bins' });
  typed(() => histogramdd(x, { bins: [edges, edges], weights: gone }), { code: 'disposed', argument: 'weights' });
  assert.deepEqual(memory(), before);
});

test('a maximum with its winners that is refused keeps nothing', () => {
  const t = Tensor.zeros([2, 2]);
  const before = memory();
  typed(() => t.scatter_reduce(0, [[0, 2]], [[1, 1]], 'amax', { return_indices: true }), { code: 'index-out-of-range', argument: 'index' });
  typed(() => t.scatter_reduce(0, [[0, 1]], [1, 1], 'amin', { return_indices: true }), { code: 'rank-mismatch' });
  assert.deepEqual(memory(), before);
});

test('an index with a fraction or NaN in it', () => {
  const t = new Tensor([[1, 2], [3, 4]]);
  const cases = [
    [[[0, 1], [0.5, 0]], [1, 0], 0.5],
    [[[0, NaN]], [0, 1], NaN],
    [[[0, Infinity]], [0, 1], Infinity],
  ];
  for (const [index, position, value] of cases) {
    const error = typed(() => t.gather(1, index), { argument: 'index', position }, String(value));
    assert.equal(String(error.value), String(value));
    typed(() => t.scatter_(1, index, 7), { argument: 'index', position });
  }
  assert.deepEqual(values(t), [1, 2, 3, 4]);
});

test('methods without their object', () => {
  const { gather, scatter_, mul, data_sync, dispose, toString } = Tensor.prototype;
  typed(() => gather(0, [0]), { op: 'Tensor.gather', message: /called without its tensor: call tensor\.gather\(/ });
  for (const call of [() => scatter_(0, [0], 1), () => mul(2), () => data_sync(), () => dispose(), () => toString()]) typed(call, {}, String(call));
  const { ready } = IndexPlan.prototype;
  return Promise.resolve()
    .then(() => ready())
    .then(() => assert.fail('ready() without a plan'), (error) => assertTyped(error));
});

test('numbers that the dtype has no room for', () => {
  const t = new Tensor([1, 2]);
  for (const [call, op] of [[() => t.mul(1e39), 'Tensor.mul'], [() => t.mul_(-1e39), 'Tensor.mul_'], [() => t.scatter_(0, [0], 1e39), 'Tensor.scatter_'], [() => scatter_mul(t, [0], 1e39), 'scatter_mul']]) {
    assert.ok(typed(call, { code: 'value-overflow', op }) instanceof RuntimeError);
  }
  assert.deepEqual(values(t), [1, 2]);
  assert.deepEqual(values(t.mul(Infinity)), [Infinity, Infinity], 'infinities are numbers of float32');
  typed(() => Tensor.full([2], 256, { dtype: 'uint8' }), { code: 'value-overflow', op: 'Tensor.full' });
  typed(() => Tensor.full([2], NaN, { dtype: 'int32' }), { code: 'value-overflow', op: 'Tensor.full' });
});

test('bigints beyond 64 bits', () => {
  for (const [big, nearest] of [[2n ** 70n, 2 ** 70], [-(2n ** 70n), -(2 ** 70)], [-(2n ** 64n), -(2 ** 64)]]) {
    // Where they are taken for a float they are the nearest one; an integer dtype refuses them.
    for (const make of [() => new Tensor([0]).scatter_(0, [0], big), () => Tensor.full([1], big)]) {
      try {
        assert.deepEqual(values(make()), [nearest], String(big));
      } catch (error) {
        if (error.code === 'ERR_ASSERTION') throw error;
        assertTyped(error, {}, String(big));
      }
    }
    typed(() => Tensor.full([1], big, { dtype: 'int64' }), {}, `${big} as int64`);
    typed(() => new Tensor([big]), {}, `[${big}]`);
    typed(() => new Tensor([0n]).scatter_(0, [0], big), {}, `${big} into int64`);
  }
  assert.deepEqual(values(Tensor.full([1], 2n ** 64n - 1n, { dtype: 'uint64' })), [2n ** 64n - 1n]);
  assert.deepEqual(values(Tensor.full([1], -(2n ** 63n), { dtype: 'int64' })), [-(2n ** 63n)]);
});

test('index values that are far out are told as they were given', () => {
  const t = new Tensor([1, 2, 3]);
  /** Asserts that an index entry is refused at its position, and that the error has it as `text`. */
  const assertTold = (entry, text) => {
    for (const call of [() => t.gather(0, [0, entry]), () => t.scatter_(0, [0, entry], 1), () => IndexPlan.along([3], 0, [0, entry])]) {
      const error = typed(call, { position: [1] }, String(entry));
      assert.equal(String(error.value), text, String(call));
      assert.ok(error.message.includes(text), error.message);
    }
  };
  assertTold(2 ** 31, '2147483648');
  assertTold(-(2 ** 40), '-1099511627776');
  assertTold(9007199254740993n, '9007199254740993');
  assertTold(-(2n ** 63n), '-9223372036854775808');
  assertTold(2n ** 64n - 1n, '18446744073709551615');
  assertTold(1e300, '1e+300');
  const { value } = typed(() => t.gather(0, [5]));
  assert.equal(value, 5, 'what a number can hold is a number');
  assert.ok(typed(() => t.gather(0, [5])) instanceof IndexError);
});

test('what is asked of the wrong thing', () => {
  const t = new Tensor([1, 2]);
  typed(() => t.scatter_(0, [0], 1, 'add'), { op: 'Tensor.scatter_', argument: 'options' });
  typed(() => t.scatter_(0, [0]), { code: 'missing-argument' });
  typed(() => t.scatter_(), { op: 'Tensor.scatter_' });
  typed(() => t.gather([0]), { op: 'Tensor.gather' });
  typed(() => t.mul(), { op: 'Tensor.mul' });
  typed(() => t.mul('2'), { op: 'Tensor.mul', argument: 'other' });
  typed(() => t.astype('float'), { op: 'Tensor.astype' });
  typed(() => t.astype('constructor'), { op: 'Tensor.astype' });
  typed(() => new Tensor(), { op: 'Tensor' });
  typed(() => new Tensor('[1, 2]'), { op: 'Tensor' });
  typed(() => new Tensor({ 0: 1, length: 1 }), { op: 'Tensor' });
  typed(() => new Tensor([1], 'int32'), { op: 'Tensor', argument: 'options' });
  typed(() => new Tensor([1], { dtype: 'int' }), { op: 'Tensor' });
  typed(() => new Tensor(new ArrayBuffer(8)), { op: 'Tensor' });
  typed(() => elementwise_mul(t), { op: 'elementwise_mul' });
  typed(() => elementwise_mul(t, t, { act: 'relu7' }), { op: 'elementwise_mul' });
  typed(() => elementwise_mul(t, t, { act: '__proto__' }), { op: 'elementwise_mul' });
  typed(() => scatter_mul([1, 2], [0], 2), { op: 'scatter_mul' });
  typed(() => trace('scatter', t, 0, [0], 1), { op: 'trace' });
  typed(() => new IndexPlan([2], 0, [0]));
  assert.equal(new Parameter([1], { name: 'p' }).name, 'p');
});

test('sizes that do not broadcast are refused by take_along_dim', () => {
  const t = Tensor.arange(15).reshape([5, 3]);
  for (const [index, dim, at] of [[[[0], [1], [2]], 1, 0], [[[0, 1], [1, 2]], 0, 1], [Tensor.zeros([0, 2], { dtype: 'int32' }), 1, 0]]) {
    assert.throws(() => t.take_along_dim(index, dim), { code: 'shape-mismatch', argument: 'index', dim: at });
  }
  assert.deepEqual(t.take_along_dim([[2]], 1).shape, [5, 1]);
  assert.deepEqual(Tensor.zeros([1, 3]).take_along_dim([[0], [2]], 1).shape, [2, 1]);
});

test('updates of more than eight dimensions are subtracted, and multiplied by alpha', async () => {
  const ones = Array(9).fill(1);
  const rows = Tensor.zeros(ones, { dtype: 'int32' });
  assert.deepEqual(await scatter_sub(new Tensor([5]), rows, Tensor.ones(ones)).tolist(), [4]);
  const plan = IndexPlan.nd([1], Tensor.zeros([...ones, 1], { dtype: 'int32' }));
  assert.deepEqual(await new Tensor([5]).index_add(plan, Tensor.ones(ones), { alpha: 2 }).tolist(), [7]);
});

test('options that would be ignored are refused', () => {
  const t = new Tensor([1, 2]);
  for (const call of [() => scatter_mul(t, [5], 2, { sum: 'exact' }), () => scatter_sub(t, [5], 2, { reduce: 'add' }), () => scatter_max(t, [5], 2, { include_self: true }), () => t.mul(2, { act: 'relu' }), () => t.mul_(2, {})]) {
    assert.throws(call, { name: 'TypeError', code: 'unknown-option', argument: 'options' });
  }
  assert.throws(() => Tensor.arange(5, { dtype: 'int32' }), { code: 'invalid-argument', message: /Tensor\.arange\(0, 5, 1, \{ dtype \}\)/ });
});

test('errors of counts name the argument at fault', () => {
  assert.throws(() => bincount([1], { minlength: 1e9 }), { argument: 'minlength', value: 1e9 });
  assert.throws(() => bincount([5, 1e9]), { argument: 'x', value: 1e9 });
  assert.throws(() => bincount(BigUint64Array.of(2n ** 64n - 1n)), { argument: 'x', value: '18446744073709551615' });
  const sample = [[1, 2], [3, 4]];
  assert.throws(() => histogramdd(sample, { bins: 2, range: [[0, 1]] }), { argument: 'range', message: /1 entries, and sample 2 columns/ });
  assert.throws(() => histogramdd(sample, { bins: 2, range: [0, 1] }), { argument: 'range', message: /a range for each column/ });
  assert.throws(() => histogram([1, 2], { bins: 2, range: [0, 1e300] }), { argument: 'range', message: /ends beyond the largest float32/ });
});
