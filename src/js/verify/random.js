// Valid calls drawn at random, the same for a seed in every run. Many updates go to one place, and sums and products of the values round,
// cancel and overflow. Most calls are small; some are large enough for every way in which a GPU scatters.
//
// Calls and tensors are plain data as in calls.js; `numbers` is the random generator, and dtypes are names. A seed fixes the order of
// draws: another order makes other calls.

import { operators, rowOf } from '../arguments/operators.js';
import { ALONG, ROUNDINGS, SLICES, STATISTICS, TUPLES } from '../engine/wire.js';
import { DTYPES, FLOATS, bytesOf, product, widthOf } from './bits.js';
import { Numbers } from './numbers.js';

/** The operators that are not drawn, each with its reason. Every other operator of the table is drawn. */
export const NOT_DRAWN = {
  activate: 'elementwise_mul has the same activations',
  scatter_softmax: 'exp may differ within its bound on a GPU',
  scatter_logsumexp: 'exp and log may differ within their bounds on a GPU',
  'Tensor.astype': 'it computes nothing with other elements, and the recorded calls convert',
  unique: 'it returns a promise; its order is that of Tensor.sort',
  bin_codes: 'one of its results is no tensor; its bins are those of histogramdd',
  compress: 'it returns a promise; its positions are those of flatnonzero',
};
const OPERATORS = operators().filter((op) => !Object.hasOwn(NOT_DRAWN, op));

/** The functions that draw calls of operators with `run: 'own'`, by the operators' names. */
const own = {
  'Tensor.take_along_dim': along,
  segment_reduce: segments,
  spmm: products,
  bincount: counts,
  histogram: bins,
  histogramdd: binsOfRows,
  binned_statistic: statistics,
  'Tensor.argsort': sorts,
  'Tensor.sort': sorts,
  searchsorted: searches,
  ...Object.fromEntries(['lt', 'le', 'gt', 'ge', 'eq', 'ne'].map((name) => [`Tensor.${name}`, comparisons])),
  where: (op, dtype, numbers) => {
    const [self, x, y] = sides(numbers);
    return { self: tensor('bool', self, numbers), args: { x: tensor(dtype, x, numbers), y: numbers.once(6) ? scalar(dtype, numbers) : tensor(dtype, y, numbers) } };
  },
  flatnonzero: (op, dtype, numbers) => {
    const shape = numbers.once(6) ? [9000] : shapeOf(numbers);
    const size = numbers.pick([0, 3, product(shape), product(shape) + 5]);
    return { self: tensor(numbers.pick(['bool', dtype]), shape, numbers), options: { size, fill: numbers.pick([-1, 7]), dtype: numbers.pick(['int64', 'int32']) } };
  },
  'Tensor.isnan': (op, dtype, numbers) => ({ self: tensor(dtype, shapeOf(numbers), numbers) }),
  ...Object.fromEntries(['logical_and', 'logical_or', 'logical_not'].map((name) => [`Tensor.${name}`, truths])),
};

/** The function that draws calls of an operator; undefined if none fits. */
export function formOf(op) {
  const { run, form, tuples: hasTuples } = rowOf(op);
  if (own[op] || run === 'own') return own[op];
  if (run === 'pair') return op.startsWith('Tensor.') ? broadcast : aligned;
  if (run === 'rows') return rows;
  if (run === 'dims') return dims;
  if (form === SLICES) return slices;
  return form === TUPLES ? tuples : hasTuples ? alongOrTuples : along;
}

/** The activations with the same bits on every device, without the identity `assign`. The others only have bounded errors. */
const ACTIVATIONS = ['abs', 'brelu', 'ceil', 'floor', 'hard_shrink', 'hard_sigmoid', 'hard_swish', 'leaky_relu', 'pow', 'reciprocal', 'relu', 'relu6', 'round', 'rsqrt', 'scale', 'sign', 'softshrink', 'softsign', 'sqrt', 'square', 'thresholded_relu'];

/** Call number `n` of a seed: the same in every run. */
export function randomCall(seed, n) {
  const numbers = new Numbers(seed, n);
  const op = OPERATORS[n % OPERATORS.length]; // so that a short run has each operator
  const dtype = numbers.once(2) ? 'float32' : numbers.pick(DTYPES);
  const call = numbers.once(6) ? large(op, numbers) : formOf(op)(op, dtype, numbers);
  return { op, args: {}, options: {}, ...call };
}

// ---- forms: each makes `{ self, args, options }` for an operator with the drawn dtype; args and options may be missing

