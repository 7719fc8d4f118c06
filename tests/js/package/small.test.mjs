// Calls with tensors and numbers give the results of calls with arrays; full memory is an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';

// The memory of the instance, for filling it up.
let memory;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...all) => {
  const result = await instantiate(...all);
  memory = (result.instance ?? result).exports.memory ?? memory; // the guard of the stack has none
  return result;
};
const { Parameter, Tensor, init, scatter_mul } = await import('scatterwise');
await init({ device: 'cpu' });

/** What the option `reduce` takes; replacement has no word. */
const words = ['add', 'multiply'];
/** A new tensor of shape [3, 5], and an index and a source for it. */
const make = (Class = Tensor) => new Class(Float32Array.from({ length: 15 }, (_, k) => k + 1), { shape: [3, 5] });
const index = () => new Tensor([[0, 1, -1], [2, 0, 2]], { dtype: 'int32' });
const src = () => new Tensor([[10, 20, 30], [40, 50, 60]]);
const values = (tensor) => [...tensor.data_sync()];

/** The outcome of a call: values, or the error with its facts. */
const outcome = (run) => {
  try {
    return values(run());
  } catch (error) {
    return { ...error, name: error.constructor.name, message: error.message };
  }
};

test('scatter_ of tensors and numbers gives what scatter gives, its copying twin', () => {
  for (const options of [undefined, {}, { reduce: undefined }, ...words.map((reduce) => ({ reduce })), Object.create({ reduce: 'add' }), Object.freeze({ reduce: 'add' })]) {
    for (const from of [src(), 3, -0, 0.1]) {
      for (const dim of [1, -1, 0]) {
        const t = make();
        const expected = values(make().scatter(dim, index(), from, options));
        assert.equal(t.scatter_(dim, index(), from, options), t);
        assert.deepEqual(values(t), expected);
      }
    }
  }
});

test('the other scatters in place give of tensors what they give of arrays', () => {
  const rows = [2, 0, 2];
  const updates = Array.from({ length: 3 }, (_, k) => Array(5).fill(k + 2));
  const arrays = outcome(() => scatter_mul(make(Parameter), rows, updates));
  assert.deepEqual(outcome(() => scatter_mul(make(Parameter), new Tensor(rows, { dtype: 'int32' }), new Tensor(updates))), arrays);
  assert.deepEqual(outcome(() => scatter_mul(make(), new Tensor(rows, { dtype: 'int64' }), 2)), outcome(() => scatter_mul(make(), rows, 2)));
  const along = [[[0, 1, 1]], [[1, 2, 3]]];
  assert.deepEqual(
    outcome(() => make().scatter_add_(1, new Tensor(along[0], { dtype: 'int32' }), new Tensor(along[1]))),
    outcome(() => make().scatter_add_(1, ...along)),
  );
  const tuples = [[[0, 1], [2, -1], [0, 1]], [1, 2, 3]];
  assert.deepEqual(
    outcome(() => make().scatter_add_(new Tensor(tuples[0], { dtype: 'int32' }), new Tensor(tuples[1]))),
    outcome(() => make().scatter_add_(...tuples)),
  );
});

test('errors of scatter_ are those of scatter', () => {
  const freed = src();
  freed.dispose();
  const same = { reduce: 'add' };
  const calls = [
    [2, index(), src(), same],
    [1.5, index(), src(), same],
    [NaN, index(), src(), same],
    ['1', index(), src(), same],
    [1, index().astype('float32'), src(), same],
    [1, new Tensor([[5]], { dtype: 'int32' }), 1, same],
    [1, new Tensor([[0, 0, 0, 0, 0, 0]], { dtype: 'int32' }), 1, same],
    [1, index(), src().astype('int32'), same],
    [1, index(), freed, same],
    [1, freed, 1, same],
    [1, index(), Object.create(Tensor.prototype), same],
    [1, index(), 1e39, same],
    [1, index(), src(), { reduce: 'sum' }],
    [1, index(), src(), { reduce: 1 }],
    [1, index(), src(), { mode: 'add' }],
    [1, index(), src(), null],
    [1, index(), src(), []],
    [1, index(), src(), { get reduce() { throw new Error('mine'); } }],
  ];
  for (const [k, call] of calls.entries()) {
    const t = make();
    const got = outcome(() => t.scatter_(...call));
    const expected = outcome(() => make().scatter(...call));
    assert.ok(expected.code, `call ${k} is refused`);
    const text = JSON.stringify(expected).replaceAll('Tensor.scatter', 'Tensor.scatter_')
      .replace('use scatter_nd, where the last one stays, scatter_add or scatter_reduce', 'use scatter_nd_, where the last one stays, scatter_add_ or scatter_reduce_');
    const inPlace = JSON.parse(text);
    assert.deepEqual(JSON.parse(JSON.stringify(got)), inPlace, `call ${k}`);
    assert.deepEqual(values(t), values(make()), `call ${k} wrote nothing`);
  }
  assert.throws(() => freed.scatter_(1, index(), src()), { code: 'disposed' });
});

