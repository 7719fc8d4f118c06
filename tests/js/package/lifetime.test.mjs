// Tensors come and go: dispose() frees their memory at once, the collector later, and never twice.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as scatterwise from 'scatterwise';

const { IndexPlan, init, initSync, memory, Parameter, scatter_mul, elementwise_mul, Tensor, trace } = scatterwise;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** The memory of the WebAssembly instance. The package does not show it: it is seen when the instance is made. */
let wasmMemory;
before(() => {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (...args) {
    const instance = new Instance(...args);
    wasmMemory = instance.exports.memory ?? wasmMemory; // the guard of the stack has none
    return instance;
  };
  initSync(readFileSync(new URL('../../../target/npm/scatterwise/scatterwise_simd.wasm', import.meta.url)));
  WebAssembly.Instance = Instance;
});

/** A new tensor and four calls of it, three of which make another tensor: `letGo` gets the four tensors. */
function work(letGo) {
  const t = new Tensor([[1, 2, 3], [4, 5, 6]]);
  t.scatter_(1, [[0], [2]], 5, { reduce: 'add' });
  letGo(t, t.gather(1, [[0], [1]]), t.scatter_add([[0, 1]], [7]), t.mul(2));
}

/** Collects garbage, and lets finalizers run: they never do within one synchronous task. */
async function collect() {
  gc();
  await sleep(0);
}

test('100,000 calls with dispose() leave nothing behind', () => {
  const disposeAll = (...tensors) => tensors.forEach((t) => t.dispose());
  for (let i = 0; i < 1000; i++) work(disposeAll);
  const [bytes, counts] = [wasmMemory.buffer.byteLength, memory()];
  for (let i = 0; i < 25_000; i++) work(disposeAll);
  assert.deepEqual(memory(), counts);
  assert.equal(wasmMemory.buffer.byteLength, bytes, 'the memory has not grown');
});

test('100,000 calls without dispose() stay flat where the task ends now and then', async () => {
  const forget = () => {};
  const batch = async () => {
    for (let i = 0; i < 1000; i++) work(forget);
    assert.ok(memory().tensors >= 4000, 'nothing is collected within a task');
    await collect();
  };
  await batch();
  const bytes = wasmMemory.buffer.byteLength;
  for (let i = 0; i < 25; i++) await batch();
  for (let i = 0; i < 50 && memory().tensors > 0; i++) await collect();
  assert.equal(memory().tensors, 0);
  assert.ok(wasmMemory.buffer.byteLength <= bytes + 2 ** 20, `${bytes} bytes became ${wasmMemory.buffer.byteLength}`);
});

test('dispose() may be called again, before and after the collector', async () => {
  const { tensors } = memory();
  let t = new Tensor([1, 2]);
  assert.equal(memory().tensors, tensors + 1);
  t.dispose();
  t.dispose();
  t[Symbol.dispose]?.();
  assert.equal(memory().tensors, tensors);
  t = null;
  await collect();
  assert.equal(memory().tensors, tensors, 'a finalizer does not count it again');
});

/** A use of every member of the class Tensor. */
const uses = {
  scatter_: (t) => t.scatter_(0, [0], 1),
  scatter: (t) => t.scatter(0, [0], 1),
  scatter_add: (t) => t.scatter_add(0, [0], 1),
  scatter_add_: (t) => t.scatter_add_(0, [0], 1),
  scatter_reduce: (t) => t.scatter_reduce(0, [0], 1, 'sum'),
  scatter_reduce_: (t) => t.scatter_reduce_(0, [0], 1, 'sum'),
  scatter_nd: (t) => t.scatter_nd([[0]], 1),
  scatter_nd_: (t) => t.scatter_nd_([[0]], 1),
  index_add: (t) => t.index_add(0, [0], [1]),
  index_add_: (t) => t.index_add_(0, [0], [1]),
  index_copy: (t) => t.index_copy(0, [0], [1]),
  index_copy_: (t) => t.index_copy_(0, [0], [1]),
  index_fill: (t) => t.index_fill(0, [0], 1),
  index_fill_: (t) => t.index_fill_(0, [0], 1),
  index_select: (t) => t.index_select(0, [0]),
  take_along_dim: (t) => t.take_along_dim([0], 0),
  gather: (t) => t.gather(0, [0]),
  gather_nd: (t) => t.gather_nd([[0]]),
  mul: (t) => t.mul(2),
  mul_: (t) => t.mul_(2),
  ...Object.fromEntries(['add', 'sub', 'div', 'maximum', 'minimum'].flatMap((name) => [[name, (t) => t[name](2)], [`${name}_`, (t) => t[`${name}_`](2)]])),
  ...Object.fromEntries(['lt', 'le', 'gt', 'ge', 'eq', 'ne'].map((name) => [name, (t) => t[name](0)])),
  ...Object.fromEntries(['logical_and', 'logical_or'].map((name) => [name, (t) => t[name](true)])),
  isnan: (t) => t.isnan(),
  logical_not: (t) => t.logical_not(),
  ...Object.fromEntries(['sum', 'prod', 'mean', 'amax', 'amin', 'argmax', 'argmin', 'sort', 'argsort'].map((name) => [name, (t) => t[name](0)])),
  clone: (t) => t.clone(),
  reshape: (t) => t.reshape([2]),
  astype: (t) => t.astype('int8'),
  to: (t) => t.to('cpu'),
  data: (t) => t.data(),
  data_sync: (t) => t.data_sync(),
  with_data: (t) => t.with_data(() => {}),
  tolist: (t) => t.tolist(),
  item: (t) => t.item(),
  to_npy: (t) => t.to_npy(),
  to_image: (t) => t.to_image(),
  equals: (t) => t.equals(t),
  toString: (t) => t.toString(),
  gpu_buffer: (t) => t.gpu_buffer(),
  shape: (t) => t.shape,
  dtype: (t) => t.dtype,
  rank: (t) => t.rank,
  size: (t) => t.size,
  device: (t) => t.device,
  name: (t) => t.name,
  lod: (t) => t.lod,
  toJSON: (t) => t.toJSON(),
};

