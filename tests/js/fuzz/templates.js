// Arguments that each function takes, made for every call from its world (world.js), for the fuzzer to spoil. Functions that are not
// here are called with arguments of the usual kinds.

import { operators, rowOf, twinOf } from '../../../src/js/arguments/operators.js';
import { SLICES, TUPLES } from '../../../src/js/engine/wire.js';
import { hasDraw, templatesFor } from '../calls/drawn.js';

/** Operands as nested arrays, for a self of shape [3, 5]. */
const index = () => [[0, 2, 1], [1, 1, 0]];
const src = () => [[1, 2, 3], [4, 5, 6]];
const tuples = () => [[0, 1], [2, -1]];

/** Arguments by which an operator addresses self along a dimension, by index tuples, slices and rows. The last one brings values. */
const along = [
  (w) => [1, index(), src()],
  (w) => [1, w.index, w.src],
  (w) => [-1, w.index, 2.5],
  (w) => [w.plan, w.src],
];
const nd = [
  (w) => [tuples(), [1, 2]],
  (w) => [w.tuples, w.pair],
];
const slices = [
  (w) => [1, [0, 2], [[1, 2], [3, 4], [5, 6]]],
];
const filled = [
  (w) => [1, [0, 2], 7],
  (w) => [0, w.rows, 7],
];
const rows = [
  (w) => [w.self, [0, 2], [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]]],
  (w) => [w.self, w.rows, 2],
];
/** Arguments of methods and functions on two tensors. Only div takes the option, and refuses no dtype with it. */
const pairs = [(w) => [2], (w) => [[1, 2, 3, 4, 5]], (w) => [w.other], (w) => [w.other, { rounding: 'floor' }]];
const aligned = [
  (w) => [w.self, w.other, { axis: 0, act: 'relu', name: 'y' }],
  (w) => [[[1, 2], [3, 4]], [10, -1], 0, 'relu', 'z'],
];
/** What options may be; those that are not here are not given. */
const samples = { include_self: false, alpha: 2, sum: 'ordered', mode: 'clip', ignore_index: 1n, fill_value: 3, batch_dims: 0, return_indices: false };

/** Templates of options that need other arguments than `samples`, by operator. */
const special = {
  scatter_reduce: [(w) => [1, w.index, w.src, 'amin', { return_indices: true, include_self: false }]],
  scatter_nd: [(w) => [[[0], [4], [-1]], [1, 2, 3], { batch_dims: 1, reduce: 'amax', ignore_index: 4 }]],
};

/** The templates with an argument added at the end, for each of a list of them. */
const extended = (templates, list) => templates.flatMap((make) => list.map((argument) => (w) => [...make(w), argument]));

/** The templates of an operator by its row of the table: see operators.js. */
function ofRow({ run, form, tuples: hasTuples, args, options, words }) {
  const places = run === 'rows' ? rows : form === SLICES ? (args.includes('value') ? filled : slices) : form === TUPLES ? nd : hasTuples ? [...along, ...nd] : along;
  const calls = run === 'gather' ? places.map((make) => (w) => make(w).slice(0, -1)) : places;
  const names = (words ?? []).map(([word]) => word);
  const given = Object.fromEntries(options.filter((name) => name in samples).map((name) => [name, samples[name]]));
  const known = args.includes('reduce') ? extended(calls, names) : [...calls, ...extended(calls, names.map((reduce) => ({ reduce })))];
  return options.length > 0 ? [...known, ...extended(known.slice(0, 1), [given])] : known;
}

/** The templates of the operators that are made of a row, by name; of those that share a name, of both. Those with a draw may have a list of their own below. */
const ofTable = Object.fromEntries(operators().filter(hasDraw).map((op) => [op.replace('Tensor.', ''), templatesFor(op)]));
for (const op of operators()) {
  const row = rowOf(op);
  if (!['scatter', 'gather', 'rows', 'pair'].includes(row.run)) continue;
  const made = row.run !== 'pair' ? ofRow(row) : op.startsWith('Tensor.') ? pairs : aligned;
  const more = (op.startsWith('Tensor.') && special[op.replace('Tensor.', '')]) || [];
  for (const each of [op, twinOf(op)].filter(Boolean)) (ofTable[each.replace('Tensor.', '')] ??= []).push(...made, ...more);
}

