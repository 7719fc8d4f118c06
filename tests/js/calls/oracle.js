// The definition of each operator: the loop over the index in row-major order, in JavaScript arrays, whose stores round or wrap. Nothing
// here is the library's. A call is data as random.js makes it.

import { rowOf } from '../../../src/js/arguments/operators.js';
import { ARRAYS, asBits, halfBits, isFloat, toValue, untyped } from './elements.js';

export const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

const isHalf = (dtype) => dtype === 'float16' || dtype === 'bfloat16';
/** The value of an element in an array of `ARRAYS`, and the element of a value. */
export const valueOf = (dtype, element) => (isHalf(dtype) ? toValue(dtype, element) : element);
export const elementOf = (dtype, value) => (isHalf(dtype) ? halfBits(dtype, value) : value);

/** The element that a number, a bigint or a bool becomes. An integer dtype cuts it off, a float dtype rounds it, and bool compares it with 0. */
export function convert(dtype, x) {
  if (dtype === 'bool') return Number(x) ? 1 : 0;
  if (isFloat(dtype)) return ARRAYS[dtype].of(elementOf(dtype, Number(x)))[0];
  if (typeof x === 'bigint') return ARRAYS[dtype].of(/64$/.test(dtype) ? x : Number(BigInt.asUintN(32, x)))[0];
  const whole = Math.trunc(x);
  return ARRAYS[dtype].of(/64$/.test(dtype) ? BigInt(whole) : whole)[0];
}

/**
 * The new value after an update `b` of a value `a`, by the word of the reduction. It may be wider than the dtype: the store into an array
 * rounds or wraps it.
 */
export const combine = {
  replace: (dtype, a, b) => b,
  add: (dtype, a, b) => (dtype === 'bool' ? a | b : a + b),
  // A product of two 32-bit integers may be too large for a number to hold exactly.
  multiply: (dtype, a, b) => (dtype === 'int32' || dtype === 'uint32' ? Math.imul(a, b) : a * b),
  sub: (dtype, a, b) => a - b,
  div: (dtype, a, b) => (isFloat(dtype) || typeof a === 'bigint' ? a / b : Math.trunc(a / b)),
  amax: (dtype, a, b) => (typeof a === 'bigint' ? (a > b ? a : b) : Math.max(a, b)),
  amin: (dtype, a, b) => (typeof a === 'bigint' ? (a < b ? a : b) : Math.min(a, b)),
};
Object.assign(combine, { sum: combine.add, prod: combine.multiply, mean: combine.add });

/** The position of an index value in a dimension of `size`, by the `mode` of a call or without one; -1 if it is left out. */
export function position(value, size, { mode, ignore_index }) {
  if (ignore_index !== undefined && value === Number(ignore_index)) return -1;
  if (mode === 'wrap') return ((value % size) + size) % size;
  if (mode === 'clip') return Math.min(Math.max(value, 0), size - 1);
  const at = value < 0 && mode !== 'inside' ? value + size : value;
  return at >= 0 && at < size ? at : -1;
}

/** A sum divided by the number of its terms. An integer is rounded down, also where it is negative. */
export function divided(dtype, sum, terms) {
  if (typeof sum !== 'bigint') return isFloat(dtype) ? sum / terms : Math.floor(sum / terms);
  const quotient = sum / BigInt(terms);
  return sum < 0n && quotient * BigInt(terms) !== sum ? quotient - 1n : quotient;
}

/** The bits of a significand of a dtype with the hidden one, and the exponent of its smallest number. */
const precisions = { float16: [11, -24], bfloat16: [8, -133], float32: [24, -149], float64: [53, -1074] };

/** A finite number in units of 2^-1074. */
const scratch = new DataView(new ArrayBuffer(8));
function unitsOf(x) {
  scratch.setFloat64(0, x);
  const bits = scratch.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const units = exponent === 0n ? bits & (2n ** 52n - 1n) : ((bits & (2n ** 52n - 1n)) | 2n ** 52n) << (exponent - 1n);
  return x < 0 ? -units : units;
}