/** A shape of 1 to 3 sizes, each from 1 to 7. */
const shapeOf = (numbers) => Array.from({ length: 1 + numbers.below(3) }, () => (numbers.once(5) ? 1 : 2 + numbers.below(6)));

/** A word of `reduce` from a row, supported by the dtype. */
function wordFor(numbers, dtype, { words }) {
  const all = words.map(([word]) => word);
  return numbers.pick(dtype === 'bool' ? all.filter((word) => !['mean', 'sub', 'div'].includes(word)) : all);
}

/** The options of a scatter, and the word of its `reduce`. An optional `reduce` may be missing. Of every index some values are 0. */
function optionsOf(op, dtype, numbers) {
  const row = rowOf(op);
  const options = {};
  if (row.words && (row.args.includes('reduce') || !numbers.once(4))) options.reduce = wordFor(numbers, dtype, row);
  if (row.options.includes('include_self')) options.include_self = !numbers.once(2);
  const alphas = dtype in FLOATS ? [0.1, -3, 0, 2 ** -10] : dtype.startsWith('int') ? [-3, 2, 0] : [1];
  if (row.options.includes('alpha') && !numbers.once(3)) options.alpha = { scalar: 'float', value: numbers.pick(alphas) };
  if (row.options.includes('return_indices') && ['amax', 'amin'].includes(options.reduce) && numbers.once(2)) options.return_indices = true;
  if (row.options.includes('ignore_index') && numbers.once(4)) options.ignore_index = 0;
  return { ...options, ...sumOf(op, numbers, options.reduce) };
}

/** The option `sum` of a call that sums: exact, or missing. `reduce` is the word of the call, if it has one. */
function sumOf(op, numbers, reduce) {
  const { options, update } = rowOf(op);
  const sums = ['add', 'sub', 'sum', 'mean'].includes(reduce ?? update);
  return options.includes('sum') && sums && numbers.once(3) ? { sum: 'exact' } : {};
}

/** An index along a dimension, for a scatter or a gather. The index of `scatter` is never longer than self. */
function along(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const sizes = shape.map((size, at) => (at === dim && op !== 'Tensor.scatter' ? 1 + numbers.below(40) : size));
  const index = indexOf(numbers, sizes, () => shape[dim]);
  const self = tensor(dtype, shape, numbers);
  if (op === 'Tensor.take_along_dim') return { self, args: { index, dim } };
  if (rowOf(op).run === 'gather') return { self, args: { dim, index } };
  const src = numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers);
  return { self, args: { dim, index, src }, options: optionsOf(op, dtype, numbers) };
}

/** An index of tuples; each names the first `depth` coordinates. */
function tuples(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const depth = 1 + numbers.below(shape.length);
  const count = 1 + numbers.below(30);
  const indices = indexOf(numbers, [count, depth], (k) => shape[k % depth]);
  const self = tensor(dtype, shape, numbers);
  if (rowOf(op).run === 'gather') return { self, args: { indices } };
  const options = optionsOf(op, dtype, numbers);
  return { self, args: { indices, updates: tensor(dtype, [count, ...shape.slice(depth)], numbers, options.reduce === 'div') }, options };
}

const alongOrTuples = (op, dtype, numbers) => (numbers.once(2) ? along : tuples)(op, dtype, numbers);

/** A function on rows. */
function rows(op, drawnDtype, numbers) {
  const dtype = drawnDtype === 'bool' ? 'int32' : drawnDtype; // bool has no differences and no quotients
  const shape = shapeOf(numbers);
  const count = 1 + numbers.below(30);
  const indices = indexOf(numbers, [count], () => shape[0]);
  const updates = tensor(dtype, [count, ...shape.slice(1)], numbers, op === 'scatter_div');
  return { self: tensor(dtype, shape, numbers), args: { indices, updates }, options: sumOf(op, numbers) };
}

function slices(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const count = 1 + numbers.below(20);
  const index = indexOf(numbers, [count], () => shape[dim]);
  const self = tensor(dtype, shape, numbers);
  const source = rowOf(op).args[2];
  if (source === undefined) return { self, args: { dim, index } };
  const value = source === 'value' || numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, shape.map((size, at) => (at === dim ? count : size)), numbers);
  return { self, args: { dim, index, [source]: value }, options: optionsOf(op, dtype, numbers) };
}

