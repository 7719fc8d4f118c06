// Histograms on the CPU against what one would write without them: bins found in JavaScript, then a scatter that adds. A second table has
// values on edges (whole numbers in bins of width 1, one number everywhere, multiples of 0.1) against values off them, and against a loop
// in JavaScript that finds and counts.
//
//   npm run package && node benches/node/histogram.mjs [words of names]     (PACKAGE=<folder>: another package)
//
// Rounds are interleaved. Printed are medians, and the median of the rounds' own ratios. The JavaScript loop keeps its index
// from round to round, and finds bins by a subtraction and a multiplication: near an edge it may be wrong, where the library is not.

import { join } from 'node:path';
import { root } from '../../tools/shell.mjs';
import { compare } from './rounds.mjs';

const library = await import(join(process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise'), 'node.js'));
const { bincount, histogram, histogramdd, init, Tensor } = library;
await init({ device: 'cpu' });

const M = 1 << 20;
/** Numbers from 0 to 1, all of them in the range of the histograms. */
const random = (TypedArray, n) => TypedArray.from({ length: n }, () => Math.random());
/** Disposes of the tensors that `histogram` or `histogramdd` returns. Of `histogramdd`, `edges` is an array, a tensor for each column. */
const disposeHistogram = ({ hist, edges }) => [hist, edges].flat().forEach((tensor) => tensor.dispose());

/**
 * The second half of a histogram whose bins were found in JavaScript: adds `src`, one or a weight for each value, to the count that `index`
 * names. Behind the counts of the bins is the count of values in no bin.
 */
function scatter(index, bins, src = 1) {
  const counts = Tensor.zeros([bins + 1], { dtype: typeof src === 'number' ? 'int32' : src.dtype });
  counts.scatter_add_(0, index, src).dispose();
}

/**
 * Writes to `index` the bin of each value, and `bins` for a value in no bin. 0, the lower end of the range, is subtracted as one would
 * write it for any range.
 */
function findBins(values, bins, index) {
  for (let at = 0; at < index.length; at++) {
    const bin = Math.floor((values[at] - 0) * bins);
    index[at] = bin >= 0 && bin < bins ? bin : bins;
  }
}

/** `findBins` for pairs: writes to `index` the place of each in a histogram of `bins` × `bins`, and `bins * bins` for a pair in no bin. */
function findBinsOfPairs(values, bins, index) {
  for (let at = 0; at < index.length; at++) {
    const x = Math.floor((values[2 * at] - 0) * bins);
    const y = Math.floor((values[2 * at + 1] - 0) * bins);
    index[at] = x >= 0 && x < bins && y >= 0 && y < bins ? x * bins + y : bins * bins;
  }
}

/**
 * The workload of a histogram of one column, with values in arrays of that class: its name, the library's call, and the rival, which finds
 * bins in JavaScript and scatters.
 */
function oneColumn(name, TypedArray, bins, { weighted = false } = {}) {
  const [values, index] = [random(TypedArray, M), new Int32Array(M)];
  const [x, weights] = [new Tensor(values), weighted ? new Tensor(random(Float32Array, M)) : undefined];
  const range = [0, 1];
  return [
    name,
    () => disposeHistogram(histogram(x, { bins, range, weights })),
    () => {
      findBins(values, bins, index);
      scatter(index, bins, weights);
    },
  ];
}

/** The same for a histogram of two columns, with `bins` bins for each. */
function pairs(bins) {
  const [values, index] = [random(Float32Array, 2 * M), new Int32Array(M)];
  const sample = new Tensor(values, { shape: [M, 2] });
  const range = [[0, 1], [0, 1]];
  return [
    `histogramdd float32, ${bins} x ${bins}`,
    () => disposeHistogram(histogramdd(sample, { bins, range })),
    () => {
      findBinsOfPairs(values, bins, index);
      scatter(index, bins * bins);
    },
  ];
}

/** The workload of counting integers from 0 to `bins` − 1. The rival needs no bins: its scatter takes the integers for its index. */
function integers(bins) {
  const values = random(Float64Array, M).map((value) => Math.floor(value * bins));
  const x = new Tensor(Int32Array.from(values));
  return [`bincount int32, ${bins}`, () => bincount(x).dispose(), () => scatter(x, bins)];
}

const workloads = [
  oneColumn('histogram float32, 256', Float32Array, 256),
  oneColumn('histogram float32, 1000', Float32Array, 1000),
  oneColumn('histogram float64, 256', Float64Array, 256),
  oneColumn('histogram float32, 256, weights', Float32Array, 256, { weighted: true }),
  pairs(64),
  pairs(512),
  integers(1000),
];

/** The loop in JavaScript: counts the values in 256 equal bins from 0 to `high`. */
function countInJavaScript(values, high) {
  const [counts, scale] = [new Int32Array(256), 256 / high];
  for (let at = 0; at < values.length; at++) {
    const bin = Math.floor((Number(values[at]) - 0) * scale);
    if (bin >= 0 && bin < 256) counts[bin]++;
    else if (Number(values[at]) === high) counts[255]++;
  }
  return counts;
}

/** The same for pairs of numbers from 0 to 64, in 64 × 64 bins. */
function countPairsInJavaScript(values) {
  const counts = new Int32Array(4096);
  for (let at = 0; at < values.length; at += 2) {
    const [x, y] = [Math.floor((values[at] - 0) * 1), Math.floor((values[at + 1] - 0) * 1)];
    if (x >= 0 && x < 64 && y >= 0 && y < 64) counts[x * 64 + y]++;
  }
  return counts;
}

/**
 * Workloads of values on edges in 256 bins, for arrays of that class: a name, the call on values off the edges, the call on values on them,
 * and the loop. Integers are off the edges of bins that begin at −1/2.
 */
function onEdges(TypedArray) {
  const dtype = TypedArray.name.replace('Array', '').toLowerCase().replace('big', '');
  const isFloat = dtype.startsWith('float');
  const convert = TypedArray.name.startsWith('Big') ? (value) => BigInt(value) : (value) => value;
  const fill = (value) => TypedArray.from({ length: M }, () => convert(value()));
  const whole = () => Math.floor(Math.random() * 256);
  const given = (step, from = 0) => new Tensor(Float64Array.from({ length: 257 }, (_, at) => from + at * step));
  const row = (name, high, off, offOptions, on, onOptions) => {
    const [x, y] = [new Tensor(off), new Tensor(on)];
    return [`${dtype}, ${name}`, () => disposeHistogram(histogram(x, offOptions)), () => disposeHistogram(histogram(y, onOptions)), () => countInJavaScript(on, high)];
  };
  const bins = 256;
  const [numbers, any] = [fill(whole), isFloat ? fill(() => Math.random() * 256) : fill(whole)];
  const shift = isFloat ? 0 : 0.5;
  const shifted = { bins, range: [-shift, 256 - shift] };
  return [
    () => row('whole numbers', 256, any, shifted, numbers, { bins, range: [0, 256] }),
    () => row('whole numbers, given edges', 256, any, { bins: given(1, -shift) }, numbers, { bins: given(1) }),
    () => row('one number', 256, isFloat ? fill(() => 7.3) : fill(() => 7), shifted, fill(() => 7), { bins, range: [0, 256] }),
    ...(isFloat ? [false, true] : []).map((isGiven) => () => {
      const options = isGiven ? { bins: given(0.1) } : { bins, range: [0, 25.6] };
      return row(`multiples of 0.1${isGiven ? ', given edges' : ''}`, 25.6, fill(() => Math.random() * 25.6), options, fill(() => whole() * 0.1), options);
    }),
  ];
}

/** The same for pairs in 64 × 64 bins. */
function pairsOnEdges(TypedArray) {
  const isFloat = TypedArray.name.startsWith('Float');
  const fill = (value) => TypedArray.from({ length: 2 * M }, value);
  const whole = () => Math.floor(Math.random() * 64);
  const [off, on] = [isFloat ? fill(() => Math.random() * 64) : fill(whole), fill(whole)];
  const [x, y] = [off, on].map((values) => new Tensor(values, { shape: [M, 2] }));
  const call = (sample, low) => () => disposeHistogram(histogramdd(sample, { bins: 64, range: [[low, 64 + low], [low, 64 + low]] }));
  return () => [`histogramdd ${TypedArray.name}, whole numbers`, call(x, isFloat ? 0 : -0.5), call(y, 0), () => countPairsInJavaScript(on)];
}

const words = process.argv.slice(2);
console.log('| 1M values | ours, ms | bins in JavaScript and a scatter, ms | times as fast |\n| --- | --- | --- | --- |');
for (const [name, run, other] of workloads.filter(([name]) => words.every((word) => name.includes(word)))) {
  const { ours, theirs, ratio } = compare(run, other);
  console.log(`| ${name} | ${ours.toFixed(2)} | ${theirs.toFixed(2)} | ${(1 / ratio).toFixed(1)} |`);
}

console.log('\n| 1M values on edges | ours, ms | by values off the edges | loop in JavaScript, ms |\n| --- | --- | --- | --- |');
const classes = [Float32Array, Float64Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array];
for (const make of [...classes.flatMap(onEdges), ...classes.slice(0, 3).map(pairsOnEdges)]) {
  const [name, off, on, loop] = make();
  if (!words.every((word) => name.includes(word))) continue;
  const { ours, ratio } = compare(on, off);
  console.log(`| ${name} | ${ours.toFixed(2)} | ${ratio.toFixed(2)} | ${compare(loop, loop, { warmUp: 2, least: 5, ms: 0 }).ours.toFixed(2)} |`);
}
