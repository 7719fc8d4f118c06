// What vectors, caches and shortcuts of the CPU compute is what the definitions say, for lengths around those of a vector and of a window.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { init, searchsorted, Tensor } from 'scatterwise';

before(() => init({ device: 'cpu' }));

let state = 1;
const random = (n) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
const list = (length, of) => Array.from({ length }, (_, at) => of(at));

/** The place of an index value by a mode; undefined if its entry is skipped. */
function place(value, size, mode) {
  const length = BigInt(size);
  if (mode === 'wrap') return Number(((value % length) + length) % length);
  if (mode === 'clip') return Number(value < 0n ? 0n : value < length ? value : length - 1n);
  const counted = value < 0n ? value + length : value;
  return counted >= 0n && counted < length ? Number(counted) : undefined;
}

const counting = (length) => new Tensor(Int32Array.from({ length }, (_, at) => at));
const read = (tensor) => [...tensor.data_sync()];

const far = [-(2n ** 63n), -(2n ** 40n), -(2n ** 31n), 2n ** 31n - 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 63n - 1n];
const modes = ['wrap', 'clip', 'drop'];

test('modes and ignored values: one number', () => {
  for (const length of [0, 1, 3, 4, 5, 8, 63, 1023, 1024, 1025, 2051]) {
    for (const size of [1, 5, 1000]) {
      for (const spread of [1, 3, 9]) {
        const values = list(length, () => BigInt(random(size * spread) - Math.floor((size * spread) / 2)));
        for (const dtype of ['int32', 'int64']) {
          const own = values.map((value) => (random(50) === 0 ? far[random(far.length)] : value));
          const given = dtype === 'int64' ? own : values;
          const index = new Tensor(dtype === 'int64' ? BigInt64Array.from(given) : Int32Array.from(given, Number));
          for (const mode of modes) {
            for (const ignore_index of [undefined, 2n, -1n, 77777n, ...(dtype === 'int64' ? far.slice(0, 2) : [])]) {
              const expected = given.map((value) => (value === ignore_index ? undefined : place(value, size, mode)));
              const table = counting(size);
              const options = { mode, ...(ignore_index === undefined ? {} : { ignore_index }) };
              const message = `${length} into ${size}, ${spread}, ${dtype}, ${mode}, ${ignore_index}`;
              assert.deepEqual(read(table.gather(0, index, { ...options, fill_value: -5 })), expected.map((at) => at ?? -5), message);
              const sums = list(size, (at) => at);
              expected.forEach((at, entry) => at === undefined || (sums[at] += entry));
              assert.deepEqual(read(table.scatter_add(0, index, counting(length), options)), sums, message);
            }
          }
        }
      }
    }
  }
});

test('modes and ignored values: tuples', () => {
  for (const sizes of [[3, 5], [4, 1, 7], [2, 3, 2, 5]]) {
    const table = counting(sizes.reduce((one, two) => one * two)).reshape(sizes);
    for (const length of [0, 1, 5, 1027]) {
      for (const dtype of ['int32', 'int64']) {
        for (const reach of [0, 1, 4]) {
          const tuples = list(length, () => sizes.map((size) => BigInt(random(size * (1 + reach)) - random(1 + size * reach))));
          const flat = tuples.flat();
          const index = new Tensor(dtype === 'int64' ? BigInt64Array.from(flat) : Int32Array.from(flat, Number), { shape: [length, sizes.length] });
          for (const mode of modes) {
            for (const ignore_index of [undefined, 1n, -9n]) {
              const expected = tuples.map((tuple) => {
                const places = tuple.map((value, at) => place(value, sizes[at], mode));
                if (tuple.includes(ignore_index) || places.includes(undefined)) return -5;
                return places.reduce((sum, at, number) => sum * sizes[number] + at, 0);
              });
              const options = { mode, fill_value: -5, ...(ignore_index === undefined ? {} : { ignore_index }) };
              assert.deepEqual(read(table.gather_nd(index, options)), expected, `${length} of ${sizes}, ${dtype}, ${mode}, ${ignore_index}`);
            }
          }
        }
      }
    }
  }
});

