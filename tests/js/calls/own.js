// Random calls of the operators that the forms of random.js do not know: sorts, groups, segments, sparse products, counts, statistics of bins,
// maxima with their winners, tuples in batches; and of those that drawn.js draws. They are plain data: `{ op, self, args, options }`, where a tensor is
// `{ dtype, shape, data }`, and `args` has the order of the parameters. own.oracle.js answers them.

import { operators, rowOf } from '../../../src/js/arguments/operators.js';
import { STATISTICS } from '../../../src/js/engine/wire.js';
import { drawnCall, hasDraw } from './drawn.js';
import { ARRAYS, DTYPES, halfBits, isFloat } from './elements.js';
import { drawn, indexOf, isInteger, smallShape } from './random.js';
import { sizeOf, valueOf } from './oracle.js';
import { isBefore } from './results.js';

const FLOATS = DTYPES.filter(isFloat);
const INTEGERS = DTYPES.filter(isInteger);
const NUMERIC = DTYPES.filter((dtype) => dtype !== 'bool');

/** The operators that are not drawn, each with its reason. Every other operator with a function of its own is drawn here or by drawn.js. */
export const NOT_DRAWN = {
  'Tensor.take_along_dim': 'random.js draws it as a gather',
  'Tensor.astype': 'tests/rust/dtypes/convert.rs has all pairs of dtypes',
  activate: 'elementwise_mul has the same activations',
};
/** The functions that draw calls, by operator. The last ones draw a form that random.js does not know. */
const draws = {
  'Tensor.argsort': sorts,
  'Tensor.sort': sorts,
  unique: (numbers) => ({ self: drawn(numbers, numbers.pick(DTYPES), lengthsOf(numbers, 0)), args: {}, options: optional(numbers, { dtype: numbers.pick(['int64', 'int32']) }) }),
  flatnonzero: (numbers, op) => {
    const call = shared(numbers, op);
    return numbers.once(2) ? call : { ...call, options: { dtype: call.options.dtype } };
  },
  compress: compressed,
  searchsorted: searches,
  segment_reduce: segments,
  scatter_softmax: groups,
  scatter_logsumexp: groups,
  spmm: products,
  bincount: counts,
  histogram: histograms,
  histogramdd: histograms,
  bin_codes: (numbers) => {
    const shape = numbers.once(40) ? [700, 2] : numbers.once(3) ? [numbers.below(30)] : [numbers.below(30), 1 + numbers.below(3)];
    const dtype = numbers.pick(['float32', ...NUMERIC]);
    return { self: samples(dtype, shape, numbers), args: {}, options: divisions(shape[1] ?? 1, dtype, numbers) };
  },
  binned_statistic: statistics,
  'Tensor.scatter_reduce': winners,
  'Tensor.scatter_reduce_': winners,
  'Tensor.scatter_nd': batches,
  'Tensor.scatter_nd_': batches,
  'Tensor.gather_nd': batches,
};
// An operator without a draw here is drawn by drawn.js.
for (const op of operators()) if (hasDraw(op) && !Object.hasOwn(NOT_DRAWN, op)) draws[op] ??= shared;
export const OWN = Object.keys(draws);

/** A random call of such an operator. It is valid, or own.oracle.js knows how it must be refused. */
export function ownCall(numbers) {
  const op = numbers.pick(OWN);
  return { op, own: true, ...draws[op](numbers, op) };
}

/** The call in words, so that it can be repeated. */
export function describeOwn({ op, self, args, options }) {
  const words = (value) => (Array.isArray(value) ? `[${value.map(words)}]` : value?.dtype ? `${value.plan ? 'plan ' : ''}${value.isComputed ? 'computed ' : value.isArray ? 'array ' : ''}${value.dtype}[${value.shape}]` : String(value));
  const named = [...Object.entries(args), ...Object.entries(options)].map(([name, value]) => `${name}: ${words(value)}`);
  return [op, words(self), ...named].join(' ');
}

