// Values on, just below and just above every edge are counted in the right bin: the loops of the package find many bins at a time.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { bincount, binned_statistic, histogram, histogramdd, init, Tensor } from 'scatterwise';

before(() => init({ device: 'cpu' }));

const dtypes = ['float16', 'float32', 'float64', 'int16', 'int32', 'uint32', 'int64', 'uint64'];

/** The float32 or float64 numbers beside a number. */
const bits = new DataView(new ArrayBuffer(8));
function beside(value, isSingle) {
  if (value === 0) return [-Number.MIN_VALUE, Number.MIN_VALUE];
  return [-1, 1].map((step) => {
    if (isSingle) {
      bits.setFloat32(0, value);
      bits.setInt32(0, bits.getInt32(0) + step);
      return bits.getFloat32(0);
    }
    bits.setFloat64(0, value);
    bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(step));
    return bits.getFloat64(0);
  });
}

/** The bin by its definition: the last one has both of its edges. The number of bins for a value outside. */
function binOf(edges, value) {
  const bins = edges.length - 1;
  if (value === edges[bins]) return edges.findLastIndex((edge) => edge < value);
  const after = edges.findIndex((edge) => edge > value);
  return after > 0 ? after - 1 : bins;
}

/** Edges of equal bins as NumPy makes them. */
const uniform = (low, high, bins) => Array.from({ length: bins + 1 }, (_, at) => (at === bins ? high : at * ((high - low) / bins) + low));

const specs = [
  { name: 'unit bins', range: [0, 256], bins: 256 },
  { name: 'unit bins around 0', range: [-20, 20], bins: 40 },
  { name: 'multiples of 0.1', range: [0, 25.6], bins: 256 },
  { name: 'bins of 3', range: [-3, 30], bins: 11 },
  { name: 'given whole numbers', bins: uniform(0, 100, 100) },
  { name: 'given tenths', bins: Array.from({ length: 101 }, (_, at) => at / 10) },
  { name: 'given halves from a large number', bins: uniform(65536, 65600, 128) },
  { name: 'given, far from equal', bins: [-5, 0, 1, 2, 64, 65, 1000] },
  { name: 'a single bin', range: [1, 2], bins: 1 },
];

/** Those whose numbers a dtype holds. */
const specsOf = (dtype) => specs.filter(({ name }) => !dtype.endsWith('16') || !name.includes('large'));

/** 2,100 and some values of a dtype: on, beside and between the edges, and outside. */
function valuesFor(dtype, edges) {
  const isFloat = dtype.startsWith('float');
  const isSigned = isFloat || dtype.startsWith('int');
  const around = edges.flatMap((edge) => (isFloat ? [edge, ...beside(edge, dtype === 'float32'), edge + 0.03] : [Math.floor(edge), Math.ceil(edge), Math.floor(edge) + 1, Math.floor(edge) - 1]));
  const special = isFloat ? [NaN, Infinity, -Infinity, -0, 3e38, -3e38, 1e-45] : [0, 1, 32767, ...(isSigned ? [-32768] : [])];
  const list = [...around, ...special].filter((value) => isSigned || value >= 0);
  return Array.from({ length: 2100 + list.length }, (_, k) => list[k % list.length]);
}

/** The elements of a tensor as numbers. */
const numbers = (tensor) => [...tensor.astype('float64').data_sync()];
const tensorOf = (dtype, values) => (dtype.endsWith('64') && dtype !== 'float64' ? new Tensor(values.map(BigInt), { dtype }) : new Tensor(values, { dtype }));

