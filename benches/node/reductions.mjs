// Reductions on the CPU against the loop that one would write in JavaScript.
//
//   npm run package && node benches/node/reductions.mjs [words of names]     (PACKAGE=<folder>: another package)
//
// Rounds are interleaved. Printed are medians, and the median of the rounds' own ratios. Every loop is compiled again for its
// arrays: one function for arrays of several kinds would be slower than what anybody writes. The loops check no index.

import { join } from 'node:path';
import { root } from '../../tools/shell.mjs';
import { compare } from './rounds.mjs';

const library = await import(join(process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise'), 'node.js'));
const { init, segment_reduce, Tensor } = library;
await init({ device: 'cpu' });

const M = 1 << 20;
const arrays = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint8: Uint8Array };
/** `count` random numbers: floats from 0.5 to 1.5, integers from 0 to 99. */
const valuesOf = (dtype, count = M) => {
  const value = dtype.startsWith('float') ? () => Math.random() + 0.5 : () => Math.random() * 100;
  return arrays[dtype].from({ length: count }, value);
};
/** `count` random places of a table of `places` rows. */
const indexInto = (places, count = M) => Int32Array.from({ length: count }, () => Math.floor(Math.random() * places));

/** How a loop combines `x` with the element `a[k]` of the table. For a mean, `c[k]` counts its terms. */
const steps = {
  sum: 'a[k] += x;',
  prod: 'a[k] *= x;',
  amax: 'const y = a[k]; a[k] = y > x ? y : x;',
  mean: 'a[k] += x; c[k]++;',
};
/** A new function that combines each of `src` with the element of `a` that `index` names, by the code `step`. */
const loopOf = (step) => new Function('a', 'index', 'src', 'c', `for (let i = 0; i < index.length; i++) { const k = index[i], x = src[i]; ${step} }`);

// Each function below makes a workload: its name, the library's call, and the loop that does the same.

/** M values, reduced into a table of `places` elements. */
function reduce(dtype, reduction, places) {
  const [src, index, a] = [valuesOf(dtype), indexInto(places), new arrays[dtype](places)];
  const [table, values, entries] = [Tensor.zeros([places], { dtype }), new Tensor(src), new Tensor(index)];
  const loop = loopOf(steps[reduction]);
  // The mean includes the element that was there before.
  const divide = new Function('a', 'c', 'for (let k = 0; k < a.length; k++) a[k] /= c[k] + 1;');
  const theirs = () => {
    const counts = reduction === 'mean' ? new Int32Array(places) : undefined;
    loop(a, index, src, counts);
    if (counts) divide(a, counts);
  };
  return [`scatter_reduce ${reduction} ${dtype}, ${places} places`, () => table.scatter_reduce_(0, entries, values, reduction), theirs];
}

/** Rows of `width` elements, M elements in all, added to as many rows. In the loop `w` is `width`. */
function rows(width) {
  const count = M / width;
  const [src, index, a] = [valuesOf('float32'), indexInto(count, count), new Float32Array(M)];
  const [table, values, entries] = [Tensor.zeros([count, width]), new Tensor(src, { shape: [count, width] }), new Tensor(index)];
  const loop = new Function(
    'a', 'index', 'src', 'w',
    'for (let i = 0, from = 0; i < index.length; i++) { const to = index[i] * w; for (let l = 0; l < w; l++, from++) a[to + l] += src[from]; }',
  );
  return [`index_add float32, rows of ${width}`, () => table.index_add_(0, entries, values), () => loop(a, index, src, width)];
}

/** Sums of `count` segments of M values, of nearly equal length. The loop rounds or wraps each sum as the dtype does. */
function segments(dtype, count) {
  const src = valuesOf(dtype);
  const offsets = Int32Array.from({ length: count + 1 }, (_each, at) => Math.round((at * M) / count));
  const [data, ends] = [new Tensor(src), new Tensor(offsets)];
  const round = dtype === 'int32' ? '0 | ' : 'Math.fround';
  const loop = new Function(
    'out', 'ends', 'src',
    `for (let s = 0; s < out.length; s++) {
      let sum = 0;
      for (let i = ends[s]; i < ends[s + 1]; i++) sum = ${round}(sum + src[i]);
      out[s] = sum;
    }`,
  );
  return [
    `segment_reduce sum ${dtype}, ${count} segments`,
    () => segment_reduce(data, 'sum', { offsets: ends }).dispose(),
    () => loop(new arrays[dtype](count), offsets, src),
  ];
}

/** A reduction of [1024, 1024] along a dimension, or of all. The loop of a sum rounds after each addition, ours once. */
function dims(method, dtype, dim) {
  const [src, side] = [valuesOf(dtype), 1024];
  const data = new Tensor(src, { shape: [side, side] });
  const first = method === 'amax' ? '-Infinity' : '0';
  const step = method === 'amax' ? 'x > y ? x : y' : dtype === 'float32' ? 'Math.fround(x + y)' : 'x + y | 0';
  const loop = new Function(
    'out', 'src', 'w',
    dim === 0
      ? `out.fill(${first}); for (let i = 0, r = 0; r < w; r++) for (let k = 0; k < w; k++, i++) { const x = out[k], y = src[i]; out[k] = ${step}; }`
      : `for (let i = 0, r = 0; r < w; r++) { let x = ${first}; for (let k = 0; k < w; k++, i++) { const y = src[i]; x = ${step}; } out[r] = x; }`,
  );
  return [`${method} ${dtype}, dim ${dim}`, () => data[method](dim).dispose(), () => loop(new Float64Array(side), src, side)];
}

/** A table of M elements, divided at random places by M values. */
function quotients() {
  const [src, index, a] = [valuesOf('float32'), indexInto(M), new Float32Array(M).fill(1)];
  const [table, values, tuples] = [Tensor.ones([M]), new Tensor(src), new Tensor(index, { shape: [M, 1] })];
  const loop = loopOf('a[k] /= x;');
  return ['scatter_nd div float32', () => table.scatter_nd_(tuples, values, { reduce: 'div' }), () => loop(a, index, src)];
}

const places = [4096, M];
/** The functions with their arguments, which are called when a workload's turn comes: its operands take memory. */
const workloads = [
  ...['float32', 'float64', 'int32', 'uint8'].flatMap((dtype) => ['sum', 'amax'].flatMap((reduction) => places.map((count) => [reduce, dtype, reduction, count]))),
  ...['prod', 'mean'].flatMap((reduction) => places.map((count) => [reduce, 'float32', reduction, count])),
  [rows, 16],
  ...['float32', 'int32'].flatMap((dtype) => [100, 10_000, 300_000].map((count) => [segments, dtype, count])),
  ...['sum', 'amax'].flatMap((method) => ['float32', 'int32'].flatMap((dtype) => [0, 1].map((dim) => [dims, method, dtype, dim]))),
  [quotients],
];

const words = process.argv.slice(2);
console.log('| 1M values | ours, ms | loop, ms | ours / loop |\n| --- | --- | --- | --- |');
for (const [make, ...how] of workloads) {
  const [name, run, loop] = make(...how);
  if (!words.every((word) => name.includes(word))) continue;
  const { ours, theirs, ratio } = compare(run, loop);
  console.log(`| ${name} | ${ours.toFixed(2)} | ${theirs.toFixed(2)} | ${ratio.toFixed(2)} |`);
}