/** Options without which a call is valid too. */
const FORGOTTEN = ['descending', 'right', 'ignore_index', 'mask', 'sum', 'include_self', 'initial', 'dtype'];
/** The same call without the first of these options that it has, as a planted fault; undefined if it has none. */
export function withoutOption(call) {
  const name = FORGOTTEN.find((option) => option in call.options);
  return name && { ...call, options: Object.fromEntries(Object.entries(call.options).filter(([option]) => option !== name)) };
}

// ---- contents

/** A shape of `least` to 3 small sizes; now and then one long dimension, which takes several workgroups of a GPU. */
const lengthsOf = (numbers, least) => (numbers.once(40) ? [300 + numbers.below(1500)] : smallShape(numbers, least));

/** Floats with few distinct values, so that their sums and quotients are ordinary numbers. Some are on edges. */
const moderate = (dtype, shape, numbers) => ({ dtype, shape, data: ARRAYS[dtype].from({ length: sizeOf(shape) }, () => stored(dtype, (numbers.below(401) - 200) / 32)) });
/** A number as an element of an array of ARRAYS. */
const stored = (dtype, x) => (dtype.endsWith('float16') ? halfBits(dtype, x) : isInteger(dtype) && dtype.endsWith('64') ? BigInt(Math.trunc(x)) : x);
const integers = (dtype, shape, of) => ({ dtype, shape, data: ARRAYS[dtype].from({ length: sizeOf(shape) }, (_, k) => stored(dtype, of(k))) });

const signedDim = (rank, numbers) => {
  const dim = numbers.below(rank);
  return numbers.once(3) ? dim - rank : dim;
};
const maskOf = (shape, numbers) => integers('bool', shape, () => (numbers.once(3) ? 0 : 1));
/** Now and then an operand that is a result, so that only its device knows its values. */
const computed = (like, numbers) => (numbers.once(4) ? { ...like, isComputed: true } : like);

// ---- draws

/** A call of an operator that has one draw for all tests. */
function shared(numbers, op) {
  return drawnCall(op, numbers.once(2) ? 'float32' : numbers.pick(DTYPES), numbers);
}

function sorts(numbers) {
  const shape = lengthsOf(numbers, 0);
  const dim = shape.length === 0 ? numbers.pick([undefined, 0, -1]) : numbers.pick([undefined, signedDim(shape.length, numbers)]);
  return { self: drawn(numbers, numbers.pick(DTYPES), shape), args: { dim }, options: optional(numbers, { descending: numbers.once(2), ...(numbers.once(2) && { dtype: 'int32' }) }) };
}

/** An object, or now and then none of its options. */
const optional = (numbers, options) => (numbers.once(4) ? {} : options);

/** A mask, and a tensor or several with a dimension of its length. */
function compressed(numbers) {
  const length = numbers.once(40) ? 300 + numbers.below(9000) : numbers.below(9);
  const mask = drawn(numbers, 'bool', [length]);
  const rank = 1 + numbers.below(3);
  const at = numbers.below(rank);
  const one = () => drawn(numbers, numbers.pick(DTYPES), Array.from({ length: rank }, (_, d) => (d === at ? length : numbers.below(4))));
  const x = numbers.once(3) ? Array.from({ length: 1 + numbers.below(3) }, one) : one();
  return { self: mask, args: { x }, options: at === 0 && numbers.once(2) ? {} : { dim: numbers.once(2) ? at : at - rank } };
}

function searches(numbers) {
  const [one, other] = [numbers.pick(DTYPES), numbers.pick(DTYPES)];
  const edges = drawn(numbers, one, [numbers.below(8)]);
  // Now and then they stay as they are, which is refused if they do not ascend.
  if (!numbers.once(8)) ascending(edges);
  const x = drawn(numbers, numbers.once(2) ? one : other, lengthsOf(numbers, 0));
  // Elements of their own, at which a number is before or behind its equals.
  if (x.dtype === one && edges.data.length > 0) x.data = x.data.map((element) => (numbers.once(3) ? numbers.pick(edges.data) : element));
  return { self: edges, args: { x }, options: optional(numbers, { right: numbers.once(2), ...(numbers.once(2) && { dtype: 'int32' }) }) };
}

/** Brings the elements of a tensor into ascending order, NaN last. */
function ascending(like) {
  const values = (a, b) => [a, b].map((element) => valueOf(like.dtype, element));
  const order = (a, b) => (isBefore(...values(a, b)) ? -1 : isBefore(...values(b, a)) ? 1 : 0);
  like.data = like.data.constructor.from(Array.from(like.data).sort(order));
}

