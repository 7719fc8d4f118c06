// The workloads: shapes, and inputs from a fixed seed. Every rival's page makes the same inputs for itself.

import { groupInputs, sizedGroup } from './groups.js';
import { generator, zipf } from './random.js';

/**
 * Each workload at its full size and at about 1/64 of it. Without `dtypes` it is measured with float32 and int32.
 * - pair: x of `shape` combined with y of `other`, y's first dimension at `axis` of x; `combine` is how.
 * - activate: the activation `act` of each element of x.
 * - dims: x reduced along `dim`, or to one number where there is no dim; `how` is the name of our method.
 * - scatter, gather: a table of `shape` and an index of shape `index`, along `dim`. A scatter without `reduce` replaces; its source is the
 *   number `scalar` where there is one. `sum: 'exact'`: the sums are rounded once, by rivals that have such sums; the others add as ever.
 * - segments: sums of the neighbours between the index's numbers, `segments` of them.
 * - bincount: how often the index has each number below `shape`.
 * - histogram: how many points of `columns` numbers lie in each bin; each column has `bins` bins. `onEdges`: all numbers lie on edges.
 * - rows: a scatter of `count` whole rows, each named by `tuple` numbers, 1 or 2; with `zipf` few rows are named often.
 */
export const workloads = [
  { id: 'multiply-same', title: 'multiply, same shape', op: 'pair', combine: 'multiply', axis: 0,
    full: { shape: [2048, 2048], other: [2048, 2048] }, small: { shape: [256, 256], other: [256, 256] } },
  { id: 'multiply-axis1', title: 'multiply at axis 1', op: 'pair', combine: 'multiply', axis: 1,
    full: { shape: [32, 128, 32, 32], other: [128, 32] }, small: { shape: [4, 16, 32, 32], other: [16, 32] } },
  { id: 'multiply-row', title: 'multiply by a row', op: 'pair', combine: 'multiply', axis: 1,
    full: { shape: [4096, 1024], other: [1024] }, small: { shape: [512, 128], other: [128] } },
  ...['add', 'sub', 'div', 'maximum', 'minimum'].map((combine) => ({
    id: `${combine}-same`, title: `${combine}, same shape`, op: 'pair', combine, axis: 0, dtypes: ['float32'],
    full: { shape: [2048, 2048], other: [2048, 2048] }, small: { shape: [256, 256], other: [256, 256] },
  })),
  ...['add', 'maximum'].map((combine) => ({
    id: `${combine}-row`, title: `${combine} by a row`, op: 'pair', combine, axis: 1, dtypes: ['float32'],
    full: { shape: [4096, 1024], other: [1024] }, small: { shape: [512, 128], other: [128] },
  })),
  ...['relu', 'exp'].map((act) => ({
    id: `activate-${act}`, title: `activate, ${act}`, op: 'activate', act, dtypes: ['float32'],
    full: { shape: [2048, 2048] }, small: { shape: [256, 256] },
  })),
  ...['sum', 'mean', 'amax', 'amin', 'argmax', 'argmin'].flatMap((how) => [1, 0].map((dim) => ({
    id: `dims-${how}${dim}`, title: `${how} along ${dim}`, op: 'dims', how, dim, dtypes: ['float32'],
    full: { shape: [2048, 2048] }, small: { shape: [256, 256] },
  }))),
  { id: 'dims-sum', title: 'sum of all', op: 'dims', how: 'sum', dtypes: ['float32'],
    full: { shape: [2048, 2048] }, small: { shape: [256, 256] } },
  { id: 'replace-axis1', title: 'replace along 1', op: 'scatter', dim: 1,
    full: { shape: [1024, 4096], index: [1024, 4096] }, small: { shape: [128, 512], index: [128, 512] } },
  { id: 'add-spread', title: 'add, as many slots as updates', op: 'scatter', dim: 0, reduce: 'add',
    full: { shape: [1 << 20], index: [1 << 20] }, small: { shape: [1 << 14], index: [1 << 14] } },
  { id: 'add-16', title: 'add into 16 slots', op: 'scatter', dim: 0, reduce: 'add',
    full: { shape: [16], index: [1 << 22] }, small: { shape: [16], index: [1 << 16] } },
  { id: 'exact-spread', title: 'exact sums, as many slots as updates', op: 'scatter', dim: 0, reduce: 'add', sum: 'exact', dtypes: ['float32'],
    full: { shape: [1 << 20], index: [1 << 20] }, small: { shape: [1 << 14], index: [1 << 14] } },
  { id: 'exact-65536', title: 'exact sums into 65,536 slots', op: 'scatter', dim: 0, reduce: 'add', sum: 'exact', dtypes: ['float32'],
    full: { shape: [1 << 16], index: [1 << 20] }, small: { shape: [1 << 10], index: [1 << 14] } },
  { id: 'exact-16', title: 'exact sums into 16 slots', op: 'scatter', dim: 0, reduce: 'add', sum: 'exact', dtypes: ['float32'],
    full: { shape: [16], index: [1 << 20] }, small: { shape: [16], index: [1 << 14] } },
  { id: 'count-256', title: 'count into 256 slots', op: 'scatter', dim: 0, reduce: 'add', scalar: 1,
    full: { shape: [256], index: [1 << 22] }, small: { shape: [256], index: [1 << 16] } },
  { id: 'multiply-axis0', title: 'scatter multiply along 0', op: 'scatter', dim: 0, reduce: 'multiply',
    full: { shape: [4096, 256], index: [1024, 256] }, small: { shape: [512, 32], index: [128, 32] } },
  { id: 'rows-add', title: 'add rows, Zipf', op: 'rows', reduce: 'add', tuple: 1, zipf: true,
    full: { shape: [50000, 128], count: 20000 }, small: { shape: [3125, 32], count: 1250 } },
  { id: 'rows-multiply', title: 'multiply rows, Zipf', op: 'rows', reduce: 'multiply', tuple: 1, zipf: true,
    full: { shape: [50000, 128], count: 20000 }, small: { shape: [3125, 32], count: 1250 } },
  { id: 'nd-add', title: 'add at pairs', op: 'rows', reduce: 'add', tuple: 2,
    full: { shape: [512, 512, 16], count: 200000 }, small: { shape: [64, 64, 16], count: 3125 } },
  { id: 'gather-axis1', title: 'gather along 1', op: 'gather', dim: 1,
    full: { shape: [1024, 4096], index: [1024, 4096] }, small: { shape: [128, 512], index: [128, 512] } },
  { id: 'maximum', title: 'maximum, as many slots as updates', op: 'scatter', dim: 0, reduce: 'maximum',
    full: { shape: [1 << 20], index: [1 << 20] }, small: { shape: [1 << 14], index: [1 << 14] } },
  { id: 'segments', title: 'sums of segments', op: 'segments',
    full: { shape: [1 << 20], segments: 10_000 }, small: { shape: [1 << 14], segments: 156 } },
  { id: 'bincount', title: 'bincount, 256 bins', op: 'bincount', dtypes: ['int32'],
    full: { shape: [256], index: [1 << 22] }, small: { shape: [256], index: [1 << 16] } },
  { id: 'histogram', title: 'histogram, 256 bins', op: 'histogram', columns: 1, dtypes: ['float32'],
    full: { shape: [1 << 20], bins: 256 }, small: { shape: [1 << 14], bins: 256 } },
  { id: 'histogram-edges', title: 'histogram, 256 bins, values on edges', op: 'histogram', columns: 1, onEdges: true, dtypes: ['float32'],
    full: { shape: [1 << 20], bins: 256 }, small: { shape: [1 << 14], bins: 256 } },
  { id: 'histogram-2d', title: 'histogramdd, 512 × 512 bins', op: 'histogram', columns: 2, dtypes: ['float32'],
    full: { shape: [1 << 20, 2], bins: 512 }, small: { shape: [1 << 14, 2], bins: 64 } },
];

