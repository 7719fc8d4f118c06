// Values in and out: every kind of array, buffers, and the resulting tensors.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { init, Tensor } from 'scatterwise';

before(() => init({ device: 'cpu' }));

/** The dtype of each kind of typed array. */
const kinds = {
  Int8Array: 'int8', Uint8Array: 'uint8', Uint8ClampedArray: 'uint8', Int16Array: 'int16', Uint16Array: 'uint16', Int32Array: 'int32', Uint32Array: 'uint32',
  BigInt64Array: 'int64', BigUint64Array: 'uint64', Float32Array: 'float32', Float64Array: 'float64', Float16Array: 'float16',
};
/** Those that this engine has: Float16Array is young. */
const supported = Object.entries(kinds).filter(([kind]) => globalThis[kind]);

test('every kind of typed array has its dtype, and comes back as it went in', async () => {
  for (const [kind, dtype] of supported) {
    const values = kind.startsWith('Big') ? [0n, 1n, 2n, 100n] : [0, 1, 2, 100];
    const t = new Tensor(globalThis[kind].from(values), { shape: [2, 2] });
    assert.equal(t.dtype, dtype);
    const out = await t.data();
    assert.equal(out.constructor.name, kind === 'Uint8ClampedArray' ? 'Uint8Array' : kind);
    assert.deepEqual([...out], values);
    assert.deepEqual([...t.data_sync()], values);
    const mine = new out.constructor(4);
    assert.equal(await t.data({ out: mine }), mine);
    assert.deepEqual([...mine], values);
  }
});

test('every kind of typed array is tried that this engine has', (t) => {
  const missing = Object.keys(kinds).filter((kind) => !globalThis[kind]);
  assert.deepEqual(missing.filter((kind) => kind !== 'Float16Array'), []);
  if (supported.length < Object.keys(kinds).length) t.skip('this engine has no Float16Array: the test in a page has');
});

test('part of a buffer is that part; a Buffer is bytes', async () => {
  const all = Float32Array.of(9, 1, 2, 9);
  assert.deepEqual(await new Tensor(all.subarray(1, 3)).tolist(), [1, 2]);
  assert.equal(new Tensor(Buffer.from([1, 2])).dtype, 'uint8');
  const shared = new Int16Array(new SharedArrayBuffer(4));
  shared.set([7, -7]);
  assert.deepEqual(await new Tensor(shared).tolist(), [7, -7]);
  all[1] = 5;
  const t = new Tensor(all);
  all[1] = 6;
  assert.deepEqual(await t.tolist(), [9, 5, 2, 9], 'a copy');
});

test('a buffer has the dtype that is said', async () => {
  const floats = Float32Array.of(1.5, -2, 0, 4);
  const view = new DataView(new ArrayBuffer(12), 3, 8);
  view.setFloat32(0, 1.5, true);
  view.setFloat32(4, -2, true);
  const shared = new SharedArrayBuffer(16);
  new Float32Array(shared).set(floats);
  assert.deepEqual(await new Tensor(floats.buffer, { dtype: 'float32', shape: [2, 2] }).tolist(), [[1.5, -2], [0, 4]]);
  assert.deepEqual(await new Tensor(shared, { dtype: 'float32' }).tolist(), [1.5, -2, 0, 4]);
  assert.deepEqual(await new Tensor(view, { dtype: 'float32' }).tolist(), [1.5, -2]);
  assert.deepEqual(await new Tensor(Uint8Array.of(0, 1, 2).buffer, { dtype: 'bool' }).tolist(), [false, true, true]);
  assert.deepEqual(await new Tensor(Uint16Array.of(0x3c00).buffer, { dtype: 'float16' }).tolist(), [1]);
  assert.deepEqual(await new Tensor(Uint16Array.of(0x3f80).buffer, { dtype: 'bfloat16' }).tolist(), [1]);
  assert.deepEqual(await new Tensor(new ArrayBuffer(8), { dtype: 'int64', shape: [] }).tolist(), 0n);
  assert.deepEqual(new Tensor(new ArrayBuffer(0), { dtype: 'int64', shape: [0, 3] }).shape, [0, 3]);

  assert.throws(() => new Tensor(floats.buffer), { name: 'TypeError', code: 'missing-argument', argument: 'dtype', message: /dtype/ });
  assert.throws(() => new Tensor(new ArrayBuffer(7), { dtype: 'int32' }), { name: 'ValueError', message: /7 bytes.*int32 takes 4/ });
  assert.throws(() => new Tensor(floats.buffer, { dtype: 'float32', shape: [3] }), { name: 'ValueError' });
  assert.throws(() => Tensor.zeros([1]).scatter_(0, new ArrayBuffer(4), 1), { name: 'TypeError' }, 'as an index it says nothing');
});

