// Errors that say what to do instead: their text is promised too.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { activate, bincount, elementwise_mul, ExactSum, histogram, histogramdd, IndexPlan, init, scatter_logsumexp, scatter_softmax, spmm, Tensor } from 'scatterwise';

before(() => init({ device: 'cpu' }));

/** Asserts that a call throws an error whose text has every one of the words. */
const says = (call, ...words) => assert.throws(call, (error) => words.every((word) => error.message.includes(word)) || assert.fail(error.message));

test('an index of rank 1 for more dimensions names the operators on slices, and its reshape', () => {
  const t = Tensor.zeros([3, 4, 2]);
  const src = Tensor.zeros([2, 4, 2]);
  for (const dim of [0, 1, 2, -3]) {
    const shape = Object.assign([1, 1, 1], { [(dim + 3) % 3]: 2 }).join(', ');
    says(() => t.scatter_(dim, [0, 1], 5), 'they must be equal', 'index_add', 'index_copy', `index.reshape([${shape}])`);
    says(() => t.scatter_reduce(dim, [0, 1], src, 'sum'), 'index_add', `index.reshape([${shape}])`);
    says(() => t.scatter_add(dim, [0, 1], src), 'index_add');
    says(() => t.gather(dim, [0, 1]), 'index_select', `index.reshape([${shape}])`);
    says(() => IndexPlan.along([3, 4, 2], dim, [0, 1]), 'IndexPlan.select', `index.reshape([${shape}])`);
  }
  says(() => t.take_along_dim([0, 1], 0), 'index_select');
  // One label for each row of a matrix, or for each column.
  says(() => Tensor.zeros([2, 5]).gather(1, [4, 0]), 'one element at each place of dim 0: index.reshape([2, 1])');
  says(() => Tensor.zeros([5, 2]).gather(0, [4, 0]), 'one element at each place of dim 1: index.reshape([1, 2])');
  says(() => Tensor.zeros([2, 5]).gather(0, [1, 0, 1]), 'single elements: index.reshape([3, 1])');
  // In other cases there is nothing to say.
  for (const [self, index] of [[[3], [[0, 1]]], [[3, 4, 2], [[0, 1]]]]) {
    assert.throws(() => Tensor.zeros(self).gather(0, index), (error) => error.message.endsWith('they must be equal'));
  }
});

test('a tensor of one number as the source of slices names the number that it may be', () => {
  const t = Tensor.zeros([3, 2]);
  for (const op of ['index_add', 'index_add_', 'index_copy']) {
    says(() => t[op](0, [0], new Tensor(1)), 'src has shape []; it must be [1, 2]', '(a number, or Tensor.full([1, 2], number))');
  }
  assert.throws(() => t.index_add(0, [0], [1]), (error) => error.message.endsWith('in the place of dim 0'));
});

test('a scalar is called a scalar, and takes one value', () => {
  const t = new Tensor(4);
  for (const op of ['index_add', 'index_add_', 'index_copy', 'index_copy_']) {
    says(() => t[op](1, [0], [9]), 'dim is 1, but self is a scalar: allowed are -1 to 0');
    for (const shape of [[0], [2], [1, 1], [1, 1, 1, 1]]) says(() => t[op](0, [0], Tensor.full(shape, 9)), `src has shape [${shape.join(', ')}]; it must be [] or [1], as self is a scalar`);
    for (const index of [[], [0, 0]]) says(() => t[op](0, index, [9]), 'of a scalar it names one place');
  }
  says(() => IndexPlan.select([], 1, [0]), 'dim is 1, but shape is a scalar: allowed are -1 to 0');
  says(() => IndexPlan.select([], 0, [0, 0]), 'of a scalar it names one place');
});

test('a range that is too wide for the dtype of its edges names the range that works', () => {
  const float32 = Float32Array.of(-3e38, 3e38);
  for (const x of [float32, new Tensor([-60000, 60000], { dtype: 'float16' }), new Tensor([-3e38, 3e38], { dtype: 'bfloat16' })]) {
    says(() => histogram(x), 'the range of x is wider than the largest', 'give it as range, whose edges are computed in float64');
    const ends = x === float32 ? [-3e38, 3e38] : [...x.astype('float64').data_sync()];
    assert.deepEqual([...histogram(x, { bins: 4, range: ends }).hist.data_sync()], [1n, 0n, 0n, 1n]);
  }
  says(() => histogramdd(new Tensor(float32, { shape: [2, 1] })), 'the range of sample is wider than the largest float32');
  says(() => histogram(Float64Array.of(-1.7e308, 1.7e308)), 'the range is wider than the largest float64: give a smaller one');
  says(() => histogram(float32, { range: [-1e39, 1] }), 'the range ends beyond the largest float32: give a smaller one');
});

