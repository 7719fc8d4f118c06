// Valid calls drawn at random, the same for a seed in every run: many updates for one place, and values whose sums and products round,
// cancel and overflow. Small ones, and some that are large enough for every way in which a GPU scatters.
//
// Calls and tensors are plain data as in calls.js; `numbers` is the generator that everything is drawn from, and dtypes are names. The order of
// draws is part of what a seed means: another order makes other calls.

import { REDUCES, REDUCTIONS } from '../engine/wire.js';
import { DTYPES, FLOATS, bytesOf, product, widthOf } from './bits.js';

/** A generator of random integers: Mulberry32 (Tommy Ettinger 2017). */
class Numbers {
  constructor(seed) {
    this.state = seed | 0;
    for (let warm = 0; warm < 4; warm++) this.next(); // the first numbers of similar seeds are alike
  }
  /** The next integer of 32 bits, without a sign. */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let z = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  }
  /** An integer from 0 to below `bound`. */
  below(bound) {
    return this.next() % bound;
  }
  /** True with a probability of one in `n`. */
  oneIn(n) {
    return this.below(n) === 0;
  }
  /** An entry of a list. */
  pick(list) {
    return list[this.below(list.length)];
  }
}

/** The function that makes the calls of each operator, by the operator's name in calls.js. */
const forms = { scatter_: along, scatter_add_axis: along, scatter_reduce: along, gather: along, scatter_add_nd: tuples, scatter_nd: tuples, scatter_mul: rows, scatter_max: rows, scatter_div: rows, index_add: slices, index_copy: slices, index_select: slices, segment_reduce: segments, bincount: counts, histogram: bins, elementwise_mul: aligned, mul: broadcast };
const OPERATORS = Object.keys(forms);

/** The activations with the same bits on every device, without `assign`, the identity. Of others only the error is bounded. */
const ACTIVATIONS = ['abs', 'brelu', 'ceil', 'floor', 'hard_shrink', 'hard_sigmoid', 'hard_swish', 'leaky_relu', 'pow', 'reciprocal', 'relu', 'relu6', 'round', 'rsqrt', 'scale', 'sign', 'softshrink', 'softsign', 'sqrt', 'square', 'thresholded_relu'];

/** Call number `n` of a seed: the same in every run. */
export function randomCall(seed, n) {
  // Odd factors, so that each seed and each call begins somewhere else.
  const numbers = new Numbers(Math.imul(seed, 0x9e3779b1) + Math.imul(n + 1, 0x85ebca6b));
  const op = OPERATORS[n % OPERATORS.length]; // none is left out where the time is short
  const dtype = numbers.oneIn(2) ? 'float32' : numbers.pick(DTYPES);
  const call = numbers.oneIn(6) ? large(op, numbers) : forms[op](op, dtype, numbers);
  return { op, args: {}, options: {}, ...call };
}

// ---- forms: each makes `{ self, args, options }` for an operator, with a dtype that was drawn; args and options may be left out

/** A shape of 1 to 3 sizes, each from 1 to 7. */
const shapeOf = (numbers) => Array.from({ length: 1 + numbers.below(3) }, () => (numbers.oneIn(5) ? 1 : 2 + numbers.below(6)));

/** One of the words of a reduction, but none that the dtype has no arithmetic for. */
const wordFor = (numbers, dtype, words) => numbers.pick(dtype === 'bool' ? words.filter((word) => !['mean', 'sub', 'div'].includes(word)) : words);
/** The words of scatter_reduce and segment_reduce. */
const reductions = REDUCTIONS.map(([word]) => word);
/** The words of scatter_nd. Replacement, the first one, has none: the option is left out. */
const ndWords = REDUCES.slice(1);

/** A scatter or gather along a dimension. `scatter_` takes no index that is larger than self. */
function along(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const sizes = shape.map((size, at) => (at === dim && op !== 'scatter_' ? 1 + numbers.below(40) : size));
  return { self: tensor(dtype, shape, numbers), ...alongArguments(op, dtype, numbers, dim, sizes, shape[dim]) };
}

/** The arguments and options of a call of `along`: its index has shape `sizes` and values below `places`, the size of the dimension. */
function alongArguments(op, dtype, numbers, dim, sizes, places) {
  const index = indexOf(numbers, sizes, () => places);
  if (op === 'gather') return { args: { dim, index } };
  const options = {
    scatter_: () => numbers.pick([{}, { reduce: 'add' }, { reduce: 'multiply' }]),
    scatter_reduce: () => ({ reduce: wordFor(numbers, dtype, reductions), include_self: !numbers.oneIn(2) }),
  }[op]?.();
  const src = op !== 'scatter_reduce' && numbers.oneIn(4) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers);
  return { args: { dim, index, src }, options: options ?? {} };
}