function dims(op, dtype, numbers) {
  const { takesOne, options } = rowOf(op);
  const shape = shapeOf(numbers);
  const several = shape.map((_, at) => at).filter(() => numbers.once(2));
  const dim = numbers.pick([undefined, numbers.below(shape.length), takesOne ? -1 : several]);
  const to = op === 'Tensor.mean' && !(dtype in FLOATS) ? 'float32' : options.includes('dtype') && numbers.once(4) ? (takesOne ? 'int32' : numbers.pick(['float64', 'int32', 'float16'])) : undefined;
  const isUnfit = op === 'Tensor.mean' && to === 'int32';
  return { self: tensor(dtype, shape, numbers), args: dim === undefined ? {} : { dim }, options: { keepdim: numbers.once(2), ...(to && !isUnfit && { dtype: to }) } };
}

function sorts(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  return { self: tensor(dtype, shape, numbers), args: { dim: numbers.below(shape.length) }, options: { descending: numbers.once(2), ...(numbers.once(4) && { dtype: 'int32' }) } };
}

/** Elements of any dtype, searched in ascending integers. */
function searches(op, dtype, numbers) {
  let edge = -20;
  const edges = integers('int32', [1 + numbers.below(20)], () => (edge += numbers.below(4)));
  return { self: edges, args: { x: tensor(dtype, shapeOf(numbers), numbers) }, options: { right: numbers.once(2), ...(numbers.once(4) && { dtype: 'int32' }) } };
}

/** Shapes of three operands that broadcast, with sizes of 1 here and there. */
function sides(numbers) {
  const shape = shapeOf(numbers);
  return [0, 1, 2].map(() => shape.map((size) => (numbers.once(3) ? 1 : size)));
}

/** Of one dtype, or of two. */
function comparisons(op, dtype, numbers) {
  const [self, other] = sides(numbers);
  return { self: tensor(dtype, self, numbers), args: { other: numbers.once(6) ? scalar(dtype, numbers) : tensor(numbers.once(2) ? dtype : numbers.pick(DTYPES), other, numbers) } };
}

function truths(op, dtype, numbers) {
  const [self, other] = sides(numbers);
  return { self: tensor('bool', self, numbers), ...(op !== 'Tensor.logical_not' && { args: { other: tensor('bool', other, numbers) } }) };
}

/** segment_reduce by lengths; some segments are empty, but there is at least one row. */
function segments(op, dtype, numbers) {
  const lengths = Array.from({ length: 1 + numbers.below(6) }, () => numbers.below(12));
  const total = lengths.reduce((sum, each) => sum + each, 0);
  const usedLengths = total > 0 ? lengths : [1];
  const self = tensor(dtype, [Math.max(total, 1), ...shapeOf(numbers).slice(1)], numbers);
  const reduce = wordFor(numbers, dtype, rowOf(op));
  return { self, options: { reduce, lengths: integers('int64', [usedLengths.length], (k) => usedLengths[k]), ...sumOf(op, numbers, reduce) } };
}

/** spmm with few rows and columns, so that several entries collide. */
function products(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const [count, size] = [1 + numbers.below(60), 1 + numbers.below(9)];
  const self = indexOf(numbers, [count], () => size);
  const columns = indexOf(numbers, [count], () => shape[0]);
  const values = numbers.once(4) ? undefined : tensor(dtype, [count], numbers);
  const reduce = wordFor(numbers, dtype, rowOf(op));
  return { self, args: { columns, values, dense: tensor(dtype, shape, numbers) }, options: { size, reduce, ...sumOf(op, numbers, reduce) } };
}

/** bincount, which has dtypes of its own. */
function counts(op, dtype, numbers) {
  const count = 1 + numbers.below(200);
  const places = 1 + numbers.below(9);
  const weights = numbers.pick([undefined, 'float32', 'float64', 'int32']);
  const self = integers('int32', [count], () => numbers.below(places));
  return { self, options: weights ? { weights: tensor(weights, [count], numbers), ...sumOf(op, numbers, 'sum') } : { minlength: 4 } };
}

/** histogram with bins of equal width, which has dtypes of its own. */
function bins(op, dtype, numbers) {
  const kind = numbers.pick(['float32', 'float64', 'float32', 'int32']);
  const [low, high] = numbers.pick([[0, 1], [-1, 1], [-0.1, 0.2], [-3, 40], [0, 1e-3]]);
  return { self: tensor(kind, [1 + numbers.below(200)], numbers), options: { bins: 1 + numbers.below(30), range: [low, high] } };
}

function binsOfRows(op, dtype, numbers) {
  const range = [[0, 1], [-1, 2]];
  return { self: tensor('float32', [1 + numbers.below(100), 2], numbers), options: { bins: [1 + numbers.below(9), 1 + numbers.below(9)], range } };
}