/** The exact sum of terms divided by a number, rounded once to nearest even in a dtype: `Math.sumPrecise`, for every float dtype. */
export function exactQuotient(dtype, terms, divisor) {
  if (terms.some((term) => !Number.isFinite(term))) return terms.reduce((sum, term) => sum + (Number.isFinite(term) ? 0 : term), 0);
  const sum = terms.reduce((units, term) => units + unitsOf(term), 0n);
  if (sum === 0n) return terms.every((term) => Object.is(term, -0)) ? -0 : 0;
  const [digits, least] = precisions[dtype];
  const magnitude = sum < 0n ? -sum : sum;
  // The exponent of the last bit of the result, counted from 2^-1074; too small at first.
  let shift = BigInt(Math.max((magnitude / BigInt(divisor)).toString(2).length - digits - 1, least + 1074));
  const parts = () => {
    const unit = BigInt(divisor) << shift;
    return [magnitude / unit, magnitude % unit, unit];
  };
  while (parts()[0] >= 2n ** BigInt(digits)) shift++;
  const [floor, rest, unit] = parts();
  const rounded = floor + (2n * rest > unit || (2n * rest === unit && floor % 2n === 1n) ? 1n : 0n);
  // In two steps: a power of two below the smallest number would be 0.
  const exponent = Number(shift) - 1074;
  const value = Number(rounded) * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(exponent + 1000, 0);
  return sum < 0n ? -value : value;
}

/** The coordinates of a flat place in row-major order. */
export function unravel(place, shape) {
  const at = new Array(shape.length);
  for (let d = shape.length - 1; d >= 0; d--) {
    at[d] = place % shape[d];
    place = Math.floor(place / shape[d]);
  }
  return at;
}
/** The flat place of coordinates. */
export function ravel(at, shape) {
  let place = 0;
  for (let d = 0; d < shape.length; d++) place = place * shape[d] + at[d];
  return place;
}

/**
 * For each entry of an index along a dimension, in row-major order, the pair of flat places that it joins: the one in self, -1 where
 * it is left out, and the one in the source. Without `sourceShape` the second is the place of the entry itself, as a gather needs it.
 */
function* alongDim(shape, dim, index, sourceShape, call) {
  const d = dim < 0 ? dim + shape.length : dim;
  for (let k = 0; k < index.data.length; k++) {
    const at = unravel(k, index.shape);
    const from = sourceShape ? ravel(at, sourceShape) : k;
    at[d] = position(Number(index.data[k]), shape[d], call);
    yield [at[d] < 0 ? -1 : ravel(at, shape), from];
  }
}

/** The same pairs for an index of tuples of `depth` values, or of rows, which are tuples of one: each names the elements behind them. */
function* byTuples(shape, index, depth, call) {
  const inner = sizeOf(shape.slice(depth));
  const tuples = depth === 0 ? sizeOf(index.shape.slice(0, -1)) : index.data.length / depth; // tuples of nothing have no values to count
  for (let k = 0; k < tuples; k++) {
    let place = 0;
    for (let d = 0; d < depth; d++) {
      const at = position(Number(index.data[k * depth + d]), shape[d], call);
      place = place < 0 || at < 0 ? -1 : place * shape[d] + at;
    }
    for (let i = 0; i < inner; i++) yield [place < 0 ? -1 : place * inner + i, k * inner + i];
  }
}

/** The same pairs for an index of slices along a dimension, in the row-major order of the values. */
function* bySlices(shape, dim, index, call) {
  const d = dim < 0 ? dim + shape.length : dim;
  const sizes = shape.map((size, at) => (at === d ? index.data.length : size));
  for (let k = 0; k < sizeOf(sizes); k++) {
    const at = unravel(k, sizes);
    at[d] = position(Number(index.data[at[d]]), shape[d], call);
    yield [at[d] < 0 ? -1 : ravel(at, shape), k];
  }
}

/** The pairs of a call. */
export function places(call) {
  const { form, self, index, dim, source } = call;
  if (form === 'along') return alongDim(self.shape, dim, index, source?.shape, call);
  if (form === 'slices') return bySlices(self.shape, dim, index, call);
  return byTuples(self.shape, index, form === 'rows' ? 1 : index.shape.at(-1), call);
}

