// Valid calls drawn at random, the same for a seed in every run: many updates for one place, and values whose sums and products round,
// cancel and overflow. Small ones, and some that are large enough for every way in which a GPU scatters.

import { REDUCES, REDUCTIONS } from '../wire.js';
import { DTYPES, FLOATS, bytesOf, product, widthOf } from './bits.js';

/** Mulberry32 (Tommy Ettinger 2017). */
class Numbers {
  constructor(seed) {
    this.state = seed | 0;
    for (let warm = 0; warm < 4; warm++) this.next();
  }
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let z = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  }
  below(bound) {
    return this.next() % bound;
  }
  once(times) {
    return this.below(times) === 0;
  }
  pick(list) {
    return list[this.below(list.length)];
  }
}

const forms = { scatter_: along, scatter_add_axis: along, scatter_reduce: along, gather: along, scatter_add_nd: tuples, scatter_nd: tuples, scatter_mul: rows, scatter_max: rows, scatter_div: rows, index_add: slices, index_copy: slices, index_select: slices, segment_reduce: segments, bincount: counts, histogram: bins, elementwise_mul: aligned, mul: broadcast };
const OPERATORS = Object.keys(forms);

/** The activations whose results have the same bits on every device. For the others only a bound is promised. */
const ACTIVATIONS = ['abs', 'brelu', 'ceil', 'floor', 'hard_shrink', 'hard_sigmoid', 'hard_swish', 'leaky_relu', 'pow', 'reciprocal', 'relu', 'relu6', 'round', 'rsqrt', 'scale', 'sign', 'softshrink', 'softsign', 'sqrt', 'square', 'thresholded_relu'];

/** Call `n` of a seed. */
export function randomCall(seed, n) {
  const numbers = new Numbers(Math.imul(seed, 0x9e3779b1) + Math.imul(n + 1, 0x85ebca6b));
  const op = OPERATORS[n % OPERATORS.length]; // none is left out where the time is short
  const dtype = numbers.once(2) ? 'float32' : numbers.pick(DTYPES);
  const call = numbers.once(6) ? large(op, numbers) : forms[op](op, dtype, numbers);
  return { op, args: {}, options: {}, ...call };
}

// ---- forms

const shapeOf = (numbers, least = 1) => Array.from({ length: least + numbers.below(4 - least) }, () => (numbers.once(5) ? 1 : 2 + numbers.below(6)));

/** A word of a reduction that the dtype has. */
const wordFor = (numbers, dtype, words) => numbers.pick(dtype === 'bool' ? words.filter((word) => !['mean', 'sub', 'div'].includes(word)) : words);
const reductions = REDUCTIONS.map(([word]) => word);
/** The words of scatter_nd's option; without it, an update replaces. */
const ndWords = REDUCES.slice(1);

function along(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const sizes = shape.map((size, at) => (at === dim && op !== 'scatter_' ? 1 + numbers.below(40) : size));
  return { self: tensor(dtype, shape, numbers), ...withWords(op, dtype, numbers, dim, sizes, shape[dim]) };
}

function withWords(op, dtype, numbers, dim, sizes, places) {
  const index = indexOf(numbers, sizes, () => places);
  if (op === 'gather') return { args: { dim, index } };
  const options = {
    scatter_: () => numbers.pick([{}, { reduce: 'add' }, { reduce: 'multiply' }]),
    scatter_reduce: () => ({ reduce: wordFor(numbers, dtype, reductions), include_self: !numbers.once(2) }),
  }[op]?.();
  const src = op !== 'scatter_reduce' && numbers.once(4) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers);
  return { args: { dim, index, src }, options: options ?? {} };
}

function tuples(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const depth = 1 + numbers.below(shape.length);
  const count = 1 + numbers.below(30);
  const indices = indexOf(numbers, [count, depth], (k) => shape[k % depth]);
  const reduce = op === 'scatter_nd' ? wordFor(numbers, dtype, ndWords) : undefined;
  const updates = tensor(dtype, [count, ...shape.slice(depth)], numbers, reduce === 'div');
  return { self: tensor(dtype, shape, numbers), args: { indices, updates }, options: reduce === undefined || numbers.once(6) ? {} : { reduce } };
}

