// The operators on slices: a number as the source, and scalars.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { IndexPlan, init, Tensor, trace, vjp } from 'scatterwise';

before(() => init({ device: 'cpu' }));

const dtypes = ['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'bfloat16', 'float32', 'float64'];
const valueOf = (tensor) => tensor.data_sync()[0];
const equal = (one, other, message) => assert.deepEqual([one.dtype, one.shape, one.data_sync()], [other.dtype, other.shape, other.data_sync()], message);

test('a number is the source of every slice', () => {
  for (const dtype of dtypes) {
    const t = Tensor.ones([3, 2], { dtype });
    const numbers = dtype === 'bool' ? [true, 1] : dtype.endsWith('64') && dtype !== 'float64' ? [3n, 3] : [3, 3n, true];
    for (const number of numbers) {
      for (const [dim, index] of [[0, [2, 0, 2]], [1, [-1]], [0, []]]) {
        const shape = dim === 0 ? [index.length, 2] : [3, 1];
        const full = Tensor.full(shape, number, { dtype });
        for (const op of ['index_add', 'index_copy']) {
          equal(t[op](dim, index, number), t[op](dim, index, full), `${op} ${dtype} ${number}`);
          equal(t.clone()[`${op}_`](dim, index, number), t[op](dim, index, full), `${op}_ ${dtype} ${number}`);
          const plan = IndexPlan.select([3, 2], dim, index);
          equal(t[op](plan, number), t[op](dim, index, full), `${op} ${dtype} ${number} by a plan`);
        }
        for (const alpha of dtype === 'bool' ? [true] : [2, 1, 2n]) {
          equal(t.index_add(dim, index, number, { alpha }), t.index_add(dim, index, full, { alpha }), `alpha ${dtype} ${number}`);
        }
      }
    }
  }
});

test('a number and its factor are rounded as the elements of a tensor are', () => {
  for (const dtype of ['float16', 'bfloat16', 'float32', 'float64']) {
    const t = Tensor.full([2], 0.7, { dtype });
    for (const [number, alpha] of [[0.1, 0.3], [1 / 3, -7.1], [3e-5, 1e-3]]) {
      for (const sum of ['ordered', 'exact']) {
        const options = { alpha, sum };
        equal(t.index_add(0, [0, 0, 1], number, options), t.index_add(0, [0, 0, 1], Tensor.full([3], number, { dtype }), options), `${dtype} ${number} ${sum}`);
      }
    }
  }
  const wrapped = Tensor.zeros([1], { dtype: 'int8' }).index_add(0, [0], 100, { alpha: 3 });
  assert.deepEqual([...wrapped.data_sync()], [44]);
  assert.throws(() => Tensor.zeros([1], { dtype: 'int8' }).index_add(0, [0], 300), { name: 'RuntimeError', code: 'value-overflow', argument: 'src' });
  assert.throws(() => Tensor.zeros([1], { dtype: 'int8' }).index_add(0, [0], 0.5, { alpha: 2 }), { name: 'TypeError', argument: 'src', value: 0.5 });
  assert.throws(() => Tensor.zeros([1]).index_add(0, [1], 1, { alpha: 2 }), { name: 'IndexError', position: [0] });
});

test('trace and vjp take a number with a factor', () => {
  const t = new Tensor([1, 2]);
  const { steps, result } = trace('index_add', t, 0, [1, 1], 5, { alpha: 2 });
  assert.deepEqual(steps.map(({ operand, after }) => [operand, after]), [[10, 12], [10, 22]]);
  assert.deepEqual([...result.data_sync()], [1, 22]);
  const gradients = vjp('index_add', [3, 4], t, 0, [1, 1], 5, { alpha: 2 });
  assert.deepEqual([...gradients.self.data_sync()], [3, 4]);
  assert.equal(gradients.src, undefined);
});

test('a scalar is one place for all operators on slices, with and without a plan', () => {
  const [t, plan] = [new Tensor(4), IndexPlan.select([], 0, [-1])];
  assert.deepEqual([plan.shape, plan.updates, plan.has_duplicates, [...plan.counts.data_sync()]], [[], 1, false, [1]]);
  for (const src of [9, [9], new Tensor(9), new Tensor([9])]) {
    for (const dim of [0, -1]) {
      assert.deepEqual([valueOf(t.index_add(dim, [0], src)), valueOf(t.index_copy(dim, [-1], src))], [13, 9]);
      assert.deepEqual([valueOf(t.index_add(dim, [0], src, { alpha: 2 }))], [22]);
    }
    assert.deepEqual([valueOf(t.index_add(plan, src)), valueOf(t.index_copy(plan, src))], [13, 9]);
  }
  assert.deepEqual([valueOf(t.index_fill(plan, 7)), valueOf(t.index_fill(0, [0], 7))], [7, 7]);
  assert.deepEqual([valueOf(t.index_select(plan)), valueOf(t.index_select(0, [0]))], [4, 4]);
  assert.deepEqual(t.index_select(plan).shape, []);
  const tuples = IndexPlan.nd([], Tensor.zeros([2, 0], { dtype: 'int32' }));
  assert.equal(valueOf(t.scatter_nd(tuples, [1, 2], { reduce: 'add' })), 7);
  assert.throws(() => IndexPlan.select([], 0, [1]), { name: 'IndexError', position: [0], value: 1, allowed: [-1, 0] });
  assert.throws(() => IndexPlan.along([], 0, [0]), { name: 'ValueError', code: 'rank-mismatch' });
  assert.throws(() => new Tensor([4]).index_add(plan, 1), { name: 'ValueError', code: 'shape-mismatch' });
});

test('the first wrong component of tuples is named, also beside a dimension of size 0', () => {
  for (const [shape, indices, position, value] of [
    [[3, 0], [[5, 7], [0, 9]], [0, 0], 5],
    [[3, 0], [[1, 7], [5, 9]], [0, 1], 7],
    [[0, 3], [[0, 9], [5, 7]], [0, 0], 0],
    [[3, 4, 0], [[1, 9, 0]], [0, 1], 9],
    [[0], [[0]], [0, 0], 0],
    [[1, 1], [[0, 0], [0, -2]], [1, 1], -2],
  ]) {
    const wrong = { name: 'IndexError', code: 'index-out-of-range', position, value };
    assert.throws(() => IndexPlan.nd(shape, indices), wrong, `plan ${shape}`);
    assert.throws(() => Tensor.zeros(shape).gather_nd(indices), wrong, `gather_nd ${shape}`);
    assert.throws(() => Tensor.zeros(shape).scatter_nd(indices, 1), wrong, `scatter_nd ${shape}`);
    for (const mode of ['wrap', 'clip']) {
      if (!shape.includes(0)) continue;
      const at = [0, shape.indexOf(0)];
      assert.throws(() => IndexPlan.nd(shape, indices, { mode }), { name: 'IndexError', position: at }, `${mode} ${shape}`);
    }
  }
});

test('reads take an index of any integer dtype, and writes name the way out', () => {
  const palette = new Tensor([[0, 1], [10, 11], [20, 21]]);
  for (const dtype of ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64']) {
    const index = new Tensor([2, 0, 2], { dtype });
    const read = [...palette.index_select(0, index).data_sync()];
    assert.deepEqual(read, [20, 21, 0, 1, 20, 21], dtype);
    assert.deepEqual([...palette.gather(0, index.reshape([3, 1])).data_sync()], [20, 0, 20], dtype);
    assert.deepEqual([...palette.gather_nd(index.reshape([3, 1])).data_sync()], read, dtype);
    assert.deepEqual([...palette.take_along_dim(index.reshape([3, 1]), 0).data_sync()], read, dtype);
    assert.deepEqual([...vjp('index_select', [[1, 1], [10, 10], [100, 100]], palette, 0, index).self.data_sync()], [10, 10, 0, 0, 101, 101], dtype);
    assert.throws(() => palette.index_select(0, new Tensor([0, 3], { dtype })), { name: 'IndexError', position: [1], value: 3, allowed: [-3, 2] });
    if (/^int(32|64)$/.test(dtype)) continue;
    assert.throws(() => palette.index_add(0, index, palette), { code: 'index-dtype', message: /astype\('int32'\)/ });
  }
  const last = new Tensor([2n ** 64n - 1n, 2n ** 63n], { dtype: 'uint64' }); // remainders by 3: 0 and 2
  assert.deepEqual([...palette.index_select(0, last, { mode: 'wrap' }).data_sync()], [0, 1, 20, 21]);
  assert.deepEqual([...palette.index_select(0, last, { mode: 'drop' }).data_sync()], [0, 0, 0, 0]);
  assert.deepEqual([...palette.index_select(0, last, { mode: 'clip' }).data_sync()], [20, 21, 20, 21]);
  assert.throws(() => palette.index_select(0, last), { name: 'IndexError', position: [0] });
  for (const dtype of ['bool', 'float32']) assert.throws(() => palette.gather_nd(new Tensor([[0]], { dtype })), { name: 'TypeError', code: 'index-dtype' });
});