/** An operand's elements, converted to `dtype`; a number's one element. */
function elementsOf(source, dtype) {
  if (!source.shape) return [convert(dtype, source.scalar)];
  return source.dtype === dtype ? source.data : ARRAYS[dtype].from(source.data, (element) => convert(dtype, valueOf(source.dtype, element)));
}

/**
 * Self's data after a scatter: the updates are applied in the order of the index, or in another one (`sequence`), to see that a wrong order
 * is found.
 */
function scattered(call, sequence) {
  const { self, source, how, include_self = true } = call;
  const { dtype } = self;
  const data = self.data.slice();
  const updates = elementsOf(source, dtype);
  const pairs = sequence ? sequence([...places(call)]) : places(call);
  if (how === 'replace' && source.shape) {
    const [to_bits, from_bits] = [asBits(data), asBits(updates)];
    for (const [to, from] of pairs) if (to >= 0) to_bits[to] = from_bits[from];
    return data;
  }
  if (call.sum === 'exact' && isFloat(dtype)) return summed(call, updates);
  // How many values each written place holds so far. Self is one of them with include_self; without it the first update replaces self.
  const terms = new Map();
  for (const [to, from] of pairs) {
    if (to < 0) continue;
    const update = source.shape ? updates[from] : updates[0];
    const count = terms.get(to) ?? Number(include_self);
    data[to] = count === 0 ? update : elementOf(dtype, combine[how](dtype, valueOf(dtype, data[to]), valueOf(dtype, update)));
    terms.set(to, count + 1);
  }
  if (how === 'mean') for (const [to, count] of terms) data[to] = elementOf(dtype, divided(dtype, valueOf(dtype, data[to]), count));
  return data;
}

/** Self's data after a scatter whose sums are exact: each place is rounded once. */
function summed(call, updates) {
  const { self, source, how, include_self = true } = call;
  const { dtype } = self;
  const data = self.data.slice();
  const terms = new Map();
  for (const [to, from] of places(call)) {
    if (to < 0) continue;
    if (!terms.has(to)) terms.set(to, include_self ? [valueOf(dtype, data[to])] : []);
    const update = valueOf(dtype, source.shape ? updates[from] : updates[0]);
    terms.get(to).push(how === 'sub' ? -update : update);
  }
  for (const [to, all] of terms) data[to] = elementOf(dtype, exactQuotient(dtype, all, how === 'mean' ? all.length : 1));
  return data;
}

/** Whether several updates of a scatter collide in one place, so that their order may matter. */
export function collides(call) {
  const written = [...places(call)].map(([to]) => to).filter((to) => to >= 0);
  return new Set(written).size < written.length;
}

/** The result of a gather: `{ shape, data }`. An element is 0 if its index entry is skipped. */
function gathered(call) {
  const { form, self, index } = call;
  /** The shapes of results: of a gather by tuples, and of slices along dim. */
  const nd = () => [...index.shape.slice(0, -1), ...self.shape.slice(index.shape.at(-1))];
  const slices = () => self.shape.map((size, d) => (d === (call.dim < 0 ? call.dim + self.shape.length : call.dim) ? index.data.length : size));
  const shape = form === 'along' ? index.shape : form === 'slices' ? slices() : nd();
  const data = new self.data.constructor(sizeOf(shape));
  const [to_bits, from_bits] = [asBits(data), asBits(self.data)];
  for (const [from, to] of places(call)) if (from >= 0) to_bits[to] = from_bits[from];
  return { shape, data };
}

/** A quotient as a whole number; one of floats is rounded to its dtype before. */
function whole(dtype, rounding, a, b) {
  if (isFloat(dtype)) {
    const quotient = valueOf(dtype, ARRAYS[dtype].of(elementOf(dtype, a / b))[0]);
    return rounding === 'floor' ? Math.floor(quotient) : Math.trunc(quotient);
  }
  const quotient = combine.div(dtype, a, b);
  const isAbove = rounding === 'floor' && a !== quotient * b && a < 0 !== b < 0;
  return isAbove ? quotient - (typeof quotient === 'bigint' ? 1n : 1) : quotient;
}

