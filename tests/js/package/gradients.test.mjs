// vjp where a gradient is not a matter of arithmetic: refusals, skipped entries, infinities, kinks. On the CPU; the Rust tests
// compare both devices.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexPlan, init, Tensor, vjp } from 'scatterwise';

await init({ device: 'cpu' });

/** The values of gradients, by the name of each. */
const valuesOf = (gradients) => Object.fromEntries(Object.entries(gradients).map(([name, t]) => [name, Array.from(t.data_sync())]));
/** The error of a call; the test fails without one. */
const refused = (call) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail(`${call} was not refused`);
};

test('an index that the operator refuses has no gradient, also where all of them are zeros', () => {
  const calls = [
    () => vjp('scatter_', [1, 1], [1, 1], 0, [7], [1], { reduce: 'add' }),
    () => vjp('index_add', Tensor.zeros([0, 3]), Tensor.zeros([0, 3]), 1, [7], Tensor.zeros([0, 1])),
    () => vjp('scatter_add', [1, 1], [1, 1], 0, [7], [1]),
  ];
  for (const call of calls) assert.deepEqual([refused(call).code, refused(call).value], ['index-out-of-range', 7], String(call));
});

test('errors about rows name the index as it was given', () => {
  const error = refused(() => vjp('scatter_mul', [1, 1], [1, 1], [[0, 5]], [[1, 1]]));
  assert.deepEqual([error.position, error.value, error.shapes.indices], [[0, 1], 5, [1, 2]]);
  const huge = refused(() => vjp('scatter_mul', [1, 1], [1, 1], [[0n, 2n ** 64n - 1n]], [[1, 1]]));
  assert.deepEqual([huge.position, huge.value], [[0, 1], '18446744073709551615']);
  const source = refused(() => vjp('scatter_mul', [1, 1], [1, 1], [0], new Tensor([1], { dtype: 'int32' })));
  assert.equal(source.argument, 'updates');
  assert.deepEqual(valuesOf(vjp('scatter_mul', [[1, 2], [3, 4]], [[5, 6], [7, 8]], [1, 1], [[2, 3], [4, 5]])), { self: [1, 2, 24, 60], updates: [84, 160, 42, 96] });
});

test('entries of more than eight dimensions', () => {
  const x = Tensor.full([2, 1, 1, 1, 1], 3);
  const indices = new Tensor(new Int32Array([1, 1]), { shape: [1, 1, 1, 1, 2] });
  const updates = new Tensor(new Float32Array([2, 5]), { shape: [1, 1, 1, 1, 2, 1, 1, 1, 1] });
  assert.deepEqual(valuesOf(vjp('scatter_mul', Tensor.ones([2, 1, 1, 1, 1]), x, indices, updates)), { self: [1, 10], updates: [15, 6] });
  const tuples = new Tensor(new Int32Array([1, 9]), { shape: [1, 1, 1, 1, 2, 1] });
  const dropped = vjp('scatter_nd', Tensor.ones([2, 1, 1, 1, 1]), x, tuples, updates, { reduce: 'add', mode: 'drop' });
  assert.deepEqual(valuesOf(dropped), { self: [1, 1], updates: [1, 0] });
});

test('what is left out has no gradient, whatever it would have been divided by or multiplied with', () => {
  assert.deepEqual(valuesOf(vjp('scatter_nd', [1], [6], [[0], [5]], [2, 0], { reduce: 'div', mode: 'drop' })).updates, [-1.5, 0]);
  assert.deepEqual(valuesOf(vjp('index_add', [1], [1], 0, [5], [5], { mode: 'drop', alpha: Infinity })).src, [0]);
});

test('a term that is not the maximum has the gradient 0', () => {
  for (const cotangent of [Infinity, -1, NaN]) {
    const { self, src } = valuesOf(vjp('scatter_reduce', [cotangent], [1], 0, [0], [5], 'amax'));
    assert.deepEqual([self, src], [[0], [cotangent]], `of ${cotangent}`);
  }
});

test('derivatives at infinity and at kinks', () => {
  const slope = (act, x) => valuesOf(vjp('elementwise_mul', [1], [x], [1], { act })).x[0];
  for (const act of ['gelu', 'swish', 'mish', 'hard_swish']) assert.equal(slope(act, Infinity), 1, act);
  const flat = [['relu', 0], ['abs', 0], ['relu6', 6], ['brelu', 24], ['hard_sigmoid', 2.5], ['hard_shrink', -0.5]];
  for (const [act, x] of flat) assert.equal(slope(act, x), 0, act);
  const around = [2.999, 3, 3.001].map((x) => slope('hard_swish', x));
  assert.ok(Math.abs(around[0] - 1.5) < 0.001);
  assert.deepEqual(around.slice(1), [1, 1]);
});

test('the values of scatter_add at tuples are updates, with a plan too', () => {
  const names = (plan) => Object.keys(valuesOf(vjp('scatter_add', [1, 1], [1, 2], plan, [5])));
  assert.deepEqual(names(IndexPlan.nd([2], [[0]])), ['self', 'updates']);
  assert.deepEqual(names(IndexPlan.along([2], 0, [0])), ['self', 'src']);
});