/** Lengths or offsets of segments, with the number of rows that they divide. */
function divisionOf(numbers) {
  const lengths = Array.from({ length: 1 + numbers.below(4) }, () => numbers.below(5));
  const dtype = numbers.pick(['int32', 'int64']);
  const rows = lengths.reduce((sum, each) => sum + each, 0);
  if (numbers.once(2)) return { rows, options: { lengths: computed(integers(dtype, [lengths.length], (k) => lengths[k]), numbers) } };
  const offsets = [0, ...lengths.map((_, k) => lengths.slice(0, k + 1).reduce((sum, each) => sum + each, 0))];
  return { rows, options: { offsets: computed(integers(dtype, [offsets.length], (k) => offsets[k]), numbers) } };
}

/** Options of a reduction by a word: exact sums, or the winners of a maximum. */
function optionsOf(reduce, numbers) {
  if (reduce === 'amax' || reduce === 'amin') return numbers.once(2) ? { return_indices: true } : {};
  return ['sum', 'mean'].includes(reduce) && numbers.once(3) ? { sum: 'exact' } : {};
}
const wordOf = (op, dtype, numbers) => numbers.pick(rowOf(op).words.map(([word]) => word).filter((word) => dtype !== 'bool' || word !== 'mean'));

function segments(numbers, op) {
  const dtype = numbers.pick(DTYPES);
  const { rows, options } = divisionOf(numbers);
  const reduce = wordOf(op, dtype, numbers);
  const initial = numbers.once(3) ? { initial: numbers.pick([0, 1, 3, ...(isFloat(dtype) ? [-0, 2.5, NaN, -Infinity] : [])]) } : {};
  return { self: drawn(numbers, dtype, [rows, ...smallShape(numbers, 0).slice(1)]), args: { reduce }, options: { ...options, ...optionsOf(reduce, numbers), ...initial } };
}

/** scatter_reduce with the updates that won. */
function winners(numbers) {
  const shape = smallShape(numbers, 1);
  const dtype = numbers.pick(DTYPES);
  const dim = signedDim(shape.length, numbers);
  const at = dim < 0 ? dim + shape.length : dim;
  const sizes = shape.map((size, d) => (d === at ? (size === 0 ? 0 : numbers.below(8)) : size));
  const index = indexOf(numbers, sizes, () => shape[at]);
  const src = drawn(numbers, dtype, sizes.map((size, d) => (d === at && numbers.once(4) ? size + 1 : size)));
  const how = { ...ignored(index, numbers), ...(numbers.once(2) && { include_self: false }) };
  return { self: drawn(numbers, dtype, shape), args: { dim, index, src, reduce: numbers.pick(['amax', 'amin']) }, options: { return_indices: true, ...how } };
}

/** The option ignore_index, now and then, with entries of the index that have the value. They need not be in range. */
function ignored(index, numbers) {
  if (!numbers.once(3)) return {};
  const ignore_index = numbers.pick([0, -1, -100, 255, 2n]);
  const value = index.dtype === 'int64' ? BigInt(ignore_index) : Number(ignore_index);
  index.data = index.data.map((entry) => (numbers.once(3) ? value : entry));
  return { ignore_index };
}

/** scatter_softmax and scatter_logsumexp. The index is broadcast: of one dimension, or with sizes of 1. */
function groups(numbers, op) {
  const shape = lengthsOf(numbers, 1);
  const dtype = numbers.pick(['float32', ...FLOATS]);
  const dim = numbers.pick([undefined, signedDim(shape.length, numbers)]);
  const at = dim === undefined ? shape.length - 1 : dim < 0 ? dim + shape.length : dim;
  const sizes = numbers.once(2) ? [shape[at]] : shape.map((size) => (numbers.once(4) ? Math.min(size, 1) : size));
  const places = 1 + numbers.below(5);
  const index = integers(numbers.pick(['int32', 'int64']), sizes, () => numbers.below(places));
  const self = numbers.once(3) ? drawn(numbers, dtype, shape) : moderate(dtype, shape, numbers);
  const options = ignored(index, numbers);
  if (numbers.once(2)) return { self, args: { index, dim }, options };
  const size = places + numbers.below(3);
  return { self, args: { index: computed(index, numbers), dim }, options: { ...options, size } };
}

