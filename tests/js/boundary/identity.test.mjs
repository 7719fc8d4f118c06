// A tensor as an object: code that enumerates, compares, copies, freezes or sends it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { assertTyped, assertWritable, attempt, load, refused, typed } from './package.mjs';

const lib = await load();
const { Tensor, Parameter, IndexPlan } = lib;

test('its tag says that it is a Tensor, so that reactive frameworks leave it alone', () => {
  const tag = (value) => Object.prototype.toString.call(value);
  assert.equal(tag(new Tensor([1])), '[object Tensor]');
  assert.match(tag(new Parameter([1])), /^\[object (Tensor|Parameter)\]$/);
  assert.match(tag(IndexPlan.along([1], 0, [0])), /^\[object \w*Plan\]$/);
});

test('deep equality tells two tensors apart, and takes one for itself', () => {
  const [one, other] = [new Tensor([1, 2]), new Tensor([1, 3])];
  assert.ok(!isDeepStrictEqual(one, other));
  assert.notDeepEqual(one, other);
  assert.ok(!isDeepStrictEqual({ a: [one] }, { a: [one.clone()] }), 'equal values are asked for by equals()');
  assert.ok(isDeepStrictEqual({ a: [one] }, { a: [one] }));
});

test('no property of it is a handle or a pointer', () => {
  const t = new Tensor([1]);
  // A tensor may have one property of its own, which deep equality compares: a function, which is unequal to that of any other tensor.
  const own = Reflect.ownKeys(t);
  assert.ok(own.length <= 1, `${own.map(String)}`);
  for (const key of own) {
    const { enumerable, value } = Object.getOwnPropertyDescriptor(t, key);
    assert.ok(enumerable);
    assert.equal(typeof value, 'function', 'unique, and says nothing');
  }
  // Names of the methods by which wasm-bindgen's own classes take and give pointers begin so.
  assert.equal(Reflect.ownKeys(Tensor.prototype).filter((key) => /^__/.test(String(key))).length, 0);
});

test('JSON of a tensor on the CPU', () => {
  const json = (t) => {
    const { dtype, shape, data } = JSON.parse(JSON.stringify({ t })).t;
    return { dtype, shape, data: data.flat(Infinity) };
  };
  assert.deepEqual(json(new Tensor([[1, 2], [3, 4]], { dtype: 'int32' })), { dtype: 'int32', shape: [2, 2], data: [1, 2, 3, 4] });
  assert.deepEqual(json(new Parameter([0.5], { name: 'p' })), { dtype: 'float32', shape: [1], data: [0.5] });
  assert.doesNotThrow(() => JSON.stringify(new Tensor([1n, 2n])), 'JSON has no bigints of its own');
  const gone = new Tensor([1]);
  gone.dispose();
  typed(() => JSON.stringify(gone), { code: 'disposed' });
});

test('structuredClone and postMessage say what to send instead', () => {
  for (const value of [new Tensor([1]), { nested: [new Tensor([1])] }]) {
    const error = refused(() => structuredClone(value));
    assert.equal(error.name, 'DataCloneError');
    assert.match(error.message, /data\(\)/, error.message);
    const { port1 } = new MessageChannel();
    assert.throws(() => port1.postMessage(value), { name: 'DataCloneError' });
    port1.close();
  }
});

test('copies of its properties are no tensors and harm none', () => {
  const t = new Tensor([1, 2]);
  const copies = [{ ...t }, Object.assign({}, t), Object.create(t), Object.assign(Object.create(Tensor.prototype), t)];
  for (const copy of copies) {
    typed(() => Tensor.prototype.mul_.call(copy, 2));
    // An object that inherits from Tensor.prototype and is no tensor has nothing to dispose of; any other object is refused.
    if (copy instanceof Tensor) assert.equal(Tensor.prototype.dispose.call(copy), undefined);
    else typed(() => Tensor.prototype.dispose.call(copy));
  }
  assertWritable(t);
});

test('frozen, sealed and without new properties it does all that it did', async () => {
  for (const how of [Object.freeze, Object.seal, Object.preventExtensions]) {
    const t = how(new Tensor([1, 2]));
    assert.equal(t.scatter_(0, [0], 5), t);
    assert.deepEqual(await t.tolist(), [5, 2]);
    assert.deepEqual([...t.clone().data_sync()], [5, 2]);
    t.dispose();
    t.dispose();
    typed(() => t.size, { code: 'disposed' });
  }
  const plan = Object.freeze(IndexPlan.along([2], 0, [1]));
  assert.deepEqual([...new Tensor([1, 2]).gather(plan).data_sync()], [2]);
  plan.dispose();
  typed(() => plan.shape, { code: 'disposed' });
});

test('properties of the caller\'s own change nothing', () => {
  const t = new Tensor([1, 2, 3]);
  const counted = t.astype('int32');
  for (const each of [t, counted]) {
    for (const name of ['shape', 'isTyped']) Object.defineProperty(each, name, { get() { throw new Error('mine'); } });
  }
  assert.deepEqual([...lib.histogram([1.5, 2.5, 3], { bins: t }).hist.data_sync()], [1n, 2n]);
  assert.deepEqual([...lib.bincount(counted).data_sync()], [0n, 1n, 1n, 1n]);
  Object.defineProperty(t, 'constructor', { value: null });
  Object.defineProperty(t, 'then', { value: (done) => done() });
  assert.deepEqual([...t.gather(0, [2]).data_sync()], [3]);
  assert.deepEqual([...new Tensor([1, 1, 1]).mul(t).data_sync()], [1, 2, 3]);
  Object.setPrototypeOf(t, null);
  assert.deepEqual([...Tensor.prototype.data_sync.call(t)], [1, 2, 3]);
  assert.deepEqual([...new Tensor([2, 2, 2]).mul(t).data_sync()], [2, 4, 6]);
  Tensor.prototype.dispose.call(t);
});

test('printing', () => {
  const t = new Tensor([[1.5, 2]]);
  assert.ok(inspect(t).includes('1.5'), inspect(t));
  assert.match(inspect({ t }), /1\.5/);
  assert.match(inspect(new Parameter([1, 2], { name: 'weights' })), /weights/);
  assert.match(inspect(IndexPlan.along([3], 0, [0, 1])), /Plan/);
  assert.match(String(t), /1\.5/);
  t.dispose();
  for (const text of [inspect(t), inspect([t]), inspect(new Map([[t, t]]))]) assert.match(text, /disposed/);
  const plan = IndexPlan.along([3], 0, [0]);
  plan.dispose();
  assert.match(inspect(plan), /disposed/);
  for (const odd of [Object.create(t), new Proxy(t, {}), Tensor.prototype, IndexPlan.prototype, Tensor]) {
    const { error, threw } = attempt(() => inspect(odd));
    if (threw) assertTyped(error);
  }
});