function statistics(op, dtype, numbers) {
  const count = 1 + numbers.below(200);
  const values = tensor(numbers.pick(['float32', 'float64', 'float16']), numbers.pick([[count], [2, count]]), numbers);
  const range = [[0, 1], [-1, 2]];
  const options = { bins: [1 + numbers.below(9), 1 + numbers.below(9)], range, ...(numbers.once(3) && { mask: tensor('bool', [count], numbers) }) };
  return { self: tensor('float32', [count, 2], numbers), args: { values, statistic: numbers.pick(STATISTICS) }, options };
}

/** The dtype of an operation on two tensors: bool has no differences and no quotients. */
const pairDtype = (op, dtype) => (dtype === 'bool' && ['sub', 'div'].includes(rowOf(op).update) ? 'int32' : dtype);

/** elementwise_mul or a sibling: y has some neighbouring sizes of x. */
function aligned(op, drawnDtype, numbers) {
  const dtype = pairDtype(op, drawnDtype);
  const shape = shapeOf(numbers);
  const axis = numbers.below(shape.length);
  const y = shape.slice(axis, axis + 1 + numbers.below(shape.length - axis));
  const hasActivations = dtype in FLOATS && dtype !== 'float64'; // a GPU has nearly none of float64
  const options = { axis: y.length === shape.length - axis ? -1 : axis, ...(hasActivations && !numbers.once(3) && { act: numbers.pick(ACTIVATIONS) }) };
  return { self: tensor(dtype, shape, numbers), args: { y: tensor(dtype, y, numbers, rowOf(op).update === 'div') }, options };
}

/** mul or a sibling: both sides have a size of 1 here and there. */
function broadcast(op, drawnDtype, numbers) {
  const dtype = pairDtype(op, drawnDtype);
  const shape = shapeOf(numbers);
  const side = () => shape.map((size) => (numbers.once(3) ? 1 : size));
  const self = tensor(dtype, side(), numbers);
  const isQuotient = rowOf(op).update === 'div';
  const roundings = dtype in FLOATS ? [undefined, ...ROUNDINGS] : ROUNDINGS;
  const rounding = isQuotient ? numbers.pick(roundings) : undefined;
  return { self, args: { other: tensor(dtype, side(), numbers, isQuotient) }, options: rounding ? { rounding } : {} };
}

/**
 * A call of `op` or a similar operator, mostly on thousands of elements: few places and many, many columns, one value for all. The
 * numbers of places and entries lie on both sides of the thresholds by which a GPU chooses a strategy (strategy.rs).
 */
function large(op, numbers) {
  const dtype = numbers.pick(['float32', 'float32', 'float32', 'int32', 'float16', 'int64']);
  const { run, form } = rowOf(op);
  if (run === 'pair') {
    const self = tensor(dtype, [64, 129], numbers);
    return { op: 'Tensor.mul', self, args: { other: tensor(dtype, numbers.pick([[64, 129], [129], [64, 1]]), numbers) } };
  }
  if (run === 'dims') {
    const shape = numbers.pick([[6000], [300, 20], [3, 5, 400], [7, 900]]);
    return { self: tensor(dtype, shape, numbers), args: numbers.once(4) ? {} : { dim: numbers.below(shape.length) }, options: op === 'Tensor.mean' ? { dtype: dtype in FLOATS ? dtype : 'float32' } : {} };
  }
  if (op === 'segment_reduce') {
    const lengths = integers('int64', [3], (k) => [1, 4999, 1000][k]);
    const reduce = wordFor(numbers, dtype, rowOf(op));
    return { self: tensor(dtype, [6000], numbers), options: { reduce, lengths, ...sumOf(op, numbers, reduce) } };
  }
  if (run === 'gather') {
    const self = tensor(dtype, [5000], numbers);
    return { op: 'Tensor.gather', self, args: { dim: 0, index: indexOf(numbers, [7000], () => 5000, 5000) } };
  }
  if (op === 'Tensor.scatter_add' && numbers.once(2)) {
    // Enough columns that a GPU gives each its own thread (COLUMNS in strategy.rs).
    const index = indexOf(numbers, [3, 17_000], () => 2);
    const args = { dim: 0, index, src: tensor(dtype, [3, 17_000], numbers) };
    return { self: tensor(dtype, [2, 17_000], numbers), args, options: sumOf(op, numbers) };
  }
  const places = numbers.pick([3, 64, 1500, 6000]);
  const count = numbers.pick([900, 5000, 8000]);
  const index = indexOf(numbers, [Math.min(count, op === 'Tensor.scatter' ? places : count)], () => places, places);
  const self = tensor(dtype, [places], numbers);
  if (op === 'scatter_mul') return { self, args: { indices: index, updates: tensor(dtype, [count], numbers) } };
  const like = run === 'scatter' && form === ALONG ? op : 'Tensor.scatter_add';
  const src = numbers.once(3) ? scalar(dtype, numbers) : tensor(dtype, index.shape, numbers);
  return { op: like, self, args: { dim: 0, index, src }, options: optionsOf(like, dtype, numbers) };
}