test('what was detached is a clear error, and the library works on', async () => {
  const { buffer } = Float32Array.of(1, 2);
  const array = new Float32Array(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  for (const each of [() => new Tensor(array), () => new Tensor(buffer, { dtype: 'float32' }), () => Tensor.zeros([2]).data({ out: array })]) {
    for (let i = 0; i < 3; i++) await assert.rejects(async () => each(), (error) => error instanceof Error && !/unreachable/.test(error.message));
  }
  assert.deepEqual(await new Tensor([1]).tolist(), [1]);
});

test('nested numbers, bigints and booleans', async () => {
  const pairs = [
    [[[1, 2], [3, 4]], 'float32'], [[[true], [false]], 'bool'], [[[1n, -2n]], 'int64'], [[2n ** 63n], 'uint64'], [1.5, 'float32'], [true, 'bool'], [7n, 'int64'],
  ];
  for (const [data, dtype] of pairs) {
    const t = new Tensor(data);
    assert.equal(t.dtype, dtype);
    assert.deepEqual(await t.tolist(), data);
  }
  assert.equal(new Tensor([]).size, 0);
  assert.deepEqual(new Tensor([[], []]).shape, [2, 0]);
  assert.deepEqual(await new Tensor([true, 2]).tolist(), [1, 2], 'beside numbers, booleans count');
  assert.deepEqual(await new Tensor([1, 2n]).tolist(), [1n, 2n], 'beside bigints, whole numbers do');
  assert.throws(() => new Tensor([1.5, 2n]), { name: 'TypeError', message: /1\.5 beside bigints/ });
});

test('long arrays convert as each of their elements does, and say which one does not fit', async () => {
  const numbers = Array.from({ length: 1001 }, (_, i) => (i * 37) % 128);
  const rows = Array.from({ length: 143 }, (_, i) => numbers.slice(i * 7, i * 7 + 7));
  for (const [kind, dtype] of supported) {
    const expected = globalThis[kind].from(kind.startsWith('Big') ? numbers.map(BigInt) : numbers);
    for (const data of [numbers, rows, expected, Float64Array.from(numbers), Int32Array.from(numbers)]) {
      const t = new Tensor(data, { dtype });
      assert.deepEqual(t.shape, data === rows ? [143, 7] : [1001]);
      assert.deepEqual([...(await t.data())], [...expected], `${data.constructor.name} as ${dtype}`);
    }
  }
  const t = new Tensor(rows);
  assert.deepEqual(await t.tolist(), rows);
  assert.deepEqual(await t.astype('bool').tolist(), rows.map((row) => row.map(Boolean)));
  for (const [value, dtype] of [[300, 'uint8'], [-1, 'uint64'], [2 ** 63, 'int64'], [NaN, 'int32']]) {
    const wrong = rows.map((row, i) => (i === 100 ? [...row.slice(0, 3), value, ...row.slice(4)] : row));
    assert.throws(() => new Tensor(wrong, { dtype }), { code: 'value-overflow', position: [100, 3] });
    assert.throws(() => new Tensor(Float64Array.from(wrong.flat()), { dtype }), { code: 'value-overflow', position: [703] });
  }
  const mixed = rows.map((row, i) => (i === 142 ? [...row.slice(0, 6), true] : row));
  assert.deepEqual((await new Tensor(mixed).tolist())[142][6], 1);
  const ragged = rows.map((row, i) => (i === 142 ? row.slice(1) : row));
  assert.throws(() => new Tensor(ragged), { code: 'ragged-data', message: /data\[142\] is an array of 6, where others have one of 7/ });
  ragged[142] = [...rows[142].slice(1), null];
  assert.throws(() => new Tensor(ragged), { name: 'TypeError', message: /data\[142\]\[6\] holds null/ });
});

test('64-bit integers take plain numbers, and give bigints', async () => {
  for (const dtype of ['int64', 'uint64']) {
    const t = new Tensor([0, 5, 2 ** 53], { dtype });
    assert.deepEqual(await t.tolist(), [0n, 5n, 2n ** 53n]);
    assert.deepEqual(await Tensor.zeros([2], { dtype }).scatter_(0, [1], 3).tolist(), [0n, 3n]);
    assert.deepEqual(await Tensor.zeros([2], { dtype }).scatter_add(0, [1, 1], [3, 4n]).tolist(), [0n, 7n]);
  }
  assert.deepEqual(await Tensor.zeros([3]).gather(0, new BigInt64Array([-1n])).tolist(), [0]);
  assert.throws(() => new Tensor([-1], { dtype: 'uint64' }), { code: 'value-overflow' });
  assert.throws(() => new Tensor([1e20], { dtype: 'int64' }), { code: 'value-overflow' });
});

test('what is no data is refused by name and place', () => {
  const wrong = [undefined, null, 'text', {}, () => {}, Symbol('s'), new Map(), new Date(), [1, 'x'], [[1], [null]], [undefined], new Proxy({}, { get() { throw new Error('mine'); } })];
  for (const data of wrong) assert.throws(() => new Tensor(data), { name: 'TypeError', op: 'Tensor' });
  assert.throws(() => new Tensor([[1, 2], [3]]), { name: 'ValueError', code: 'ragged-data', message: /data\[1\]/ });
  assert.throws(() => new Tensor([[1, 2], 3]), { name: 'ValueError', code: 'ragged-data', message: /data\[1\]/ });
});

test('options are read once each, wherever they come from', () => {
  const read = [];
  const options = {
    get dtype() { read.push('dtype'); return 'int32'; },
    get shape() { read.push('shape'); return new Tensor([2, 2], { dtype: 'int64', name: 'other' }).data_sync().length === 2 && [1, 2]; },
    get name() { read.push('name'); return 'mine'; },
  };
  const t = new Tensor([1, 2], options);
  assert.deepEqual([t.dtype, t.shape, t.name, read], ['int32', [1, 2], 'mine', ['dtype', 'shape', 'name']]);
  class Options { get shape() { return [2, 1]; } }
  assert.deepEqual(new Tensor([1, 2], new Options()).shape, [2, 1]);
  assert.deepEqual(new Tensor([1, 2], Object.create({ shape: [2, 1], more: 1 })).shape, [2, 1]);
  assert.deepEqual(new Tensor([1, 2], { shape: undefined, name: undefined }).shape, [2]);
  assert.throws(() => new Tensor([1, 2], { shape: [2], shap: [1] }), { code: 'unknown-option', value: 'shap' });
  assert.throws(() => new Tensor([1, 2], { get shape() { throw new Error('mine'); } }), { code: 'invalid-argument' });
  assert.throws(() => new Tensor([1, 2], new Proxy({}, { ownKeys() { throw new Error('mine'); } })), { code: 'invalid-argument' });
  for (const wrong of [null, [], 1, 'shape', () => {}]) assert.throws(() => new Tensor([1, 2], wrong), { name: 'TypeError' });
});