/** The range of histograms: that of the numbers in x. With numbers of bins that are powers of two, every edge is exact. */
export const range = [-1, 1];

/** The contention cases: each is measured with every update into one slot, and with the same number spread over the table. */
export const contended = [
  { id: 'cliff-replace', title: 'replace, 1-D', op: 'scatter', dim: 0, full: { shape: [1 << 20], index: [1 << 20] } },
  { id: 'cliff-add', title: 'add, 1-D', op: 'scatter', dim: 0, reduce: 'add', full: { shape: [1 << 20], index: [1 << 20] } },
  { id: 'cliff-count', title: 'count, 1-D', op: 'scatter', dim: 0, reduce: 'add', scalar: 1, full: { shape: [1 << 20], index: [1 << 20] } },
  { id: 'cliff-multiply', title: 'multiply, 1-D', op: 'scatter', dim: 0, reduce: 'multiply', full: { shape: [1 << 20], index: [1 << 20] } },
  { id: 'cliff-rows', title: 'add rows of 128', op: 'rows', reduce: 'add', tuple: 1, full: { shape: [16384, 128], count: 16384 } },
  { id: 'cliff-gather', title: 'gather, 1-D', op: 'gather', dim: 0, full: { shape: [1 << 20], index: [1 << 20] } },
];