test('an index of bools says that it is a mask', () => {
  const [t, mask] = [Tensor.zeros([2, 2]), new Tensor([[true, false]])];
  for (const call of [() => t.scatter_(0, mask, 5), () => t.gather(0, [[true]]), () => t.index_select(0, new Tensor([true])), () => t.gather_nd(mask), () => IndexPlan.select([2], 0, [true, false])]) {
    says(call, 'a mask is not an index', 'the places where it is true', 'multiply by it');
  }
  says(() => t.gather(0, new Tensor([[0.5]])), "index.astype('int32')");
});

test('an index that is longer than self names what takes any number of updates', () => {
  const index = [[0], [1], [0]];
  says(() => Tensor.zeros([2, 1]).scatter_(0, index, 1), 'scatter_nd_, where the last one stays', 'scatter_add_', 'scatter_reduce_');
  says(() => Tensor.zeros([2, 1]).scatter(0, index, 1), 'scatter_nd, where the last one stays', 'scatter_add', 'scatter_reduce');
  // Which does what the error says.
  const t = Tensor.zeros([2, 1]).scatter_nd_(index, [[1], [2], [3]]);
  assert.deepEqual([...t.data_sync()], [3, 2]);
});

test('a shape with -1 that fits no number of elements is a sentence', () => {
  const reshaped = (size, shape) => () => Tensor.zeros([size]).reshape(shape);
  assert.throws(reshaped(4, [3, -1]), { name: 'ValueError', message: 'Tensor.reshape: [3, -1] has no size for -1 that makes 4 elements' });
  assert.throws(reshaped(4, [0, -1]), { message: 'Tensor.reshape: [0, -1] has no size for -1 that makes 4 elements' });
  assert.throws(reshaped(0, [0, -1]), { message: 'Tensor.reshape: [0, -1] may have any size for -1, as it makes no elements: say which' });
});

test('an error says that nothing was written only where something would have been', () => {
  const t = new Tensor([[1, 2], [3, 4]]);
  const int = new Tensor([1], { dtype: 'int32' });
  const zero = new Tensor([0], { dtype: 'int32' });
  const reads = [() => t.gather(0, [[9, 9]]), () => t.gather_nd([[9]]), () => t.index_select(0, [9]), () => t.take_along_dim([[9]], 0), () => IndexPlan.along([2], 0, [9])];
  for (const call of [...reads, () => int.div(zero, { rounding: 'trunc' })]) {
    assert.throws(call, (error) => ['index-out-of-range', 'zero-divisor'].includes(error.code) && !/written/.test(error.message));
  }
  const writes = [() => t.scatter_(0, [[9, 9]], 0), () => t.index_add_(0, [9], [[1, 1]]), () => t.scatter_nd_([[9]], [[1, 1]]), () => int.div_(zero, { rounding: 'trunc' })];
  for (const call of writes) says(call, 'Nothing was written');
});

test('what is taken for an activation is named by the calls that compute it, or by its name here', () => {
  const x = new Tensor([[1, 2, 4]]);
  for (const call of [() => activate(x, 'softmax'), () => activate(x, 'log_softmax'), () => elementwise_mul(x, x, { act: 'Softmax' })]) {
    says(call, "e = activate(x.sub(x.amax(-1, { keepdim: true })), 'exp'), then e.div(e.sum(-1, { keepdim: true }))");
  }
  const e = activate(x.sub(x.amax(-1, { keepdim: true })), 'exp'); // as the error says
  const softmax = e.div(e.sum(-1, { keepdim: true })).data_sync();
  for (const [at, power] of [1, 2, 4].map(Math.exp).entries()) assert.ok(Math.abs(softmax[at] - power / (Math.E + Math.E ** 2 + Math.E ** 4)) < 1e-6);
  for (const [name, here] of [['silu', 'swish'], ['SiLU', 'swish'], ['identity', 'assign'], ['linear', 'assign'], ['Leaky-ReLU', 'leaky_relu']]) says(() => activate(x, name), `did you mean '${here}'?`);
  says(() => activate(x, 'nothing'), "for none there is 'assign'");
  says(() => elementwise_mul(x, x, { act: 'nothing' }), 'leave it out for none');
});

test('an error converts the operand that loses nothing by it', () => {
  const [mask, whole, half, single] = ['bool', 'int32', 'float16', 'float32'].map((dtype) => new Tensor([1], { dtype }));
  for (const [one, other] of [[mask, single], [mask, whole], [whole, single], [half, single], [half, whole]]) {
    says(() => one.mul(other), other === whole && one === half ? "other.astype('float16')" : `self.astype('${other.dtype}')`);
    says(() => other.mul(one), other === whole && one === half ? "self.astype('float16')" : `other.astype('${other.dtype}')`);
  }
  says(() => whole.scatter_add(0, [0], single), "self.astype('float32')");
  says(() => elementwise_mul(mask, single), "x.astype('float32')");
});