for (const dtype of dtypes) {
  test(`histogram of ${dtype}: values around edges`, () => {
    for (const { name, range, bins } of specsOf(dtype)) {
      const edges = range ? uniform(...range, bins) : bins;
      const x = tensorOf(dtype, valuesFor(dtype, edges));
      const result = histogram(x, { bins, range });
      const exact = numbers(result.edges);
      const expected = new Array(exact.length - 1).fill(0);
      for (const value of numbers(x)) {
        const bin = binOf(exact, value);
        if (bin < expected.length) expected[bin]++;
      }
      assert.deepEqual(numbers(result.hist), expected, name);
    }
  });

  test(`histogramdd of ${dtype}: values around edges`, () => {
    for (const one of specsOf(dtype).slice(0, 5)) {
      for (const other of specsOf(dtype).slice(2, 6)) {
        const edges = [one, other].map(({ range, bins }) => (range ? uniform(...range, bins) : bins));
        const [first, second] = edges.map((each) => valuesFor(dtype, each));
        const sample = first.flatMap((value, k) => [value, second[(k * 7) % second.length]]);
        const x = tensorOf(dtype, sample);
        const result = histogramdd(x.reshape([first.length, 2]), { bins: [one, other].map(({ bins }) => bins), range: [one.range ?? null, other.range ?? null] });
        const exact = result.edges.map(numbers);
        const sizes = exact.map((each) => each.length - 1);
        const expected = new Array(sizes[0] * sizes[1]).fill(0);
        const given = numbers(x);
        for (let k = 0; k < first.length; k++) {
          const [a, b] = [binOf(exact[0], given[2 * k]), binOf(exact[1], given[2 * k + 1])];
          if (a < sizes[0] && b < sizes[1]) expected[a * sizes[1] + b]++;
        }
        assert.deepEqual(numbers(result.hist), expected, `${one.name}, ${other.name}`);
      }
    }
  });
}

test('64-bit edges of 64-bit samples are compared exactly, as bigints and as typed arrays', () => {
  const [at, one, two] = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n];
  const x = BigInt64Array.of(at, one, one);
  const list = [at, one, two];
  for (const bins of [list, BigInt64Array.from(list), BigUint64Array.from(list), new Tensor(BigInt64Array.from(list))]) {
    const { hist, edges } = histogram(x, { bins });
    assert.deepEqual([...hist.data_sync()], [1n, 2n]);
    assert.deepEqual([...edges.data_sync()], list);
    assert.deepEqual([...histogramdd(new Tensor(x, { shape: [3, 1] }), { bins: [bins] }).hist.data_sync()], [1, 2]);
    assert.deepEqual([...binned_statistic(x, [1, 10, 100], 'sum', { bins: [bins] }).statistic.data_sync()], [1, 110]);
  }
  const times = BigInt64Array.from({ length: 100 }, (_, k) => 1_700_000_000_000_000_000n + BigInt(k)); // nanoseconds
  const hours = [times[0], times[50], times[99]];
  assert.deepEqual([...histogram(times, { bins: hours, weights: new Float32Array(100).fill(2) }).hist.data_sync()], [100, 100]);
  assert.throws(() => histogram(x, { bins: [two, one] }), { name: 'ValueError', argument: 'bins', position: [1] });
  // Beside samples of another dtype bigints are numbers, as before.
  assert.equal(histogram([0.5, 1], { bins: [0n, 1n] }).edges.dtype, 'float32');
});

test('bincount ignores any 64-bit value, of tensors, typed and plain arrays', () => {
  const M = 2n ** 63n;
  const forms = [(type, values) => new type(values), (type, values) => new Tensor(new type(values)), (type, values) => values];
  const counts = (form, type, values, ignore_index) => bincount(form(type, values), { ignore_index }).data_sync();
  const two = BigInt64Array.of(0n, 1n, 1n);
  for (const form of forms) {
    for (const ignored of [M, M + 1n, 2n * M - 1n]) assert.deepEqual(counts(form, BigUint64Array, [1n, ignored, 2n], ignored), two);
    for (const ignored of [-M, -1n, M - 1n]) assert.deepEqual(counts(form, BigInt64Array, [1n, ignored, 2n], ignored), two);
    for (const ignored of [-1, -1n, M - 1n, M + 1n]) assert.throws(() => counts(form, BigUint64Array, [1n, M, 2n], ignored), /holds 9223372036854775808/);
    for (const ignored of [2n * M, -M - 1n, 1e30]) assert.deepEqual(counts(form, BigInt64Array, [1n, 2n], ignored), two);
  }
});