/**
 * The result of an operation on two tensors, `{ shape, data }`, activated where there is an `act`. The shapes are aligned at their ends, as in NumPy, or source at dimension
 * `begin` of self.
 */
function paired({ self, source, begin, how, act, rounding }) {
  const { dtype } = self;
  const y = { shape: source.shape ?? [], data: elementsOf(source, dtype) };
  const rank = Math.max(self.shape.length, y.shape.length);
  const widened = (sizes, from) => Array.from({ length: rank }, (_, d) => sizes[d - from] ?? 1);
  const left = widened(self.shape, rank - self.shape.length);
  const right = widened(y.shape, begin ?? rank - y.shape.length);
  const shape = left.map((size, d) => (size === 1 ? right[d] : size));
  const data = new self.data.constructor(sizeOf(shape));
  const place = (at, sizes) => ravel(at.map((each, d) => (sizes[d] === 1 ? 0 : each)), sizes);
  for (let k = 0; k < data.length; k++) {
    const at = unravel(k, shape);
    const operands = [valueOf(dtype, self.data[place(at, left)]), valueOf(dtype, y.data[place(at, right)])];
    data[k] = elementOf(dtype, rounding ? whole(dtype, rounding, ...operands) : combine[how](dtype, ...operands));
    // `assign` and `pow` keep the bits, those of a NaN too.
    if (act && act !== 'assign' && act !== 'pow') data[k] = activated(dtype, act, data[k]);
  }
  return { shape, data };
}

// ---- activations

/** A number rounded to float32. */
const single = Math.fround;
/** Which dtypes an activation takes. */
const floats = isFloat;
const numeric = (dtype) => dtype !== 'bool';
const clamp = (x, high) => (x < 0 ? 0 : x > high ? high : x);
const TWO_HUNDREDTHS = single(0.02);

/**
 * The activations that are exact on every device: which dtypes each takes, and what it is `of` a number. Each step is rounded to float32.
 * Parameters have Paddle's defaults: `pow` is x¹, `scale` 1 · x + 0.
 */
export const activations = {
  abs: { takes: numeric, of: (x) => (x < 0 ? -x : x === 0 ? 0 : x) },
  assign: { takes: () => true, of: (x) => x },
  brelu: { takes: floats, of: (x) => clamp(x, 24) },
  ceil: { takes: floats, of: Math.ceil },
  floor: { takes: floats, of: Math.floor },
  hard_shrink: { takes: floats, of: (x) => (Math.abs(x) <= 0.5 ? 0 : x) },
  hard_sigmoid: { takes: floats, of: (x) => clamp(single(single(single(0.2) * x) + 0.5), 1) },
  hard_swish: { takes: floats, of: (x) => x * single(clamp(single(x + 3), 6) / 6) },
  leaky_relu: { takes: floats, of: (x) => (x > 0 ? x : TWO_HUNDREDTHS * x) },
  pow: { takes: numeric, of: (x) => x },
  reciprocal: { takes: floats, of: (x) => 1 / x },
  relu: { takes: floats, of: (x) => (x < 0 ? 0 : x) },
  relu6: { takes: floats, of: (x) => clamp(x, 6) },
  round: { takes: floats, of: (x) => (Math.abs(x) < 2 ** 23 ? Math.sign(x) * Math.floor(Math.abs(x) + 0.5) : x) }, // from 2²³ on whole
  rsqrt: { takes: floats, of: (x) => 1 / single(Math.sqrt(x)) },
  scale: { takes: numeric, of: (x) => x + 0 },
  sign: { takes: floats, of: (x) => (x > 0 ? 1 : x < 0 ? -1 : 0) },
  softshrink: { takes: floats, of: (x) => (x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : Number.isNaN(x) ? x : 0) },
  softsign: { takes: floats, of: (x) => x / single(1 + Math.abs(x)) },
  sqrt: { takes: floats, of: Math.sqrt },
  square: { takes: numeric, of: (x) => x * x },
  thresholded_relu: { takes: floats, of: (x) => (x <= 1 ? 0 : x) },
};