function rows(op, drawn, numbers) {
  const dtype = drawn === 'bool' ? 'int32' : drawn; // which has no quotients
  const shape = shapeOf(numbers);
  const count = 1 + numbers.below(30);
  const indices = indexOf(numbers, [count], () => shape[0]);
  return { self: tensor(dtype, shape, numbers), args: { indices, updates: tensor(dtype, [count, ...shape.slice(1)], numbers, op === 'scatter_div') } };
}

function slices(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const count = 1 + numbers.below(20);
  const index = indexOf(numbers, [count], () => shape[dim]);
  const self = tensor(dtype, shape, numbers);
  if (op === 'index_select') return { self, args: { dim, index } };
  const src = tensor(dtype, shape.map((size, at) => (at === dim ? count : size)), numbers);
  const alpha = numbers.pick(dtype in FLOATS ? [0.1, -3, 0, 2 ** -10] : dtype.startsWith('int') ? [-3, 2, 0] : [1]);
  return { self, args: { dim, index, src }, options: op === 'index_add' && !numbers.once(3) ? { alpha: { scalar: 'float', value: alpha } } : {} };
}

function segments(op, dtype, numbers) {
  const lengths = Array.from({ length: 1 + numbers.below(6) }, () => numbers.below(12));
  const total = lengths.reduce((sum, each) => sum + each, 0);
  const filled = total > 0 ? lengths : [1];
  const self = tensor(dtype, [Math.max(total, 1), ...shapeOf(numbers).slice(1)], numbers);
  const reduce = wordFor(numbers, dtype, reductions);
  return { self, options: { reduce, lengths: integers('int64', [filled.length], (k) => filled[k]) } };
}

function counts(op, dtype, numbers) {
  const count = 1 + numbers.below(200);
  const places = 1 + numbers.below(9);
  const weights = numbers.pick([undefined, 'float32', 'float64', 'int32']);
  const self = integers('int32', [count], () => numbers.below(places));
  return { self, options: weights ? { weights: tensor(weights, [count], numbers) } : { minlength: 4 } };
}

function bins(op, dtype, numbers) {
  const kind = numbers.pick(['float32', 'float64', 'float32', 'int32']);
  const [low, high] = numbers.pick([[0, 1], [-1, 1], [-0.1, 0.2], [-3, 40], [0, 1e-3]]);
  return { self: tensor(kind, [1 + numbers.below(200)], numbers), options: { bins: 1 + numbers.below(30), range: [low, high] } };
}

function aligned(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const axis = numbers.below(shape.length);
  const y = shape.slice(axis, axis + 1 + numbers.below(shape.length - axis));
  const simple = dtype in FLOATS && dtype !== 'float64';
  const options = { axis: y.length === shape.length - axis ? -1 : axis, ...(simple && !numbers.once(3) && { act: numbers.pick(ACTIVATIONS) }) };
  return { self: tensor(dtype, shape, numbers), args: { y: tensor(dtype, y, numbers) }, options };
}

function broadcast(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const side = () => shape.map((size) => (numbers.once(3) ? 1 : size));
  return { self: tensor(dtype, side(), numbers), args: { other: tensor(dtype, side(), numbers) } };
}