/** Sums by an index that was prepared once, by rivals that have such plans; the others add as ever. */
export const planned = [
  { id: 'add-plan', title: 'add by a plan, as many slots as updates', op: 'scatter', dim: 0, reduce: 'add', plan: true, dtypes: ['float32'],
    full: { shape: [1 << 20], index: [1 << 20] }, small: { shape: [1 << 14], index: [1 << 14] } },
];

/**
 * One workload at one size, 'full' or 'small', with what loops need to know. All have `elements` (of x), `out_shape`, `out_elements` and
 * `source_elements`.
 * - pair: x is [pre, n, post], and y has n elements.
 * - dims: x is [pre, size, post], and the result [pre, post].
 * - scatter, gather: x is [pre, size, post], the index [pre, count, post], of `updates` numbers.
 * - rows: x is [rows, length], and the source [count, length].
 * - bincount: `updates` numbers below `size`.
 * Those of groups.js have the shapes of their operands instead.
 */
export function sized(workload, size) {
  if (workload.group) return sizedGroup(workload, size);
  const at = { ...workload, ...workload[size], size_name: size };
  const elements = product(at.shape);
  if (at.op === 'pair') {
    const n = product(at.other);
    const pre = product(at.shape.slice(0, at.axis));
    return { ...at, elements, pre, n, post: elements / pre / n, out_shape: at.shape, out_elements: elements, source_elements: n };
  }
  if (at.op === 'rows') {
    const rows = product(at.shape.slice(0, at.tuple));
    const source_elements = at.count * (elements / rows);
    return { ...at, elements, rows, length: elements / rows, out_shape: at.shape, out_elements: elements, source_elements };
  }
  const made = (out_shape) => ({ ...at, elements, out_shape, out_elements: product(out_shape), source_elements: 0 });
  if (at.op === 'segments') return made([at.segments]);
  if (at.op === 'histogram') return made(Array(at.columns).fill(at.bins));
  if (at.op === 'activate') return made(at.shape);
  if (at.op === 'dims') {
    const [pre, along, post] = at.dim === undefined ? [1, elements, 1] : around(at.shape, at.dim);
    return { ...made(at.dim === undefined ? [] : at.shape.toSpliced(at.dim, 1)), pre, size: along, post };
  }
  const updates = product(at.index);
  if (at.op === 'bincount') return { ...made(at.shape), updates, size: elements };
  const [pre, along, post] = around(at.shape, at.dim);
  const out_shape = at.op === 'gather' ? at.index : at.shape;
  const source_elements = at.scalar === undefined && at.op === 'scatter' ? updates : 0;
  return { ...at, pre, size: along, post, count: at.index[at.dim], elements, updates, out_shape, out_elements: product(out_shape), source_elements };
}

/** How many elements lie before, along and behind a dimension of a shape. */
const around = (shape, dim) => [product(shape.slice(0, dim)), shape[dim], product(shape.slice(dim + 1))];

/** How many numbers the index of a sized workload holds; pairs are two. */
export const indexElements = (w) => ({ pair: 0, activate: 0, dims: 0, histogram: 0, rows: w.count * w.tuple, segments: w.segments + 1 })[w.op] ?? w.updates;