/** A scatter by index tuples, each of which names the first `depth` coordinates. */
function tuples(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const depth = 1 + numbers.below(shape.length);
  const count = 1 + numbers.below(30);
  const indices = indexOf(numbers, [count, depth], (k) => shape[k % depth]);
  const reduce = op === 'scatter_nd' ? wordFor(numbers, dtype, ndWords) : undefined;
  const updates = tensor(dtype, [count, ...shape.slice(depth)], numbers, reduce === 'div');
  return { self: tensor(dtype, shape, numbers), args: { indices, updates }, options: reduce === undefined || numbers.oneIn(6) ? {} : { reduce } };
}

/** A function on rows. */
function rows(op, drawnDtype, numbers) {
  const dtype = drawnDtype === 'bool' ? 'int32' : drawnDtype; // for scatter_div, the others alike: bool has no quotients
  const shape = shapeOf(numbers);
  const count = 1 + numbers.below(30);
  const indices = indexOf(numbers, [count], () => shape[0]);
  return { self: tensor(dtype, shape, numbers), args: { indices, updates: tensor(dtype, [count, ...shape.slice(1)], numbers, op === 'scatter_div') } };
}

/** index_select, index_add or index_copy: an index of slices along a dimension. */
function slices(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const count = 1 + numbers.below(20);
  const index = indexOf(numbers, [count], () => shape[dim]);
  const self = tensor(dtype, shape, numbers);
  if (op === 'index_select') return { self, args: { dim, index } };
  const src = tensor(dtype, shape.map((size, at) => (at === dim ? count : size)), numbers);
  const alpha = numbers.pick(dtype in FLOATS ? [0.1, -3, 0, 2 ** -10] : dtype.startsWith('int') ? [-3, 2, 0] : [1]);
  return { self, args: { dim, index, src }, options: op === 'index_add' && !numbers.oneIn(3) ? { alpha: { scalar: 'float', value: alpha } } : {} };
}

/** segment_reduce by lengths; some segments are empty, but there is at least one row. */
function segments(op, dtype, numbers) {
  const lengths = Array.from({ length: 1 + numbers.below(6) }, () => numbers.below(12));
  const total = lengths.reduce((sum, each) => sum + each, 0);
  const usedLengths = total > 0 ? lengths : [1];
  const self = tensor(dtype, [Math.max(total, 1), ...shapeOf(numbers).slice(1)], numbers);
  const reduce = wordFor(numbers, dtype, reductions);
  return { self, options: { reduce, lengths: integers('int64', [usedLengths.length], (k) => usedLengths[k]) } };
}

/** bincount, which has dtypes of its own. */
function counts(op, dtype, numbers) {
  const count = 1 + numbers.below(200);
  const places = 1 + numbers.below(9);
  const weights = numbers.pick([undefined, 'float32', 'float64', 'int32']);
  const self = integers('int32', [count], () => numbers.below(places));
  return { self, options: weights ? { weights: tensor(weights, [count], numbers) } : { minlength: 4 } };
}

/** histogram with bins of equal width, which has dtypes of its own. */
function bins(op, dtype, numbers) {
  const kind = numbers.pick(['float32', 'float64', 'float32', 'int32']);
  const [low, high] = numbers.pick([[0, 1], [-1, 1], [-0.1, 0.2], [-3, 40], [0, 1e-3]]);
  return { self: tensor(kind, [1 + numbers.below(200)], numbers), options: { bins: 1 + numbers.below(30), range: [low, high] } };
}

/** elementwise_mul: y has some neighbouring sizes of x. */
function aligned(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const axis = numbers.below(shape.length);
  const y = shape.slice(axis, axis + 1 + numbers.below(shape.length - axis));
  const hasActivations = dtype in FLOATS && dtype !== 'float64'; // a GPU has nearly none of float64
  const options = { axis: y.length === shape.length - axis ? -1 : axis, ...(hasActivations && !numbers.oneIn(3) && { act: numbers.pick(ACTIVATIONS) }) };
  return { self: tensor(dtype, shape, numbers), args: { y: tensor(dtype, y, numbers) }, options };
}

/** mul: both sides have a size of 1 here and there. */
function broadcast(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const side = () => shape.map((size) => (numbers.oneIn(3) ? 1 : size));
  return { self: tensor(dtype, side(), numbers), args: { other: tensor(dtype, side(), numbers) } };
}

/**
 * A call mostly on thousands of elements, of `op` or an operator like it: few places and many, many columns, one value for all. The numbers
 * of places and entries lie on both sides of the thresholds by which a GPU scatters in one way or another (strategy.rs).
 */