const shapes = [
  (w) => [[2, 3]],
  (w) => [[2, 3], { dtype: 'int32', name: 'x' }],
];
/**
 * By the name of a function or method, or of a class for its constructor: functions that make a list of arguments. The name of a class stands
 * before that of a method which another class has too.
 */
export const templates = {
  ...ofTable,
  Tensor: [
    (w) => [[[1, 2], [3, 4]], { dtype: 'int32' }],
    (w) => [Float32Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3], name: 'n', lod: [[0, 1, 2]] }],
    (w) => [w.src],
    (w) => [w.src, { dtype: 'float64' }],
    (w) => [Int16Array.of(1, 2, 3, 4).buffer, { dtype: 'int16', shape: [2, 2] }],
    (w) => [[1n, 2, -3n]],
    (w) => [[Float32Array.of(1, 2), Float32Array.of(3, 4)]],
  ],
  ExactSum: [(w) => [[3, 5]], (w) => [[2], { dtype: 'float64', device: 'cpu' }]],
  // ExactSum's, and the sum of two tensors.
  'ExactSum.add': [(w) => [1, index(), src()], (w) => [w.plan, w.src], (w) => [tuples(), [1, 2]], (w) => [w.tuples, 2, { mode: 'clip', ignore_index: -1 }]],
  group_by: [() => [[0, 2, 2], 3], (w) => [w.rows, 3, { ignore_index: 1, mask: [true, false] }]],
  members_sync: [() => [2]],
  reduce: [(w) => [w.self, 'sum'], () => ['count'], (w) => [w.self, 'min', { empty: 0, skip_nan: true, dtype: 'float64' }]],
  agg: [(w) => [w.self, ['sum', 'max', 'argmin']]],
  merge: [(w) => [w.moreSums], (w) => [w.sums]],
  from_bytes: [() => [Uint8Array.of(88, 83, 85, 77, 1, 2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)]],
  Parameter: [(w) => [[[1, 2], [3, 4]], { name: 'p' }]],
  zeros: shapes,
  ones: shapes,
  full: [(w) => [[2, 3], 7], (w) => [[2, 3], 7n, { dtype: 'int64' }]],
  arange: [(w) => [5], (w) => [1, 9, 2, { dtype: 'int16' }]],
  from_npy: [(w) => [w.npy()], (w) => [w.npy().buffer, { dtype: 'float64' }]],
  from_image: [
    () => [{ data: Uint8ClampedArray.of(1, 2, 3, 4, 5, 6, 7, 8), width: 2, height: 1 }],
    () => [{ data: new Uint8Array(16), width: 2, height: 2 }, { dtype: 'float32', shape: [16] }],
  ],
  from_gpu_buffer: [(w) => [{}, { shape: [2], dtype: 'float32', offset: 0 }]],
  sum: [(w) => [], (w) => [1], (w) => [[0, -1], { keepdim: true, dtype: 'float64' }]],
  prod: [(w) => [], (w) => [[0, -1], { keepdim: true, dtype: 'float64' }]],
  mean: [(w) => [0, { dtype: 'float32' }]],
  amax: [(w) => [[1]], (w) => [undefined, { keepdim: false }]],
  amin: [(w) => [0]],
  argmax: [(w) => [1, { keepdim: true }], (w) => []],
  argmin: [(w) => [-1]],
  clone: [() => []],
  reshape: [(w) => [[5, 3]], (w) => [[-1]]],
  astype: [(w) => ['int32'], (w) => ['float16']],
  to: [(w) => ['cpu']],
  data: [(w) => [], (w) => [{ out: new Float32Array(15) }]],
  data_sync: [(w) => [], (w) => [{ out: new Float32Array(15) }]],
  with_data: [(w) => [(view) => view.length], (w) => [(view) => view.set(view)], (w) => [[w.self, w.other], (one, two) => one.length + two.length]],
  scope: [({ self }) => [() => self.mul(2)], ({ self, other }) => [(keep) => ({ a: [keep(self.mul(2))], b: other.mul(3) })]],
  open_scope: [() => []],
  equals: [(w) => [w.other]],
  activate: [(w) => [w.self, 'relu'], (w) => [[[1, 2], [3, 4]], 'tanh']],
  trace: [
    (w) => ['scatter_', w.self, 1, index(), src()],
    (w) => ['gather', w.self, 1, w.index],
    (w) => ['scatter_add', w.self, tuples(), [1, 2]],
    (w) => ['scatter_mul', w.self, [0], 2],
    (w) => ['scatter_nd', w.self, [[0], [4], [-1]], 2, { batch_dims: 1, ignore_index: -1 }],
  ],
  along: [(w) => [[3, 5], 1, index()], (w) => [[3, 5], 0, w.index, { mode: 'wrap', ignore_index: 2 }]],
  nd: [(w) => [[3, 5], tuples()], (w) => [[3, 5], w.tuples, { mode: 'drop', ignore_index: -1n }]],
  select: [(w) => [[3, 5], 0, [0, 2]], (w) => [[3], 0, w.rows, { mode: 'clip', ignore_index: 0 }]],
  init: [(w) => [{ device: 'cpu' }]],
  initSync: [(w) => [new Uint8Array(8)]],
  set_device: [(w) => ['cpu']],
  take_along_dim: [(w) => [[[0, 2, 1]], 1], (w) => [[0, 14]]],
  segment_reduce: [(w) => [w.self, 'sum', { offsets: [0, 1, 3] }], (w) => [w.self, 'mean', { lengths: [2, 1], initial: 1, sum: 'exact' }], (w) => [w.self, 'amax', { lengths: [2, 1], return_indices: true }]],
  scatter_softmax: [(w) => [w.self, [0, 1, 0, 2, 1]], (w) => [w.self, [[0], [1], [1]], 1, { ignore_index: 1n }]],
  scatter_logsumexp: [(w) => [w.self, [1, 0, 1], 0], (w) => [[1, 2], [0, 2], -1, { size: 4 }]],
  spmm: [
    (w) => [[0, 2, 1], [0, 1, 2], [1, 2, 3], w.self],
    (w) => [[0, 0], [2, -1], undefined, w.self, { size: 2, reduce: 'mean', sum: 'exact' }],
    (w) => [[0, 9], [1, 1], [1, 2], w.self, { size: 2, reduce: 'amax', mode: 'drop' }],
    (w) => [w.picked, w.picked, w.pair, w.self],
    (w) => [w.rows, w.picked, undefined, w.self, { size: 3, ignore_index: 2 }],
  ],
  bincount: [(w) => [[0, 1, 1, 3]], (w) => [[[0, 1], [1, 3]], { dim: -1, length: 3, mask: [[true, false], [true, true]], dtype: 'float32' }], (w) => [[0, 1, 1, 3], { weights: [1, 2, 3, 4], minlength: 6, sum: 'exact' }]],
  histogram: [(w) => [[0.5, 1, 2]], (w) => [[[0.5, 1], [2, 3]], { dim: 0, mask: [[true, false], [true, true]], dtype: 'int32' }], (w) => [w.self, { bins: 4, range: [0, 16], density: true }]],
  histogramdd: [
    (w) => [[[0, 1], [1, 2]], { bins: [2, 3], mask: [true, false] }],
    (w) => [[[0, 1], [1, 2]], { bins: [[0, 1, 3], 2], range: [null, [0, 2]], weights: [1, 2], dtype: 'float64', sum: 'exact' }],
  ],
  bin_codes: [(w) => [[[0, 1], [1, 2]], { bins: [2, 3] }], (w) => [[0.5, 1, 2], { bins: [[0, 1, 3]] }], (w) => [w.self, { bins: 2, range: [[0, 1], null, [0, 2], null, null] }]],
  binned_statistic: [(w) => [[0.5, 1, 2], [[1, 2, 3], [4, 5, 6]], 'mean', { bins: 2, mask: [true, true, false] }], (w) => [[[0, 1], [1, 2]], null, 'count', { bins: [2, 3] }]],
  argsort: [() => [], (w) => [0, { descending: true }]],
  sort: [() => [], (w) => [-1, { descending: false }]],
  unique: [(w) => [w.self], () => [[3, 1, 3]]],
  flatnonzero: [(w) => [w.self, { dtype: 'int32' }], (w) => [w.self, { size: 20, fill: 3, dtype: 'int64' }]],
  flatnonzero_sync: [(w) => [w.self, { dtype: 'int32' }]],
  compress: [(w) => [[true, false, true], w.self], (w) => [[true, false, true, true, false], [w.self, w.other], { dim: 1 }]],
  compress_sync: [(w) => [[true, false, true], w.self, { dim: 0 }], (w) => [[true, false, true], [w.self]]],
  unique_sync: [(w) => [w.self, { dtype: 'int32' }]],
  searchsorted: [(w) => [[1, 2, 2], w.self], (w) => [w.pair, [1, 2], { right: true }]],
  vjp: [
    (w) => ['gather', [[1, 2, 3], [4, 5, 6]], w.self, 1, index()],
    (w) => ['mul', w.self, w.other, [1, 2, 3, 4, 5], { sum: 'exact' }],
    (w) => ['elementwise_mul', w.self, w.other, [1, 2, 3], { axis: 0, act: 'tanh' }],
    (w) => ['div', w.self, w.other, w.self],
    (w) => ['elementwise_max', w.self, w.other, [1, 2, 3], 0],
    (w) => ['activate', w.self, w.other, 'tanh'],
    (w) => ['segment_reduce', [[1, 2, 3, 4, 5]], w.self, 'prod', { lengths: [3] }],
    (w) => ['spmm', w.other, w.picked, w.picked, w.pair, w.self, { reduce: 'mean' }],
    (w) => ['spmm', [[1, 2, 3, 4, 5]], [0, 0], [2, 1], [3, 4], w.self],
    (w) => ['take_along_dim', [[1, 2], [3, 4], [5, 6]], w.self, [[0, 2]], 1],
    (w) => ['scatter_', w.other, w.self, 1, w.index, w.src],
    (w) => ['scatter_add', w.other, w.self, w.tuples, w.pair],
    (w) => ['scatter_reduce', w.other, w.self, w.plan, w.src, 'prod', { include_self: false }],
    (w) => ['scatter_reduce', w.other, w.self, 1, index(), src(), 'amax'],
    (w) => ['scatter_softmax', w.other, w.self, [0, 1, 0], 0],
    (w) => ['scatter_logsumexp', [[1, 2, 3, 4, 5]], w.self, [0, 0, 0], 0, { size: 1 }],
    (w) => ['scatter_nd', w.other, w.self, [[0], [4], [-1]], [1, 2, 3], { batch_dims: 1, reduce: 'add' }],
    (w) => ['sum', 1, w.self],
    (w) => ['prod', 1, w.self],
    (w) => ['group_reduce', w.other, w.self, w.groups, 'max', { skip_nan: true }],
    (w) => ['where', w.self, [[true], [false], [true]], w.self, 0],
    (w) => ['compress', [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]], [true, false, true], w.self, { dim: 0 }],
    (w) => ['amax', [1, 2, 3, 4, 5], w.self, 0],
    (w) => ['index_add', w.other, w.self, ...slices[0](w), { alpha: 2 }],
  ],
  warm_up: [() => [{ ops: ['gather'], dtypes: ['int32'] }]],
};

/** Tried with functions that have no template. */
const usual = [
  (w) => [],
  (w) => [1, w.index, w.src],
  (w) => [w.index, w.src],
  (w) => [w.src, { axis: 0 }],
  (w) => ['cpu'],
];
const nothing = [() => []];

/** The templates of a callable, which is never an empty list. A getter takes no arguments. */
export const templatesOf = ({ key, kind, type }) => {
  if (kind === 'getter') return nothing;
  const name = [`${type}.${key}`, key].find((name) => Object.hasOwn(templates, name));
  return name === undefined ? usual : templates[name];
};