test('every use after dispose() is a clear error', () => {
  const members = Object.getOwnPropertyNames(Tensor.prototype).filter((name) => !name.startsWith('__'));
  const used = members.filter((name) => !['constructor', 'dispose'].includes(name));
  assert.deepEqual(used.filter((name) => !Object.hasOwn(uses, name)), [], 'members that this test does not know');
  const gone = { name: 'RuntimeError', code: 'disposed', message: /was disposed of/ };
  for (const type of [Tensor, Parameter]) {
    const t = new type([1, 2], { name: 'x' });
    t.dispose();
    for (const name of used) assert.throws(() => uses[name](t), gone, name);
  }
});

/** A use of every member of the class IndexPlan. */
const usesOfPlans = {
  shape: (plan) => plan.shape,
  updates: (plan) => plan.updates,
  counts: (plan) => plan.counts,
  has_duplicates: (plan) => plan.has_duplicates,
  ready: (plan) => plan.ready(),
  toJSON: (plan) => plan.toJSON(),
};

test('every use of a plan after dispose() is a clear error', () => {
  const used = Object.getOwnPropertyNames(IndexPlan.prototype).filter((name) => !/^(constructor|dispose|toString)$/.test(name));
  assert.deepEqual(used.sort(), Object.keys(usesOfPlans).sort());
  const plan = IndexPlan.along([3], 0, [0, 1]);
  plan.dispose();
  plan.dispose();
  const gone = { name: 'RuntimeError', code: 'disposed', message: /was disposed of/ };
  for (const name of used) assert.throws(() => usesOfPlans[name](plan), gone, name);
  const t = Tensor.zeros([3]);
  const calls = [() => t.scatter_(plan, 1), () => t.scatter(plan, 1), () => t.scatter_add(plan, 1), () => t.scatter_add_(plan, 1), () => t.gather(plan)];
  for (const call of calls) assert.throws(call, gone, String(call));
});

test('a disposed operand is a clear error too', () => {
  const gone = { name: 'RuntimeError', code: 'disposed' };
  const t = Tensor.zeros([2]);
  const index = new Tensor([0], { dtype: 'int32' });
  const d = new Tensor([1], { dtype: 'int32' });
  d.dispose();
  const calls = [
    () => t.scatter_(0, d, 1), () => t.scatter_(0, index, d), () => t.scatter_add(0, d, 1), () => t.scatter_add_(0, index, d), () => t.gather(0, d),
    () => t.gather_nd(d), () => t.mul(d), () => t.mul_(d), () => t.equals(d), () => scatter_mul(d, [0], 2), () => scatter_mul(t, d, 2),
    () => scatter_mul(t, index, d), () => elementwise_mul(d, t), () => elementwise_mul(t, d), () => new Tensor(d), () => new Parameter(d),
    () => trace('scatter_', d, 0, [0], 1), () => trace('scatter_', t, 0, d, 1),
  ];
  for (const call of calls) assert.throws(call, gone, String(call));
  assert.deepEqual([...t.data_sync()], [0, 0]);
});

test('a promise of values outlives its tensor', async () => {
  const t = new Tensor([1, 2]);
  const promises = [t.data(), t.tolist(), t.clone().tolist(), t.equals(t), t.to_npy()];
  t.dispose();
  const [data, list, again, same, npy] = await Promise.all(promises);
  assert.deepEqual([[...data], list, again, same], [[1, 2], [1, 2], [1, 2], true]);
  assert.deepEqual(await Tensor.from_npy(npy).tolist(), [1, 2]);
});

test('a tensor that is disposed of by its own arguments', async () => {
  const { tensors } = memory();
  const t = new Tensor([1, 2]);
  const options = {
    get reduce() {
      t.dispose();
      return 'add';
    },
  };
  assert.throws(() => t.scatter_(0, [0], 1, options), { code: 'disposed', op: 'Tensor.scatter_' }, 'arguments are read before self is looked at');
  assert.throws(() => t.size, { code: 'disposed' });
  assert.equal(memory().tensors, tensors);
});

test('what the glue would free behind our back cannot be called', () => {
  assert.equal(new Tensor([1]).free, undefined);
});

test('init() after initSync() changes nothing', async () => {
  const t = new Tensor([1]);
  assert.equal((await init()).device, 'cpu');
  assert.equal(t.size, 1);
});
