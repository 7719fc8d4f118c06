// What vectors, caches and shortcuts of the CPU compute is what the definitions say, for lengths around those of a vector and of a window.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { IndexPlan, init, searchsorted, spmm, Tensor, unique } from 'scatterwise';

before(() => init({ device: 'cpu' }));

let state = 1;
const random = (n) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
const list = (length, of) => Array.from({ length }, (_, at) => of(at));

/** The place of an index value by a mode; undefined if its entry is skipped. */
function place(value, size, mode) {
  const length = BigInt(size);
  if (mode === 'wrap') return Number(((value % length) + length) % length);
  if (mode === 'clip') return Number(value < 0n ? 0n : value < length ? value : length - 1n);
  const counted = value < 0n && mode !== 'inside' ? value + length : value;
  return counted >= 0n && counted < length ? Number(counted) : undefined;
}

const counting = (length) => new Tensor(Int32Array.from({ length }, (_, at) => at));
const read = (tensor) => [...tensor.data_sync()];
/** Whether two tensors have the same dtype, shape and elements; every NaN is one. `equals` says that by a promise, which is always true. */
function areEqual(one, other) {
  const [values, others] = [one, other].map((t) => (t.dtype.includes('float') ? t.astype('float64') : t).data_sync());
  return one.dtype === other.dtype && String(one.shape) === String(other.shape) && values.every((value, at) => Object.is(value, others[at]));
}

const far = [-(2n ** 63n), -(2n ** 40n), -(2n ** 31n), 2n ** 31n - 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 63n - 1n];
const dtypes = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'bfloat16', 'float32', 'float64'];
const modes = ['wrap', 'clip', 'drop', 'inside'];