function large(op, numbers) {
  const dtype = numbers.pick(['float32', 'float32', 'float32', 'int32', 'float16', 'int64']);
  if (op === 'mul' || op === 'elementwise_mul') {
    const self = tensor(dtype, [64, 129], numbers);
    return { op: 'mul', self, args: { other: tensor(dtype, numbers.pick([[64, 129], [129], [64, 1]]), numbers) } };
  }
  if (op === 'segment_reduce') {
    const lengths = integers('int64', [3], (k) => [1, 4999, 1000][k]);
    return { self: tensor(dtype, [6000], numbers), options: { reduce: numbers.pick(reductions), lengths } };
  }
  if (op === 'gather' || op === 'index_select') {
    const self = tensor(dtype, [5000], numbers);
    return { op: 'gather', self, args: { dim: 0, index: indexOf(numbers, [7000], () => 5000, 5000) } };
  }
  if (op === 'scatter_add_axis' && numbers.oneIn(2)) {
    // So many columns that a GPU gives each a thread of its own (COLUMNS in strategy.rs).
    const index = indexOf(numbers, [3, 17_000], () => 2);
    return { self: tensor(dtype, [2, 17_000], numbers), args: { dim: 0, index, src: tensor(dtype, [3, 17_000], numbers) } };
  }
  const places = numbers.pick([3, 64, 1500, 6000]);
  const count = numbers.pick([900, 5000, 8000]);
  // scatter_ takes no index that is larger than self.
  const index = indexOf(numbers, [Math.min(count, op === 'scatter_' ? places : count)], () => places, places);
  const self = tensor(dtype, [places], numbers);
  if (op === 'scatter_') return { self, args: { dim: 0, index, src: tensor(dtype, index.shape, numbers) }, options: numbers.pick([{}, { reduce: 'multiply' }]) };
  if (op === 'scatter_mul') return { self, args: { indices: index, updates: tensor(dtype, [count], numbers) } };
  if (op === 'scatter_reduce') return { self, args: { dim: 0, index, src: tensor(dtype, [count], numbers) }, options: { reduce: numbers.pick(reductions), include_self: true } };
  const src = numbers.oneIn(3) ? scalar(dtype, numbers) : tensor(dtype, [count], numbers);
  return { op: 'scatter_add_axis', self, args: { dim: 0, index, src } };
}

// ---- contents

/**
 * An index of a shape. Value `k` is from 0 to below `places(k)`, or counted from the end below 0. Only the first `spread` places are named, mostly
 * few, so that several updates meet in a place.
 */
function indexOf(numbers, shape, places, spread = 1 + numbers.below(8)) {
  return integers(numbers.pick(['int32', 'int64']), shape, (k) => {
    const position = numbers.below(Math.min(spread, places(k)));
    return numbers.oneIn(3) ? position - places(k) : position;
  });
}

/** A tensor of int64 or int32 whose element `k` is `value(k)`. */
function integers(dtype, shape, value) {
  const wide = dtype === 'int64';
  const array = new (wide ? BigInt64Array : Int32Array)(product(shape));
  for (let k = 0; k < array.length; k++) array[k] = wide ? BigInt(value(k)) : value(k);
  return { dtype, shape, bytes: bytesOf(array) };
}

/** A number that fits a dtype. */
function scalar(dtype, numbers) {
  const [whole, rounding] = [[0, 1, 3, 100], [0.1, -2.5, 1 / 3, 1e-4]];
  return { scalar: 'float', value: numbers.pick(dtype in FLOATS ? [...whole, ...rounding] : whole.slice(0, dtype === 'bool' ? 2 : 4)) };
}

/** A tensor with random elements; with `divides` no integer among them is 0, because it is what others are divided by. */
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

/** Writes an integer or a bool at a byte offset: as often a small one as one of any bits. */
function writeInteger(view, at, dtype, numbers, divides) {
  const width = widthOf(dtype);
  const small = numbers.oneIn(2);
  const any = numbers.next();
  for (let byte = 0; byte < width; byte++) view.setUint8(at + byte, small ? 0 : numbers.below(256));
  if (dtype === 'bool') view.setUint8(at, any & 1);
  else if (small) view.setUint8(at, any % 100);
  if (divides) view.setUint8(at, view.getUint8(at) | 1); // no divisor is 0
}

/**
 * Writes a float at a byte offset. Its sign, exponent and fraction are drawn, of float64 those in its high 32 bits. The low ones
 * are random in the usual case, which is the last branch below, else 0.
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
  const range = dtype === 'float16' ? 6 : 13; // how many powers of two below and above 1 are usual
  const near = bias - range + numbers.below(2 * range);
  let [exponent, fraction] = [near, 0];
  if (kind === 0) [exponent, fraction] = special();
  else if (kind === 1) [exponent, fraction] = [numbers.below(top), numbers.below(most + 1)]; // any exponent but that of infinity
  else if (kind < 6) fraction = numbers.below(4) * ((most + 1) / 4); // few bits make sums in the middle of two numbers, and equal magnitudes cancel
  else fraction = numbers.below(most + 1);
  const bits = ((numbers.below(2) * 2 ** exponentBits + exponent) * (most + 1) + fraction) >>> 0;
  if (width === 2) view.setUint16(at, bits, true);
  else view.setUint32(at + width - 4, bits, true);
  if (width === 8) view.setUint32(at, kind < 6 ? 0 : numbers.next(), true);
}