/** The activation of an element. */
function activated(dtype, act, element) {
  if (act === 'square' && !isFloat(dtype)) return combine.multiply(dtype, element, element);
  const result = activations[act].of(valueOf(dtype, element));
  return isFloat(dtype) ? elementOf(dtype, single(result)) : result;
}

// ---- reductions along dimensions

/** A value as the dtype holds it. */
const rounded = (dtype, value) => valueOf(dtype, ARRAYS[dtype].of(elementOf(dtype, value))[0]);

/** What the terms of one result are combined to, as values; positions are bigints. */
const reductions = {
  'Tensor.sum': (dtype, terms) => (isFloat(dtype) ? (terms.length === 0 ? 0 : exactQuotient(dtype, terms, 1)) : terms.reduce((a, b) => combine.add(dtype, a, b), /64$/.test(dtype) ? 0n : 0)),
  'Tensor.prod': (dtype, terms) => terms.reduce((a, b) => rounded(dtype, combine.multiply(dtype, a, b)), /64$/.test(dtype) && !isFloat(dtype) ? 1n : 1),
  'Tensor.mean': (dtype, terms) => (terms.length === 0 ? NaN : exactQuotient(dtype, terms, terms.length)),
  'Tensor.amax': (dtype, terms) => terms.reduce((a, b) => combine.amax(dtype, a, b)),
  'Tensor.amin': (dtype, terms) => terms.reduce((a, b) => combine.amin(dtype, a, b)),
  'Tensor.argmax': (dtype, terms) => firstWhere(terms, (a, b) => a > b),
  'Tensor.argmin': (dtype, terms) => firstWhere(terms, (a, b) => a < b),
};

/** The position of the first NaN, else of the first term that no other one beats. */
function firstWhere(terms, beats) {
  const nan = terms.findIndex((term) => Number.isNaN(term));
  return BigInt(nan >= 0 ? nan : terms.findIndex((term) => !terms.some((other) => beats(other, term))));
}

/** The dtype of a sum that names none. */
const dtypeOfSum = (dtype) => (/^(bool|int8|int16|int32)$/.test(dtype) ? 'int64' : /^(uint8|uint16|uint32)$/.test(dtype) ? 'uint64' : dtype);

/** The result of a reduction along dimensions, `{ dtype, shape, data }`. */
function reduced({ op, self, dims, keepdim, to: given }) {
  const isPosition = op.startsWith('Tensor.arg');
  const to = isPosition || given === undefined ? (/sum|prod/.test(op) ? dtypeOfSum(self.dtype) : self.dtype) : given;
  const rank = self.shape.length;
  const isReduced = (d) => dims === undefined || [dims].flat().some((dim) => (dim < 0 ? dim + rank : dim) === d);
  const kept = self.shape.filter((_, d) => !isReduced(d));
  const terms = Array.from({ length: sizeOf(kept) }, () => []);
  for (const [k, element] of self.data.entries()) {
    const at = unravel(k, self.shape).filter((_, d) => !isReduced(d));
    const value = valueOf(self.dtype, element);
    terms[ravel(at, kept)].push(to === self.dtype ? value : valueOf(to, convert(to, value)));
  }
  const dtype = isPosition ? (given ?? 'int64') : to;
  const data = ARRAYS[dtype].from(terms, (each) => {
    const value = reductions[op](to, each);
    return elementOf(dtype, dtype === 'int32' && isPosition ? Number(value) : value);
  });
  return { dtype, shape: keepdim ? self.shape.map((size, d) => (isReduced(d) ? 1 : size)) : kept, data };
}

// ---- the whole

/** Whether an operator only reads self: it takes no source. */
export const isReading = (op) => rowOf(op).run === 'gather' || op === 'Tensor.take_along_dim';

/** The right result of a call: `{ dtype, shape, bytes }`. `sequence` is that of `scattered`. */
export function expected(call, sequence) {
  const read = call.form === 'pair' ? paired(call) : call.form === 'dims' ? reduced(call) : isReading(call.op) ? gathered(call) : null;
  const { dtype = call.self.dtype, shape, data } = read ?? { shape: call.self.shape, data: scattered(call, sequence) };
  return { dtype, shape, bytes: untyped(data) };
}