// ---- contents

/**
 * An index of a shape. Value `k` is from 0 to below `places(k)`, or negative, counted from the end. It names only the first `spread`
 * places, usually few, so that several updates collide in a place.
 */
function indexOf(numbers, shape, places, spread = 1 + numbers.below(8)) {
  return integers(numbers.pick(['int32', 'int64']), shape, (k) => {
    const position = numbers.below(Math.min(spread, places(k)));
    return numbers.once(3) ? position - places(k) : position;
  });
}

/** A tensor of int64 or int32 whose element `k` is `value(k)`. */
function integers(dtype, shape, value) {
  const wide = dtype === 'int64';
  const array = new (wide ? BigInt64Array : Int32Array)(product(shape));
  for (let k = 0; k < array.length; k++) array[k] = wide ? BigInt(value(k)) : value(k);
  return { dtype, shape, bytes: bytesOf(array) };
}

function scalar(dtype, numbers) {
  const [whole, rounding] = [[0, 1, 3, 100], [0.1, -2.5, 1 / 3, 1e-4]];
  return { scalar: 'float', value: numbers.pick(dtype in FLOATS ? [...whole, ...rounding] : whole.slice(0, dtype === 'bool' ? 2 : 4)) };
}

/** A tensor with random elements. With `divides` it is a divisor: none of its integers is 0. */
function tensor(dtype, shape, numbers, divides = false) {
  const width = widthOf(dtype);
  const bytes = new Uint8Array(product(shape) * width);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += width) {
    if (dtype in FLOATS) writeFloat(view, at, dtype, numbers);
    else writeInteger(view, at, dtype, numbers, divides);
  }
  return { dtype, shape, bytes };
}

/** Writes an integer or a bool at a byte offset: half of them small, half with random bits. */
function writeInteger(view, at, dtype, numbers, divides) {
  const width = widthOf(dtype);
  const small = numbers.once(2);
  const any = numbers.next();
  for (let byte = 0; byte < width; byte++) view.setUint8(at + byte, small ? 0 : numbers.below(256));
  if (dtype === 'bool') view.setUint8(at, any & 1);
  else if (small) view.setUint8(at, any % 100);
  if (divides) view.setUint8(at, view.getUint8(at) | 1); // no divisor is 0
}

/**
 * Writes a float at a byte offset, with a random sign, exponent and fraction. For a float64 these are the high 32 bits. Its low bits are
 * random in the usual case, the last branch below; else they are 0.
 */
function writeFloat(view, at, dtype, numbers) {
  const width = widthOf(dtype);
  const exponentBits = FLOATS[dtype][0];
  const fractionBits = Math.min(8 * width, 32) - 1 - exponentBits;
  const [top, most] = [2 ** exponentBits - 1, 2 ** fractionBits - 1]; // the exponent of infinity and NaN, and the largest fraction
  const bias = top >> 1;
  // Exponent and fraction (float64: high bits): 0, smallest and largest subnormal, smallest normal, 1, the next, largest, infinity, NaN.
  const special = () => numbers.pick([[0, 0], [0, 1], [0, most], [1, 0], [bias, 0], [bias, 1], [top - 1, most], [top, 0], [top, (most + 1) / 2]]);
  const kind = numbers.below(16);
  const range = dtype === 'float16' ? 6 : 13; // the usual distance from 1, in powers of two
  const near = bias - range + numbers.below(2 * range);
  let [exponent, fraction] = [near, 0];
  if (kind === 0) [exponent, fraction] = special();
  else if (kind === 1) [exponent, fraction] = [numbers.below(top), numbers.below(most + 1)]; // any exponent below that of infinity
  else if (kind < 6) fraction = numbers.below(4) * ((most + 1) / 4); // few bits make sums halfway between two numbers, and equal magnitudes cancel
  else fraction = numbers.below(most + 1);
  const bits = ((numbers.below(2) * 2 ** exponentBits + exponent) * (most + 1) + fraction) >>> 0;
  if (width === 2) view.setUint16(at, bits, true);
  else view.setUint32(at + width - 4, bits, true);
  if (width === 8) view.setUint32(at, kind < 6 ? 0 : numbers.next(), true);
}