/** Thousands of elements: few places and many, many columns, one value for all. The thresholds are those of the GPU's ways to scatter. */
function large(op, numbers) {
  const dtype = numbers.pick(['float32', 'float32', 'float32', 'int32', 'float16', 'int64']);
  if (op === 'mul' || op === 'elementwise_mul') return { op: 'mul', self: tensor(dtype, [64, 129], numbers), args: { other: tensor(dtype, numbers.pick([[64, 129], [129], [64, 1]]), numbers) } };
  if (op === 'segment_reduce') return { self: tensor(dtype, [6000], numbers), options: { reduce: numbers.pick(reductions), lengths: integers('int64', [3], (k) => [1, 4999, 1000][k]) } };
  if (op === 'gather' || op === 'index_select') return { op: 'gather', self: tensor(dtype, [5000], numbers), args: { dim: 0, index: indexOf(numbers, [7000], () => 5000, 5000) } };
  if (op === 'scatter_add_axis' && numbers.once(2)) {
    const index = indexOf(numbers, [3, 17_000], () => 2);
    return { self: tensor(dtype, [2, 17_000], numbers), args: { dim: 0, index, src: tensor(dtype, [3, 17_000], numbers) } };
  }
  const places = numbers.pick([3, 64, 1500, 6000]);
  const count = numbers.pick([900, 5000, 8000]);
  const index = indexOf(numbers, [Math.min(count, op === 'scatter_' ? places : count)], () => places, places);
  const self = tensor(dtype, [places], numbers);
  if (op === 'scatter_') return { self, args: { dim: 0, index, src: tensor(dtype, index.shape, numbers) }, options: numbers.pick([{}, { reduce: 'multiply' }]) };
  if (op === 'scatter_mul') return { self, args: { indices: index, updates: tensor(dtype, [count], numbers) } };
  if (op === 'scatter_reduce') return { self, args: { dim: 0, index, src: tensor(dtype, [count], numbers) }, options: { reduce: numbers.pick(reductions), include_self: true } };
  const src = numbers.once(3) ? scalar(dtype, numbers) : tensor(dtype, [count], numbers);
  return { op: 'scatter_add_axis', self, args: { dim: 0, index, src } };
}

// ---- contents

/** Places, some counted from the end; mostly few different ones, so that updates meet. */
function indexOf(numbers, shape, places, spread = 1 + numbers.below(8)) {
  return integers(numbers.pick(['int32', 'int64']), shape, (k) => {
    const position = numbers.below(Math.min(spread, places(k)));
    return numbers.once(3) ? position - places(k) : position;
  });
}

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

function writeInteger(view, at, dtype, numbers, divides) {
  const width = widthOf(dtype);
  const small = numbers.once(2);
  const any = numbers.next();
  for (let byte = 0; byte < width; byte++) view.setUint8(at + byte, small ? 0 : numbers.below(256));
  if (dtype === 'bool') view.setUint8(at, any & 1);
  else if (small) view.setUint8(at, any % 100);
  if (divides) view.setUint8(at, view.getUint8(at) | 1); // no divisor is 0
}

/** The high 32 bits, or all of them, from sign, exponent and fraction; of float64 the low half is random. */
function writeFloat(view, at, dtype, numbers) {
  const width = widthOf(dtype);
  const exponentBits = FLOATS[dtype][0];
  const fractionBits = Math.min(8 * width, 32) - 1 - exponentBits;
  const [top, most] = [2 ** exponentBits - 1, 2 ** fractionBits - 1];
  const bias = top >> 1;
  const special = () => numbers.pick([[0, 0], [0, 1], [0, most], [1, 0], [bias, 0], [bias, 1], [top - 1, most], [top, 0], [top, (most + 1) / 2]]);
  const kind = numbers.below(16);
  const range = dtype === 'float16' ? 6 : 13;
  const near = bias - range + numbers.below(2 * range);
  // Few bits of fraction make sums that lie in the middle of two numbers; equal magnitudes cancel.
  const [exponent, fraction] = kind === 0 ? special() : kind === 1 ? [numbers.below(top), numbers.below(most + 1)] : [near, kind < 6 ? numbers.below(4) * ((most + 1) / 4) : numbers.below(most + 1)];
  const bits = ((numbers.below(2) * 2 ** exponentBits + exponent) * (most + 1) + fraction) >>> 0;
  if (width === 2) view.setUint16(at, bits, true);
  else view.setUint32(at + width - 4, bits, true);
  if (width === 8) view.setUint32(at, kind < 6 ? 0 : numbers.next(), true);
}