test('modes and ignored values: one number', () => {
  for (const length of [0, 1, 3, 4, 5, 8, 63, 1023, 1024, 1025, 2051]) {
    for (const size of [1, 5, 1000]) {
      for (const spread of [1, 3, 9]) {
        const values = list(length, () => BigInt(random(size * spread) - Math.floor((size * spread) / 2)));
        for (const dtype of ['int32', 'int64']) {
          const ends = far.filter((value) => dtype === 'int64' || value === BigInt.asIntN(32, value));
          const given = values.map((value) => (random(50) === 0 ? ends[random(ends.length)] : value));
          const index = new Tensor(dtype === 'int64' ? BigInt64Array.from(given) : Int32Array.from(given, Number));
          for (const mode of modes) {
            for (const ignore_index of [undefined, 2n, -1n, 77777n, ...ends.slice(0, 2)]) {
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
              const message = `${length} of ${sizes}, ${dtype}, ${mode}, ${ignore_index}`;
              assert.deepEqual(read(table.gather_nd(index, options)), expected, message);
              const sums = list(table.size, (at) => at);
              expected.forEach((at, entry) => at < 0 || (sums[at] += entry));
              const { fill_value, ...others } = options;
              assert.deepEqual(read(table.scatter_nd(index, counting(length), { ...others, reduce: 'add' })), sums, message);
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
          assert.ok(areEqual(halves[word](dim).astype('float32'), floats[word](dim)), `${word} ${dtype} ${width} ${dim}`);
          assert.ok(areEqual(halves[`arg${word.slice(1)}`](dim), floats[`arg${word.slice(1)}`](dim)), `arg ${word} ${dtype} ${width} ${dim}`);
        }
        const [one, other] = [halves, floats].map((x) => Tensor.zeros([40], { dtype: x.dtype }).scatter_reduce(0, rows, x.reshape([64 * width]), word, { include_self: false }));
        assert.ok(areEqual(one.astype('float32'), other), `scatter ${word} ${dtype} ${width}`);
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

test('distinct elements are counted as they are sorted', async () => {
  for (const [dtype, least, most] of [['int32', -1000, 500], ['int64', -5, 1e9], ['uint8', 0, 255], ['int8', -128, 127], ['int16', -300, 300], ['uint32', 4e9, 4e9 + 999], ['uint64', 0, 3], ['float16', -2, 2], ['bool', 0, 1], ['float32', 0, 3]]) {
    for (const length of [0, 1, 2, 200, 5000]) {
      const numbers = new Tensor(Float64Array.from(list(length, () => least + random(most - least + 1)))).astype(dtype);
      const plain = (x) => read(dtype === 'float16' ? x.astype('float32') : x); // bits otherwise
      const given = plain(numbers);
      const { values, index, inverse, counts } = await unique(numbers);
      const expected = [...new Set(given)].sort((one, other) => (one < other ? -1 : 1));
      const message = `${dtype} ${length}`;
      assert.deepEqual(plain(values), expected, message);
      assert.deepEqual(read(index), expected.map((value) => BigInt(given.indexOf(value))), message);
      const places = new Map(expected.map((value, at) => [value, BigInt(at)]));
      assert.deepEqual(read(inverse), given.map((value) => places.get(value)), message);
      const times = new Map();
      for (const value of given) times.set(value, (times.get(value) ?? 0n) + 1n);
      assert.deepEqual(read(counts), expected.map((value) => times.get(value)), message);
    }
  }
  const { values, index, inverse, counts } = await unique(new Tensor([2, NaN, -0, 0, -1, NaN]).astype('float16'));
  assert.deepEqual(read(values.astype('float32')), [-1, -0, 2, NaN]);
  assert.deepEqual([read(index), read(inverse), read(counts)], [[4n, 2n, 0n, 1n], [2n, 3n, 1n, 1n, 0n, 3n], [1n, 2n, 1n, 2n]]);
});

test('rows of one and two elements are sorted stably, and so are columns', () => {
  const pairs = [[1, 2], [2, 1], [3, 3], [0, -0], [-0, 0], [NaN, 1], [1, NaN], [NaN, NaN], [-1, -2]];
  for (const dtype of ['float32', 'float64', 'float16']) {
    for (const descending of [false, true]) {
      const rows = new Tensor(pairs).astype(dtype);
      const expected = pairs.flatMap(([one, other]) => {
        const swap = Number.isNaN(one) ? !Number.isNaN(other) : descending ? other > one : other < one;
        return swap ? [1n, 0n] : [0n, 1n];
      });
      const { values, indices } = rows.sort(1, { descending });
      assert.deepEqual(read(indices), expected, dtype);
      assert.deepEqual(read(values.astype('float64')), pairs.flatMap((pair, at) => [pair[Number(expected[2 * at])], pair[Number(expected[2 * at + 1])]]), dtype);
      const columns = new Tensor([pairs.map(([one]) => one), pairs.map(([, other]) => other)]).astype(dtype);
      const across = read(columns.argsort(0, { descending }));
      assert.deepEqual(pairs.flatMap((_, at) => [across[at], across[pairs.length + at]]), expected, dtype);
    }
  }
  for (const shape of [[5, 1], [1, 5], [2, 1, 3]]) {
    const t = new Tensor(Int32Array.from(list(shape.reduce((one, two) => one * two), () => random(9))), { shape });
    const dim = shape.indexOf(1);
    const { values, indices } = t.sort(dim);
    assert.ok(areEqual(values, t) && read(indices).every((at) => at === 0n), `${shape}`);
    const before = t.clone();
    values.add_(1);
    assert.ok(areEqual(t, before), 'the sorted elements are a tensor of their own');
  }
});

test('a sparse product is the calls that it replaces, for every dtype and width', () => {
  for (const dtype of dtypes) {
    for (const width of [1, 2, 3, 5, 8, 17, 40]) {
      for (const length of [0, 1, 300, 700]) {
        const [rows, columns] = [list(length, () => random(7)), list(length, () => random(5))];
        const factors = new Tensor(Float32Array.from(list(length, () => random(4)))).astype(dtype);
        const dense = new Tensor(Float32Array.from(list(5 * width, () => random(5))), { shape: [5, width] }).astype(dtype);
        for (const ignore_index of [undefined, 3]) {
          const kept = list(length, (at) => at).filter((at) => rows[at] !== ignore_index && columns[at] !== ignore_index);
          const [own, picked] = [rows, columns].map((index) => new Tensor(Int32Array.from(kept, (at) => index[at])));
          const all = dense.index_select(0, picked);
          const weights = factors.index_select(0, new Tensor(Int32Array.from(kept))).reshape([kept.length, 1]);
          const across = new Tensor(Int32Array.from(list(kept.length * width, (at) => rows[kept[Math.floor(at / width)]])), { shape: [kept.length, width] });
          for (const values of [factors, undefined]) {
            const products = values ? all.mul(weights) : all;
            const zeros = Tensor.zeros([7, width], { dtype });
            const options = { size: 7, ...(ignore_index === undefined ? {} : { ignore_index }) };
            const made = [rows, columns].map((index) => new Tensor(Int32Array.from(index)));
            const message = `${dtype} ${width} ${length} ${ignore_index} ${values === undefined}`;
            assert.ok(areEqual(spmm(...made, values, dense, options), zeros.index_add(0, own, products)), `sum ${message}`);
            const largest = zeros.scatter_reduce(0, across, products, 'amax', { include_self: false });
            assert.ok(areEqual(spmm(...made, values, dense, { ...options, reduce: 'amax' }), largest), `amax ${message}`);
          }
        }
      }
    }
  }
});

test('a read by a tensor of uint64 ignores the raw value', () => {
  const table = new Tensor([10, 20, 30], { dtype: 'int32' });
  const read = (values, options) => [...table.gather(0, new Tensor(BigUint64Array.from(values)), { fill_value: -1, ...options }).data_sync()];
  assert.deepEqual(read([0n, 2n ** 64n - 1n], { ignore_index: 2n ** 64n - 1n }), [10, -1]);
  assert.deepEqual(read([255n, 1n], { mode: 'wrap', ignore_index: 255 }), [-1, 20]);
  assert.deepEqual(read([3n], { mode: 'wrap', ignore_index: 0 }), [10]);
  assert.deepEqual(read([2n ** 64n - 1n], { mode: 'wrap', ignore_index: -1 }), [10]); // 2^64 - 1 is a multiple of 3
  for (const ignore_index of [-1, 2n ** 63n - 1n, 2n ** 64n]) {
    assert.throws(() => read([2n ** 64n - 1n], { ignore_index }), { code: 'index-out-of-range', position: [0] });
  }
});

test('extremes and means by sparse products, into tables that fit the caches and that do not', () => {
  for (const size of [1, 3000, 263_000]) {
    for (const dtype of ['float32', 'int32', 'float64', 'uint8']) {
      for (const width of [1, 2]) {
        const length = 4099;
        const numbers = list(40, () => random(200));
        const special = dtype.startsWith('float') ? [-0, 0, NaN, -Infinity, Infinity, -7.5] : [0, 0, 1, 255, 3, 4];
        const dense = new Tensor([...special, ...numbers], { dtype }).index_select(0, new Tensor(Int32Array.from({ length: 32 * width }, () => random(46)))).reshape([32, width]);
        const values = new Tensor(list(length, () => random(3)), { dtype });
        const rows = list(length, () => random(size));
        const columns = list(length, () => random(32));
        const products = dense.index_select(0, columns).mul(values.reshape([length, 1]));
        for (const reduce of ['amax', 'amin', 'mean']) {
          const across = IndexPlan.select([size, width], 0, rows);
          const reduced = Tensor.zeros([size, width], { dtype }).scatter_reduce(across, products, reduce, { include_self: false });
          const expected = reduce === 'mean' ? reduced.add(0) : reduced; // a sum of a product begins at +0
          const message = `${reduce} of ${dtype} into [${size}, ${width}]`;
          assert.ok(areEqual(spmm(rows, columns, values, dense, { size, reduce }), expected), message);
          assert.ok(areEqual(spmm(across, columns, values, dense, { reduce }), expected), `${message}, with a plan`);
          const dropped = spmm([...rows, size], [...columns, 0], new Tensor([...read(values), 1], { dtype }), dense, { size, reduce, mode: 'drop' });
          assert.ok(areEqual(dropped, expected), `${message}, with a row that is dropped`);
        }
      }
    }
  }
});

test('extremes of half types into few slots have the bits that an order of the numbers gives', () => {
  for (const [dtype, infinity] of [['float16', 0x7c00], ['bfloat16', 0x7f80]]) {
    const ends = [0, 1, infinity - 1, infinity, infinity + 1, 0x7fff].flatMap((bits) => [bits, bits | 0x8000]);
    const tensor = (bits, shape) => new Tensor(Uint16Array.from(bits).buffer, { dtype, shape });
    const bitsOf = (t) => [...new Uint16Array(t.data_sync().slice().buffer)];
    /** Where a number stands: the highest wins. Every NaN is above the numbers. */
    const rank = (bits, sign) => {
      const magnitude = bits & 0x7fff;
      if (magnitude > infinity) return Infinity;
      return sign * (bits & 0x8000 ? -1 - magnitude : magnitude);
    };
    const same = (one, other) => one === other || (rank(one, 1) === Infinity && rank(other, 1) === Infinity);
    const kinds = {
      numbers: () => random(infinity) | (random(2) << 15),
      all: () => random(0x10000),
      ends: () => ends[random(ends.length)],
      ascending: (at) => at % infinity,
      descending: (at) => infinity - (at % infinity),
    };
    for (const [reduce, sign] of [['amax', 1], ['amin', -1]]) {
      for (const [kind, of] of Object.entries(kinds)) {
        for (const [size, length, columns] of [[1, 17, 1], [1, 40, 1], [3, 403, 1], [20, 4103, 1], [5, 515, 2], [5, 515, 3]]) {
          for (const isSorted of [false, true]) {
            const rows = list(length * columns, () => random(size));
            if (isSorted) rows.sort((one, other) => one - other);
            const [table, src] = [list(size * columns, of), list(length * columns, of)];
            const expected = [...table];
            src.forEach((bits, at) => {
              const slot = rows[at] * columns + (at % columns);
              if (rank(bits, sign) > rank(expected[slot], sign)) expected[slot] = bits;
            });
            const index = new Tensor(Int32Array.from(rows), { shape: [length, columns] });
            const got = bitsOf(tensor(table, [size, columns]).scatter_reduce(0, index, tensor(src, [length, columns]), reduce));
            const message = `${reduce} of ${length} x ${columns} ${kind} into ${size}, ${dtype}, ${isSorted}`;
            got.forEach((bits, at) => assert.ok(same(bits, expected[at]), `${message}: ${bits} for ${expected[at]} at ${at}`));
            // One entry alone takes another loop: the same bits, also of a NaN.
            if (length > 100) continue;
            const one = tensor(table, [size, columns]);
            rows.forEach((row, at) => one.scatter_reduce_(0, [[row]], tensor([src[at]], [1, 1]), reduce));
            assert.deepEqual(got, bitsOf(one), message);
          }
        }
      }
    }
  }
});

test('integers divided by one power of two', () => {
  const arrays = { int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array };
  for (const [dtype, Numbers] of Object.entries(arrays)) {
    const bits = Numbers.BYTES_PER_ELEMENT * 8;
    const isSigned = dtype.startsWith('int');
    const fitted = (value) => (isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));
    const numbers = (values) => Numbers.from(values, bits === 64 ? (value) => value : Number);
    // The last one is the sign of signed integers: a negative divisor.
    for (let power = 0; power < bits; power++) {
      const divisor = fitted(1n << BigInt(power));
      const near = [0n, 1n, -1n, divisor, divisor - 1n, divisor + 1n, -divisor, -divisor - 1n, 1n - divisor, 1n << BigInt(bits - 1), (1n << BigInt(bits - 1)) + 1n, (1n << BigInt(bits - 1)) - 1n];
      const values = list(37, (at) => fitted(at < near.length ? near[at] : BigInt(random(2 ** 32)) * BigInt(random(2 ** 32))));
      for (const rounding of ['floor', 'trunc']) {
        const expected = values.map((value) => {
          const cut = value / divisor;
          return fitted(rounding === 'floor' && cut * divisor !== value && value < 0n !== divisor < 0n ? cut - 1n : cut);
        });
        for (const shape of [[], [1]]) {
          const [x, y] = [new Tensor(numbers(values)), new Tensor(numbers([divisor]), { shape })];
          const message = `${dtype} by ${divisor}, ${rounding}, [${shape}]`;
          assert.deepEqual(read(x.div(y, { rounding })).map(BigInt), expected, message);
          assert.deepEqual(read(x.div_(y, { rounding })).map(BigInt), expected, `${message}, in place`);
        }
      }
    }
  }
});