test('operands that are self, or share its data', () => {
  const t = new Tensor([[1, 0], [0, 1]], { dtype: 'int32' });
  t.scatter_(1, t, t, { reduce: 'add' });
  assert.deepEqual(values(t), [1, 1, 0, 2]);
  const u = new Tensor([[1, 0], [0, 1]], { dtype: 'int32' });
  const copy = u.clone();
  u.scatter_(1, copy, copy, { reduce: 'add' });
  assert.deepEqual(values(u), [1, 1, 0, 2]);
  assert.deepEqual(values(copy), [1, 0, 0, 1]);
});

test('options that dispose of an operand or write to self while they are read', () => {
  const t = make();
  const other = src();
  assert.throws(() => t.scatter_(1, index(), other, { get reduce() { other.dispose(); return 'add'; } }), { code: 'disposed' });
  assert.deepEqual(values(t), values(make()));
  const into = new Float32Array(15);
  const got = t.data_sync({ get out() { t.scatter_(1, index(), 9); return into; } });
  assert.equal(got, into);
});

test('data({ out }) fills the array that it was given', async () => {
  const t = make();
  const whole = new Float32Array(17).fill(-1);
  const part = whole.subarray(1, 16);
  assert.equal(await t.data({ out: part }), part);
  assert.deepEqual([...whole], [-1, ...values(make()), -1]);
  assert.equal(t.data_sync({ out: part }), part);
  assert.throws(() => t.data_sync({ out: new Float32Array(14) }), { code: 'shape-mismatch' });
  assert.throws(() => t.data_sync({ out: new Int32Array(15) }), { code: 'invalid-argument' });
  assert.throws(() => t.data_sync({ out: part, into: part }), { code: 'unknown-option' });
  assert.throws(() => t.data_sync({ get out() { throw new Error('mine'); } }), { code: 'invalid-argument' });
  const flags = new Tensor([true, false]);
  assert.deepEqual([...flags.data_sync({ out: new Uint8Array(2) })], [1, 0]);
});

/** A typed array with false properties. */
class Liar extends Float32Array {
  get length() { return 2; }
  get byteLength() { return 8; }
  get [Symbol.toStringTag]() { return 'Float64Array'; }
}