function products(numbers, op) {
  const shape = [1 + numbers.below(5), ...smallShape(numbers, 0).slice(1)];
  const [count, size, dtype] = [numbers.once(40) ? 700 : numbers.below(9), 1 + numbers.below(5), numbers.pick(DTYPES)];
  const mode = numbers.once(4) ? numbers.pick(['wrap', 'clip', 'drop', 'inside']) : undefined;
  const side = (places) => {
    const index = indexOf(numbers, [count], () => places);
    if (mode) index.data = index.data.map((value) => (numbers.once(4) ? stored(index.dtype, numbers.below(40) - 20) : value));
    return index;
  };
  const [rows, columns] = [side(size), side(shape[0])];
  const common = numbers.once(3) ? ignored(rows, numbers) : {};
  if ('ignore_index' in common && numbers.once(2)) columns.data = columns.data.map((value) => (numbers.once(4) ? stored(columns.dtype, Number(common.ignore_index)) : value));
  const how = { ...(mode && { mode }), ...common };
  const planned = (index, places) => (numbers.once(4) ? { ...index, plan: { shape: [places], ...how } } : index);
  const values = numbers.once(4) ? undefined : drawn(numbers, dtype, [count]);
  const reduce = wordOf(op, dtype, numbers);
  // Of arrays the CPU knows the values, where a GPU computes.
  if (numbers.once(2)) for (const index of [rows, columns]) index.isArray = true;
  const args = { columns: planned(columns, shape[0]), values, dense: drawn(numbers, dtype, shape) };
  const self = rows.isArray ? planned(rows, size) : computed(planned(rows, size), numbers);
  const isPlanned = Boolean(self.plan && args.columns.plan); // plans have modes of their own
  return { self, args, options: { size, ...(!numbers.once(4) && { reduce }), ...(numbers.once(3) && ['sum', 'mean'].includes(reduce) && { sum: 'exact' }), ...(!isPlanned && how) } };
}

/** The dtype of sums, as an option: integers take the sums of integers, which are exact. */
const sumDtype = (weights, numbers) => numbers.pick(weights && isFloat(weights.dtype) ? FLOATS : NUMERIC);

/** The options that counts and histograms share. */
function countedBy(shape, numbers) {
  const weights = numbers.once(2) ? drawn(numbers, numbers.pick(['float32', ...DTYPES]), shape) : undefined;
  const isExact = weights && numbers.once(3);
  return { ...(weights && { weights }), ...(numbers.once(3) && { mask: maskOf(shape, numbers) }), ...(numbers.once(3) && { dtype: sumDtype(weights, numbers) }), ...(isExact && { sum: 'exact' }) };
}

function counts(numbers) {
  const shape = numbers.once(2) ? lengthsOf(numbers, 1).slice(0, 1) : smallShape(numbers, 1);
  const dtype = numbers.pick(INTEGERS);
  const places = 1 + numbers.below(9);
  const options = countedBy(shape, numbers);
  if (shape.length > 1 || numbers.once(4)) options.dim = signedDim(shape.length, numbers);
  // Negative values are refused, unless they are masked.
  const isSigned = dtype.startsWith('int') && numbers.once(12);
  const self = integers(dtype, shape, () => numbers.below(places) - (isSigned && numbers.once(4) ? places : 0));
  if (numbers.once(2)) options.length = numbers.below(places + 3);
  else if (numbers.once(2)) options.minlength = numbers.below(12);
  if (numbers.once(4)) options.ignore_index = numbers.pick([0, 1, -1, 300]);
  return { self: 'length' in options ? computed(self, numbers) : self, args: {}, options };
}