/** Whether the result is an array of its own, and not x with changes. */
export const readsOnly = ({ op }) => ['gather', 'segments', 'bincount', 'histogram', 'activate', 'dims'].includes(op);

/** Whether the result has positions of elements. */
export const isPosition = ({ op, how }) => op === 'dims' && how.startsWith('arg');

/** The class of the result's array: that of `x`, but counts and positions are int32. */
export const outArray = (w, x) => (['bincount', 'histogram'].includes(w.op) || isPosition(w) ? Int32Array : x.constructor);

/**
 * The least bytes that an operator must read and write, all elements having four. In place only the elements of x count that are touched:
 * they are read and written, or only written where they are replaced. In any other mode all of x is read and the result written. The
 * limits are copies that read and write as many bytes.
 */
export function traffic(w, mode) {
  const operands = w.source_elements + indexElements(w);
  if (mode === 'in place') {
    const touched = w.op === 'pair' ? w.elements : Math.min(w.elements, w.op === 'rows' ? w.source_elements : w.updates);
    return 4 * (operands + touched * (w.op === 'scatter' && !w.reduce ? 1 : 2));
  }
  return 4 * (operands + (w.op === 'bincount' ? 0 : w.elements) + w.out_elements);
}

export const product = (numbers) => numbers.reduce((a, b) => a * b, 1);

/**
 * The inputs of a sized workload: `x`, `index`, `src` and `unit`. `unit` is the source of calls in place, which are repeated on one table:
 * for products and quotients of floats it is ±1, with which they do not run into infinity, else it is src. What a workload does not take is
 * undefined. `oneSlot`: whether all updates go into one slot.
 */
export function makeInputs(w, dtype, { oneSlot = false } = {}) {
  if (w.group) return groupInputs(w, dtype);
  const random = generator(0x9e3779b9); // any seed would do
  const floats = dtype === 'float32';
  const Type = floats ? Float32Array : Int32Array;
  const fill = (length, value) => {
    const array = new Type(length);
    for (let i = 0; i < length; i++) array[i] = value();
    return array;
  };
  const multiplies = ['multiply', 'div'].includes(w.combine) || w.reduce === 'multiply';
  const uniform = floats ? () => random() * 2 - 1 : () => Math.floor(random() * 17) - 8;
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()); // by Box and Muller
  const any = w.op === 'dims' && floats ? normal : w.onEdges ? () => (Math.floor(random() * w.bins) * 2) / w.bins - 1 : uniform; // a lower edge of a bin
  const factor = floats ? () => 2 ** (random() * 2 - 1) : any; // from 1/2 to 2: products of floats stay in range
  const x = fill(w.elements, any);
  const src = w.source_elements > 0 ? fill(w.source_elements, multiplies ? factor : any) : undefined;
  const unit = multiplies && floats ? src.map((value) => (value < 1 ? -1 : 1)) : src;
  return { x, src, unit, index: makeIndex(w, random, oneSlot) };
}

/** The index of a sized workload; undefined where it takes none. */
function makeIndex(w, random, oneSlot) {
  if (['pair', 'activate', 'dims', 'histogram'].includes(w.op)) return undefined;
  if (w.op === 'segments') return Int32Array.from({ length: w.segments + 1 }, (_, at) => Math.round((at * w.elements) / w.segments));
  if (w.op !== 'rows') {
    const index = new Int32Array(w.updates);
    for (let k = 0; k < index.length; k++) index[k] = oneSlot ? w.size >> 1 : Math.floor(random() * w.size);
    return index;
  }
  const index = new Int32Array(w.count * w.tuple);
  const inner = w.rows / w.shape[0]; // how many values the second number of a pair has
  const next = w.zipf ? zipf(random, w.rows) : () => (Math.floor(random() * w.rows) * 7919) % w.rows;
  for (let k = 0; k < w.count; k++) {
    const any = next();
    const row = oneSlot ? w.rows >> 1 : any;
    if (w.tuple === 1) index[k] = row;
    else [index[2 * k], index[2 * k + 1]] = [Math.floor(row / inner), row % inner];
  }
  return index;
}
