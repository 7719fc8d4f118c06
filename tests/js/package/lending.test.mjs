// with_data: a tensor's own memory for the length of a callback.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { IndexError, IndexPlan, init, memory, RuntimeError, Tensor, with_data } from 'scatterwise';

before(() => init({ device: 'cpu' }));

const dtypes = ['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'bfloat16', 'float32', 'float64'];

test('every dtype: the array that data() gives, read and written in place', async () => {
  for (const dtype of dtypes) {
    const t = new Tensor([[1, 0, 1], [0, 0, 1]], { dtype });
    const copy = await t.data();
    t.with_data((view) => {
      assert.equal(view.constructor, copy.constructor, dtype);
      assert.deepEqual([...view], [...copy], dtype);
      view[1] = view[0];
    });
    copy[1] = copy[0];
    assert.deepEqual(await t.data(), copy, dtype);
  }
});

test('what the callback returns is returned', () => {
  assert.equal(Tensor.ones([5]).with_data((view) => view.length), 5);
  assert.equal(Tensor.ones([]).with_data((view) => view[0]), 1);
  assert.equal(Tensor.zeros([0, 3]).with_data((view) => view.length), 0);
  assert.equal(Tensor.zeros([2]).with_data(() => {}), undefined);
  assert.equal(Tensor.zeros([2]).with_data(() => null), null);
});

test('clones and reshapes keep their values, for which the memory is copied once', () => {
  const t = Tensor.zeros([1000]);
  const [clone, matrix] = [t.clone(), t.reshape([10, 100])];
  const { cpu_bytes } = memory();
  t.with_data((view) => view.fill(7));
  assert.equal(memory().cpu_bytes - cpu_bytes, 4000);
  t.with_data((view) => view.fill(8));
  assert.equal(memory().cpu_bytes - cpu_bytes, 4000);
  assert.ok(t.data_sync().every((value) => value === 8));
  for (const other of [clone, matrix]) assert.ok(other.data_sync().every((value) => value === 0));
});

test('an index that was checked before is checked again', () => {
  const t = new Tensor([1, 2, 3]);
  const index = new Tensor([0, 2], { dtype: 'int32' });
  const plan = IndexPlan.along([3], 0, index);
  assert.deepEqual([...t.gather(0, index).data_sync()], [1, 3]);
  index.with_data((view) => (view[1] = 1_000_000));
  assert.throws(() => t.gather(0, index), (error) => error instanceof IndexError && error.value === 1_000_000);
  assert.throws(() => t.scatter_(0, index, 5), IndexError);
  assert.deepEqual([...t.gather(plan).data_sync()], [1, 3], 'a plan has its own values');
});

test('afterwards the array is empty, also when the callback has failed', () => {
  const t = Tensor.zeros([4]);
  let kept;
  t.with_data((view) => (kept = view));
  assert.equal(kept.length, 0);
  kept[0] = 9;
  assert.throws(() => t.with_data((view) => ((kept = view.subarray(1)), fail())), /mine/);
  assert.equal(kept.length, 0);
  assert.equal(kept.buffer.byteLength, 0);
  assert.deepEqual([...t.data_sync()], [0, 0, 0, 0]);
});
const fail = () => {
  throw new Error('mine');
};

test('calls of the library are refused meanwhile', () => {
  const t = Tensor.zeros([4]);
  const other = Tensor.ones([2]);
  const calls = {
    with_data: () => t.with_data(() => {}),
    'another with_data': () => other.with_data(() => {}),
    'new Tensor': () => new Tensor([1]),
    scatter_: () => t.scatter_(0, [0], 1),
    data_sync: () => other.data_sync(),
    shape: () => other.shape,
    dispose: () => t.dispose(),
    memory: () => memory(),
  };
  for (const [name, inner] of Object.entries(calls)) {
    t.with_data((view) => {
      assert.throws(inner, (error) => error instanceof RuntimeError && error.code === 'reentrant-call', name);
      view[3] += 1;
    });
  }
  assert.deepEqual([...t.data_sync()], [0, 0, 0, Object.keys(calls).length]);
});

test('memory that grows between two calls', () => {
  const t = Tensor.zeros([3]);
  const held = [];
  for (let n = 1; n <= 8; n++) {
    t.with_data((view) => (view[0] += n));
    held.push(Tensor.ones([1 << 20])); // 4 MiB
    assert.equal(held.at(-1).with_data((view) => view.at(-1)), 1);
  }
  assert.deepEqual([...t.data_sync()], [36, 0, 0]);
  for (const each of held) each.dispose();
});

test("the callback's own errors come out, and the library goes on", () => {
  const t = Tensor.zeros([2]);
  const trap = new WebAssembly.RuntimeError('of another module');
  for (const error of [new Error('mine'), trap, 'a text', undefined]) {
    let caught = 'nothing';
    try {
      t.with_data((view) => {
        view[0] += 1;
        throw error;
      });
    } catch (thrown) {
      caught = thrown;
    }
    assert.equal(caught, error);
  }
  const deeper = () => deeper() + 1;
  assert.throws(() => t.with_data(deeper), RangeError);
  assert.deepEqual([...t.mul(2).data_sync()], [8, 0]);
});

test('a callback that waits is refused', async () => {
  const t = Tensor.zeros([2]);
  let later;
  const refused = () => t.with_data((view) => (async () => { view[0] = 1; await null; later = view.length; })());
  assert.throws(refused, (error) => error instanceof TypeError && error.argument === 'callback' && /promise/.test(error.message));
  await null;
  await null;
  assert.equal(later, 0);
  assert.deepEqual([...t.data_sync()], [1, 0]);
});

test('bools are 0 and 1 again', () => {
  const t = Tensor.zeros([3], { dtype: 'bool' });
  t.with_data((view) => view.set([0, 7, 255]));
  assert.deepEqual([...t.data_sync()], [0, 1, 1]);
  assert.throws(() => t.with_data((view) => (view.fill(9), fail())), /mine/);
  assert.deepEqual([...t.data_sync()], [1, 1, 1]);
});

test('what is no callback, and what is no tensor any more', () => {
  const t = Tensor.zeros([2]);
  for (const callback of [undefined, null, 1, {}, 'f']) {
    assert.throws(() => t.with_data(callback), (error) => error instanceof TypeError && error.argument === 'callback');
  }
  t.dispose();
  assert.throws(() => t.with_data(() => assert.fail('it ran')), (error) => error.code === 'disposed');
});

test('an async callback is not called, and a promise that another one returns may reject', async () => {
  const t = new Tensor([1, 2, 3]);
  const wanted = { code: 'invalid-argument', argument: 'callback' };
  assert.throws(() => t.with_data(async (view) => { view[0] = 99; }), wanted);
  assert.deepEqual(await t.tolist(), [1, 2, 3]);
  // A rejection that nobody handles would fail this test.
  assert.throws(() => t.with_data(() => Promise.reject(new Error('left behind'))), wanted);
  await new Promise(setImmediate);
});

test('several tensors at once, in their order', () => {
  const [index, weights, flags] = [Tensor.zeros([3], { dtype: 'int32' }), Tensor.zeros([3]), Tensor.zeros([2], { dtype: 'bool' })];
  const clone = weights.clone(); // shares its memory until one of them is written to
  const result = with_data([index, weights, flags, clone], (places, values, truths, copies) => {
    assert.deepEqual([places.constructor, values.constructor, truths.constructor], [Int32Array, Float32Array, Uint8Array]);
    places.set([2, 1, 0]);
    values.fill(7);
    truths.fill(9);
    return copies[0];
  });
  assert.equal(result, 0);
  assert.deepEqual([index, weights, flags, clone].map((each) => [...each.data_sync()]), [[2, 1, 0], [7, 7, 7], [1, 1], [0, 0, 0]]);
  assert.equal(with_data([], (...views) => views.length), 0);
});

test('several tensors: none twice, all tensors, and a callback that returns', () => {
  const [one, two] = [Tensor.zeros([2]), Tensor.zeros([2])];
  const never = () => assert.fail('it ran');
  assert.throws(() => with_data([one, two, one], never), { name: 'ValueError', argument: 'tensors', message: /tensors\[0\] and tensors\[2\]/ });
  assert.throws(() => with_data([one, [1]], never), { name: 'TypeError', argument: 'tensors[1]' });
  for (const tensors of [undefined, one, 'ab', { 0: one, length: 1 }]) assert.throws(() => with_data(tensors, never), { name: 'TypeError', argument: 'tensors' });
  assert.throws(() => with_data([one], async () => {}), { name: 'TypeError', argument: 'callback' });
  let kept;
  assert.throws(() => with_data([one, two], (...views) => ((kept = views), fail())), /mine/);
  assert.deepEqual(kept.map(({ length }) => length), [0, 0]);
  two.dispose();
  assert.throws(() => with_data([one, two], never), { code: 'disposed' });
});