/** The bins of one column: a number, or edges. */
function binsOf(dtype, numbers) {
  if (!numbers.once(3)) return 1 + numbers.below(8);
  const kind = numbers.pick([dtype, 'float32', 'float64']);
  const steps = Array.from({ length: 2 + numbers.below(5) }, () => numbers.below(5));
  const start = /^u/.test(kind) ? 0 : -4;
  return integers(kind, [steps.length], (k) => start + steps.slice(0, k + 1).reduce((sum, each) => sum + each, 0) / (isFloat(kind) ? 2 : 1));
}
const RANGES = [[0, 1], [-1, 1], [-3, 4], [-0.1, 0.2], [2, 2], [0, 1e-3]];

/** Samples: any elements, or numbers. Many numbers lie in the ranges above, and some on edges. */
const samples = (dtype, shape, numbers) => (numbers.once(5) || !isFloat(dtype) ? (isFloat(dtype) ? drawn(numbers, dtype, shape) : integers(dtype, shape, () => numbers.below(9))) : moderate(dtype, shape, numbers));

function histograms(numbers, op) {
  const isRows = op === 'histogramdd';
  const dtype = numbers.pick(['float32', ...NUMERIC]);
  const shape = isRows ? [numbers.below(30), 1 + numbers.below(3)] : lengthsOf(numbers, 1);
  const options = countedBy(isRows ? shape.slice(0, 1) : shape, numbers);
  if (!isRows && numbers.once(3)) options.dim = signedDim(shape.length, numbers);
  if (!isRows && numbers.once(4) && (options.dtype === undefined || isFloat(options.dtype))) options.density = true;
  return { self: samples(dtype, shape, numbers), args: {}, options: { ...options, ...divisions(isRows ? shape[1] : undefined, dtype, numbers) } };
}

/** The options bins and range of samples with that many columns; undefined for histogram, whose options are not lists. */
function divisions(columns, dtype, numbers) {
  const options = {};
  if (!numbers.once(5)) options.bins = columns === undefined || numbers.once(4) ? binsOf(dtype, numbers) : Array.from({ length: columns }, () => binsOf(dtype, numbers));
  if (columns !== undefined && options.bins?.dtype) options.bins = Array(columns).fill(options.bins);
  const isOfEdges = options.bins?.dtype !== undefined;
  if (!isOfEdges && !numbers.once(3)) options.range = columns === undefined ? numbers.pick(RANGES) : Array.from({ length: columns }, () => numbers.pick([...RANGES, null]));
  return options;
}

function statistics(numbers) {
  const count = numbers.once(40) ? 700 : numbers.below(30);
  const shape = numbers.once(3) ? [count] : [count, 1 + numbers.below(3)];
  const dtype = numbers.pick(['float32', ...NUMERIC]);
  const statistic = numbers.pick(STATISTICS);
  const kind = numbers.pick(statistic === 'sum' || statistic === 'count' ? DTYPES : FLOATS);
  const values = statistic === 'count' && numbers.once(2) ? null : drawn(numbers, kind, numbers.once(3) ? [numbers.below(4), count] : [count]);
  const options = { ...divisions(shape[1] ?? 1, dtype, numbers), ...(numbers.once(3) && { mask: maskOf([count], numbers) }) };
  return { self: samples(dtype, shape, numbers), args: { values, statistic }, options };
}

/** Tuples in batches. */
function batches(numbers, op) {
  const shape = smallShape(numbers, 2).map((size) => Math.max(size, 1));
  const dtype = numbers.pick(DTYPES);
  const batch_dims = 1 + numbers.below(shape.length - 1);
  const depth = 1 + numbers.below(shape.length - batch_dims);
  const outer = [...shape.slice(0, batch_dims), numbers.below(5)];
  const indices = indexOf(numbers, [...outer, depth], (k) => shape[batch_dims + (k % depth)]);
  const how = ignored(indices, numbers);
  const self = drawn(numbers, dtype, shape);
  if (op === 'Tensor.gather_nd') return { self, args: { indices }, options: { batch_dims, ...how } };
  const reduce = numbers.pick([undefined, 'add', 'multiply', 'amax', 'amin']);
  const exact = reduce === 'add' && numbers.once(3) ? { sum: 'exact' } : {};
  return { self, args: { indices, updates: drawn(numbers, dtype, [...outer, ...shape.slice(batch_dims + depth)]) }, options: { ...(reduce && { reduce }), batch_dims, ...exact, ...how } };
}