test('what is told of an array is no method of a tensor', () => {
  says(() => bincount([1, 2], { mask: [1, 0] }), "new Tensor(mask, { dtype: 'bool' })");
  says(() => bincount(new Float32Array(1)), "new Tensor(x, { dtype: 'int32' })");
  says(() => activate([1n], 'exp'), "new Tensor(x, { dtype: 'float32' })");
  says(() => activate(new Tensor([1n]), 'exp'), "x.astype('float32')");
});

test('functions such as exp are not defined for integers and bool', () => {
  for (const dtype of ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'bool']) {
    for (const act of ['exp', 'log', 'sqrt', 'sin', 'tanh', 'sigmoid']) {
      assert.throws(() => activate(new Tensor([1], { dtype }), act), { name: 'TypeError', code: 'act-dtype', message: /astype\('float32'\)/ });
    }
  }
});

test("an operator of JavaScript on a tensor, a plan or sums is a TypeError; their text is a text", () => {
  for (const value of [new Tensor([2]), IndexPlan.along([1], 0, [0]), new ExactSum([1])]) {
    for (const call of [() => value + 1, () => value - 1, () => +value, () => value < 1, () => value == 1, () => `${value}` + value, () => Number(value)]) {
      assert.throws(call, { name: 'TypeError', message: /t\.add\(1\)/ });
    }
    assert.equal(`${value}`, value.toString());
    assert.equal(String(value), value.toString());
    assert.equal([value].join(), value.toString());
  }
});

test('sizes that are no array are shown as one', () => {
  says(() => new Tensor([1, 2, 3, 4]).reshape(2, 2), 'reshape([2, 2])');
  says(() => new Tensor([1, 2, 3, 4]).reshape(-1), 'reshape([-1])');
  says(() => Tensor.zeros(2, 3), 'Tensor.zeros([2, 3])');
  says(() => new ExactSum(3), 'ExactSum([3])');
});

test('an index of more dimensions names what reads by it, and rows of scatter_reduce their plan', async () => {
  const t = new Tensor([[1, 2], [3, 4]]);
  const index = new Tensor([[1, 0, 1]], { dtype: 'int32' });
  says(() => t.index_select(0, index), 'gather_nd of index.reshape([…, 1])');
  assert.deepEqual(t.gather_nd(index.reshape([1, 3, 1])).shape, [1, 3, 2]);
  says(() => t.scatter_reduce(0, [1], [[5, 6]], 'amax'), 'IndexPlan.select(self.shape, dim, index)');
  assert.deepEqual(await t.scatter_reduce(IndexPlan.select(t.shape, 0, [1]), [[5, 1]], 'amax').tolist(), [[1, 2], [5, 4]]);
});

test('a group or a row beyond what can be addressed is named with its position', () => {
  const named = { name: 'IndexError', code: 'index-out-of-range', position: [1], value: 2147483646 };
  assert.throws(() => scatter_softmax([1, 2], [0, 2147483646]), { ...named, argument: 'index' });
  assert.throws(() => scatter_logsumexp([1, 2], [0, 2147483646]), { ...named, argument: 'index' });
  assert.throws(() => scatter_softmax([1, 2, 3], [0, 2147483646, -1], 0, { ignore_index: -1 }), { ...named, argument: 'index' });
  assert.throws(() => spmm([0, 2147483646], [0, 0], undefined, [[1]]), { ...named, argument: 'rows' });
});

test('a plan counts the updates that it applies', () => {
  assert.equal(IndexPlan.along([3], 0, [0, 9, -1, 0], { mode: 'drop' }).updates, 3);
  assert.equal(IndexPlan.nd([3], [[0], [7], [2]], { mode: 'drop', ignore_index: 2 }).updates, 1);
  assert.equal(IndexPlan.select([2, 3], 1, [0, 9], { mode: 'drop' }).updates, 2);
  assert.equal(IndexPlan.along([3], 0, [0, 9], { mode: 'clip' }).updates, 2);
  assert.match(String(IndexPlan.along([3], 0, [5], { mode: 'drop' })), /updates=0/);
});

test('options of arange that stand too early are shown in their place', () => {
  says(() => Tensor.arange(5, { dtype: 'int32' }), 'Tensor.arange(0, 5, 1, { dtype })');
  says(() => Tensor.arange(1, 5, { dtype: 'int32' }), 'Tensor.arange(1, 5, 1, { dtype })');
  assert.deepEqual([...Tensor.arange(1, 5, 1, { dtype: 'int32' }).data_sync()], [1, 2, 3, 4]);
  assert.throws(() => Tensor.arange(0, 5, 1, 2), TypeError);
});