test('a value that a mode refuses is reported, wherever it stands', () => {
  const table = Tensor.zeros([10]);
  for (const length of [1, 4, 7, 1500]) {
    for (const at of [0, length >> 1, length - 1]) {
      const values = list(length, (entry) => (entry === at ? 10 : entry % 3 === 0 ? -1 : 9));
      const index = new Tensor(Int32Array.from(values));
      assert.throws(() => table.gather(0, index, { ignore_index: -1 }), { code: 'index-out-of-range', position: [at], value: 10 });
      assert.equal(table.gather(0, index, { ignore_index: 10 }).size, length);
    }
  }
  for (const mode of ['wrap', 'clip']) {
    assert.throws(() => Tensor.zeros([0]).gather(0, [0, 0, 0, 0, 0], { mode }), { code: 'index-out-of-range', position: [0] });
    assert.deepEqual(read(Tensor.zeros([0]).gather(0, [7, 7, 7, 7, 7], { mode, ignore_index: 7 })), [0, 0, 0, 0, 0]);
  }
});

test('the largest and smallest half are those of float32', () => {
  const specials = [0, -0, 6e-8, -6e-8, 1, -1, 1.5, 65504, -65504, Infinity, -Infinity, NaN];
  for (const dtype of ['float16', 'bfloat16']) {
    for (const width of [1, 2, 7, 8, 9, 16, 40]) {
      const numbers = list(64 * width, (at) => (at % 3 === 0 ? specials[random(random(20) === 0 ? 12 : 11)] : random(2000) - 1000));
      const halves = new Tensor(Float32Array.from(numbers), { shape: [64, width] }).astype(dtype);
      const floats = halves.astype('float32');
      const rows = new Tensor(Int32Array.from(list(64 * width, () => random(40))));
      for (const word of ['amax', 'amin']) {
        for (const dim of [0, 1, undefined]) {
          assert.ok(halves[word](dim).astype('float32').equals(floats[word](dim)), `${word} ${dtype} ${width} ${dim}`);
          assert.ok(halves[`arg${word.slice(1)}`](dim).equals(floats[`arg${word.slice(1)}`](dim)), `arg ${word} ${dtype} ${width} ${dim}`);
        }
        const [one, other] = [halves, floats].map((x) => Tensor.zeros([40], { dtype: x.dtype }).scatter_reduce(0, rows, x.reshape([64 * width]), word, { include_self: false }));
        assert.ok(one.astype('float32').equals(other), `scatter ${word} ${dtype} ${width}`);
      }
    }
  }
});

test('edges are searched as they are now, however few elements there are', () => {
  for (const dtype of ['float32', 'float64', 'int32', 'int64', 'float16', 'uint8', 'uint64']) {
    const whole = !dtype.startsWith('float');
    for (const count of [0, 1, 2, 5, 8, 9, 16, 17, 200, 2000]) {
      const step = dtype === 'uint8' || dtype === 'float16' ? count / 200 : 1;
      const edges = new Tensor(Float64Array.from(list(count, (at) => Math.floor(at / 3 / Math.max(step, 1))))).astype(dtype);
      const numbers = read(edges.astype('float64'));
      for (const right of [false, true]) {
        for (const x of [[], [-1], [0, 3], list(300, () => random(700) / 2)]) {
          const expected = x.map((value) => BigInt(numbers.filter((edge) => (right ? edge <= value : edge < value)).length));
          const many = new Tensor(Float64Array.from(x));
          assert.deepEqual(read(searchsorted(edges, many, { right })), expected, `${dtype} ${count}`);
          assert.deepEqual(read(searchsorted(edges, many, { right })), expected, `${dtype} ${count}, known`);
        }
        const own = numbers.slice(0, 3);
        const expected = own.map((value) => BigInt(numbers.filter((edge) => (right ? edge <= value : edge < value)).length));
        assert.deepEqual(read(searchsorted(edges, new Tensor(Float64Array.from(own)).astype(dtype), { right })), expected, `${dtype} ${count}, one dtype`);
      }
      // A write makes the caller's edges unknown again.
      for (const at of new Set([1, count >> 1, count - 1].filter((at) => at > 0 && Number(numbers[at - 1]) > 0))) {
        const before = edges.clone();
        edges.scatter_(0, [at], 0);
        assert.throws(() => searchsorted(edges, [1]), { code: 'invalid-argument', argument: 'edges', position: [at] }, `${dtype} ${count} ${at} ${whole}`);
        assert.equal(searchsorted(before, [1]).size, 1);
        edges.scatter_(0, [at], numbers[at]);
      }
    }
  }
  for (const dtype of ['float16', 'float32', 'float64']) {
    const edges = new Tensor([-1, -0, 0, -0, 3, NaN, NaN]).astype(dtype);
    for (let round = 0; round < 2; round++) assert.deepEqual(read(searchsorted(edges, [0, 9, NaN])), [1n, 5n, 5n]);
    assert.throws(() => searchsorted(new Tensor([0, NaN, 1]).astype(dtype), [1]), { position: [2] });
  }
});