test('a new tensor of a typed array is the same with one option more or less', () => {
  const shapes = [
    undefined, [], [1], [15], [3, 5], [5, 3, 1], [-1, 15], [3, 0], [0], [4, 4], [1.5, 10], ['3', 5], [3n, 5], [, 5], [NaN], [2 ** 32, 1], [2 ** 40],
    Array(8).fill(1), [15, ...Array(7).fill(1)], [15, ...Array(8).fill(1)], [15, ...Array(31).fill(1)], [15, ...Array(32).fill(1)],
    Int32Array.of(3, 5), '15', 15, null, { length: 0 }, new Proxy([3, 5], {}),
  ];
  const flags = Uint8Array.from({ length: 15 }, (_, k) => k);
  const data = [
    Float32Array.from(flags), BigInt64Array.from(flags, BigInt), new Uint8ClampedArray(flags), new Uint16Array(20).subarray(5), new Float32Array(0),
    flags.subarray(3, 4), Int16Array.of(-7),
  ];
  for (const array of data) {
    for (const shape of shapes) {
      const describe = (options) => {
        let facts = ['', [], 'cpu']; // without a tensor to look at
        // `outcome` reads values by data_sync(), which here gives the dtype and the shape as well.
        const found = outcome(() => {
          const t = new Tensor(array, options);
          facts = [t.name, t.lod, t.device];
          return Object.assign(t, { data_sync: () => [t.dtype, ...t.shape, ...Tensor.prototype.data_sync.call(t)] });
        });
        assert.deepEqual(facts, ['', [], 'cpu']); // not within `outcome`, which catches
        return found;
      };
      const expected = describe({ shape, name: undefined });
      for (const options of [{ shape }, { shape, device: 'cpu' }]) {
        assert.deepEqual(describe(options), expected, `${array.constructor.name} of ${array.length} as ${String(shape)}`);
      }
    }
    assert.deepEqual(outcome(() => new Tensor(array)), [...array]);
  }
  const wrong = [null, [], 'shape', () => {}, { get shape() { throw new Error('mine'); } }];
  for (const options of wrong) assert.throws(() => new Tensor(flags, options), { code: 'invalid-argument' });
  assert.throws(() => new Tensor(flags, { shapes: [15] }), { code: 'unknown-option' });
  assert.throws(() => new Tensor(flags, { shape: [15], device: 'gpu' }), { code: 'unknown-device' });
});

test('arrays that change while they are looked at, or say what is not so', () => {
  const detach = ({ buffer }) => structuredClone(buffer, { transfer: [buffer] });
  const gone = Float32Array.of(1, 2, 3);
  assert.throws(() => new Tensor(gone, { get shape() { if (gone.length) detach(gone); return [3]; } }), Error);
  const later = Float32Array.of(1, 2, 3);
  assert.throws(() => new Tensor(later, { shape: new Proxy([3], { get: (target, key) => (key === '0' && later.length && detach(later), target[key]) }) }), Error);
  // A shape that throws when it is read once more; options that make memory grow, which takes away what is being filled in.
  const once = new Set();
  const throwing = new Proxy([3], { get: (target, key) => { if (once.has(key)) throw new Error('mine'); if (key === '0') once.add(key); return target[key]; } });
  assert.deepEqual(values(new Tensor(Float32Array.of(1, 2, 3), { shape: throwing })), [1, 2, 3]);
  const growing = { get shape() { Tensor.zeros([1 << 24]).dispose(); return [3]; } };
  assert.deepEqual(values(new Tensor(Float32Array.of(1, 2, 3), growing)), [1, 2, 3]);
  const liar = new Liar([1, 2, 3, 4]);
  assert.deepEqual([new Tensor(liar).dtype, ...values(new Tensor(liar))], ['float32', 1, 2, 3, 4]);
  const view = Object.defineProperty(new DataView(new ArrayBuffer(8)), Symbol.toStringTag, { value: 'Float32Array' });
  assert.throws(() => new Tensor(view), { name: 'TypeError' });
  assert.deepEqual(values(make()), Array.from({ length: 15 }, (_, k) => k + 1));
});

test('memory that is not to be had is an error, and what there is stays', { skip: !memory && 'the instance was not seen' }, () => {
  const three = new Tensor([3]);
  const [column, row] = [Tensor.zeros([1 << 14, 1]), Tensor.zeros([1, 1 << 12])];
  // All of the address space is taken, which costs no memory: nobody touches the pages.
  for (let pages = 1 << 15; pages >= 1; pages >>= 1) {
    try {
      for (;;) memory.grow(pages);
    } catch {}
  }
  const bytes = 1 << 28;
  const refused = { code: 'out-of-memory', message: new RegExp(`${bytes} bytes could not be allocated; dispose of tensors .* scope\\(\\)`) };
  assert.throws(() => Tensor.zeros([bytes / 4]), refused);
  assert.throws(() => Tensor.full([bytes / 8], 1, { dtype: 'float64' }), refused);
  assert.throws(() => column.mul(row), refused);
  assert.deepEqual(values(three), [3]);
  assert.deepEqual(values(make().scatter_(1, new Tensor([[0]], { dtype: 'int32' }), 7)).slice(0, 2), [7, 2]);
});
