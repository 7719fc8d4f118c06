// Random calls that are valid, as plain data: small ones of every operator, and wide ones of fewer operators, with more dimensions, longer
// indices, activations and indices that only the device knows.

import { METHODS, operators, rowOf, twinOf } from '../../../src/js/arguments/operators.js';
import { ALONG, REDUCES, REDUCTIONS, ROUNDINGS, SLICES, TUPLES } from '../../../src/js/engine/wire.js';
import { ARRAYS, DTYPES, SIZES, fromBits, isFloat } from './elements.js';
import { activations, combine, isReading, sizeOf } from './oracle.js';

/**
 * Whether an operator is drawn. The forms below do not know how one with a function of its own is called: own.js draws
 * those. take_along_dim is called as `gather` with its arguments in the other order (make.js).
 */
export const isDrawn = (op) => rowOf(op).run !== 'own' || op === 'Tensor.take_along_dim';
/** The operators that are drawn and their in-place variants, those along a dimension twice as often. */
export const OPERATORS = operators().filter(isDrawn).flatMap((op) => {
  const names = [op, twinOf(op)].filter(Boolean);
  return rowOf(op).form === ALONG ? [...names, ...names] : names;
});
/** Those of wide calls, the ones drawn more often named several times. They are few because each costs WebGPU pipelines for every dtype. */
const WIDE = [
  ...['Tensor.scatter_', 'Tensor.scatter_', 'Tensor.scatter_', 'Tensor.scatter_add', 'Tensor.scatter_add', 'Tensor.scatter_add', 'scatter_mul'],
  ...['Tensor.gather', 'Tensor.gather_nd', 'elementwise_mul', 'Tensor.mul'],
];
export const isInteger = (dtype) => /int/.test(dtype);
/** Whether elements are bigints in JavaScript. */
const isWide = (dtype) => /64$/.test(dtype) && isInteger(dtype);

// ---- contents

/** Bits of zeros, subnormals, 1, ends of the range, infinities and NaN; of most of them with either sign. */
const SPECIAL = {
  float16: [0, 0x8000, 1, 0x8001, 0x3ff, 0x3c00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01, 0xfe00],
  bfloat16: [0, 0x8000, 1, 0x807f, 0x3f80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc1, 0xffc0],
  float32: [
    ...[0, 0x80000000, 1, 0x807fffff, 0x800000, 0x3f800000, 0x7f7fffff, 0xff7fffff],
    ...[0x7f800000, 0xff800000, 0x7fc00001, 0xffc00000],
  ],
};
/**
 * Exponents of float32 around zero, 1, the width of a significand and the ends of the range, and fractions whose sums and products carry,
 * tie and cancel.
 */
const EXPONENTS = [0, 1, 2, 23, 24, 25, 31, 32, 63, 64, 126, 127, 128, 150, 151, 190, 253, 254, 255];
const FRACTIONS = [0, 1, 2, 0x2aaaaa, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff];
const edge = (numbers) => ((numbers.below(2) << 31) | (numbers.pick(EXPONENTS) << 23) | numbers.pick(FRACTIONS)) >>> 0;
const scratch = new DataView(new ArrayBuffer(8));

/** The bits of an element: any, special, or of a size at which sums and products round. */
function element(dtype, numbers) {
  if (dtype === 'bool') return numbers.below(2);
  const any = numbers.next();
  if (SIZES[dtype] === 8) return element64(dtype, any, numbers);
  const mask = 2 ** (8 * SIZES[dtype]) - 1;
  const kind = numbers.below(4);
  if (!isFloat(dtype)) return kind === 0 ? numbers.pick([0, 1, mask, (mask >>> 1) + 1, mask >>> 1]) : (any & mask) >>> 0;
  if (kind === 0) return dtype === 'float32' && numbers.once(2) ? edge(numbers) : numbers.pick(SPECIAL[dtype]);
  if (kind === 1) return (any & mask) >>> 0;
  scratch.setFloat32(0, (any % 2_000_001) / 1024 - 1000);
  const single = scratch.getUint32(0);
  if (dtype === 'float32') return single;
  if (dtype === 'bfloat16') return single >>> 16;
  // A half of that size or so. Exponents are stored with 127 added in a float32 and 15 in a half, and 13 bits of the fraction go.
  const exponent = Math.max(Math.min(((single >>> 23) & 255) - 112, 30), 0);
  return ((single >>> 16) & 0x8000) | (exponent << 10) | ((single >>> 13) & 0x3ff);
}

/** The same for a dtype of 8 bytes: `low` are the lower 32 bits. */
function element64(dtype, low, numbers) {
  const any = (BigInt(numbers.next()) << 32n) | BigInt(low);
  const kind = numbers.below(4);
  const infinities = [0x7ff0000000000000n, 0xfff0000000000000n];
  if (kind === 0) return numbers.pick([0n, 1n, 2n ** 64n - 1n, 2n ** 63n, 2n ** 63n - 1n, ...infinities]);
  if (kind === 2 && dtype === 'float64') {
    scratch.setUint32(0, edge(numbers));
    scratch.setFloat64(0, scratch.getFloat32(0));
    return scratch.getBigUint64(0);
  }
  if (kind === 1 || dtype !== 'float64') return any;
  scratch.setFloat64(0, ((low % 2_000_001) / 1024 - 1000) / 3);
  return scratch.getBigUint64(0);
}

export function tensor(dtype, shape, numbers) {
  const bytes = fromBits(dtype, Array.from({ length: sizeOf(shape) }, () => element(dtype, numbers)));
  return { dtype, shape, data: new ARRAYS[dtype](bytes.buffer) };
}

/** Elements of any kind, or, as often, of few kinds, among which several are equal. */
export const drawn = (numbers, dtype, shape) => fewer(tensor(dtype, shape, numbers), numbers);
function fewer(like, numbers) {
  const { data } = like;
  if (data.length < 2 || numbers.once(2)) return like;
  const few = 1 + numbers.below(Math.min(5, data.length));
  like.data = data.map(() => data[numbers.below(few)]);
  return like;
}

/** A source that is one number, which a tensor of the dtype takes. `cuts`: integers take the whole part of a fraction. */
function scalar(dtype, numbers, cuts = false) {
  const takesFractions = isFloat(dtype) || cuts;
  const forAll = [0, 1, 3, 100, takesFractions ? 2.5 : 2, takesFractions ? 0.1 : 1, true, 3n];
  const negative = [-1, takesFractions ? -2.75 : -2, -128];
  const rounding = [-0, NaN, Infinity, -Infinity, 1 / 3, 1e-7, 60000];
  const isSigned = isFloat(dtype) || /^int/.test(dtype);
  return { scalar: numbers.pick([...forAll, ...(isSigned ? negative : []), ...(isFloat(dtype) ? rounding : [])]) };
}

/** A source for self: now and then a number, else a tensor, of self's dtype or another. */
const sourceOf = (self, shape, numbers, { dtype = self.dtype, cuts } = {}) => (numbers.once(5) ? scalar(self.dtype, numbers, cuts) : tensor(dtype, shape, numbers));

/** Sizes of `least` to 3 dimensions, each 1 to 4, or now and then 0. */
export const smallShape = (numbers, least) => Array.from({ length: least + numbers.below(4 - least) }, () => (numbers.once(25) ? 0 : 1 + numbers.below(4)));

/** A shape of up to 8 dimensions, mostly `least` to 4, and of at most `room` elements; sizes 0 and 1 are among them. */
function wideShape(numbers, least, room = 240) {
  const rank = numbers.once(12) ? 5 + numbers.below(4) : least + numbers.below(5 - least);
  return Array.from({ length: rank }, () => {
    const size = numbers.once(30) ? 0 : numbers.once(5) ? 1 : numbers.once(10) ? 8 + numbers.below(60) : 2 + numbers.below(4);
    const fits = Math.min(size, room);
    room = Math.floor(room / Math.max(fits, 1));
    return fits;
  });
}

/**
 * An index of that shape. `placesAt(k)` is how many positions entry k has to choose from: it is in range, and negative where it counts from
 * the end. Few positions are used (`spread`), so that many entries name the same one.
 */
export function indexOf(numbers, shape, placesAt, most = 4) {
  const dtype = numbers.once(3) ? 'int64' : 'int32';
  const spread = 1 + numbers.below(most);
  const entries = Array.from({ length: sizeOf(shape) }, (_, k) => {
    const places = placesAt(k);
    const position = numbers.below(Math.min(spread, places));
    return numbers.once(3) ? position - places : position;
  });
  return { dtype, shape, data: ARRAYS[dtype].from(entries, dtype === 'int64' ? BigInt : Number) };
}

// ---- forms

/** For each way of addressing, the operands that a call on self needs: `{ index, dim, source }`, or what of these there is. */
const forms = {
  /** An index with a size for each dimension. It may be shorter than self, and the source longer than the index. */
  along({ op, self, numbers, wide }) {
    const { shape } = self;
    const dim = numbers.below(shape.length);
    /** By how much a size of the index is less than that of self. take_along_dim would broadcast an index of size 1. */
    const shorter = () => (op !== 'Tensor.take_along_dim' && numbers.once(4) ? 1 + numbers.below(wide ? 2 : 1) : 0);
    const isOwnSource = wide && !isReading(op) && numbers.once(12);
    const isOwnIndex = wide && ['int32', 'int64'].includes(self.dtype) && numbers.once(8);
    const sizes = shape.map((size) => (isOwnIndex ? size : Math.max(size - shorter(), Math.min(size, 1))));
    // All but these two take an index that is longer than self along dim, unless self is an operand too.
    if (rowOf(op) !== METHODS.scatter && !isOwnSource && !isOwnIndex && shape[dim] > 0 && numbers.once(2)) {
      sizes[dim] += numbers.below(wide ? (numbers.once(60) ? 3000 : 12) : 5);
    }
    const longer = sizes.map((size) => size + (numbers.once(6) && sizeOf(sizes) < 300 ? 1 + numbers.below(wide ? 2 : 1) : 0));
    const source = isOwnSource ? self : sourceOf(self, longer, numbers, { cuts: rowOf(op) === METHODS.scatter });
    const index = indexOf(numbers, sizes, () => shape[dim], wide ? 8 : 4);
    if (isOwnIndex) self.data = self.data.constructor.from(index.data, self.dtype === 'int64' ? BigInt : Number);
    return { index: isOwnIndex ? self : index, dim: numbers.once(3) ? dim - shape.length : dim, source };
  },
  /** An index of tuples. Each names an element of self, or all elements behind its first `depth` dimensions. */
  nd({ self, numbers, wide }) {
    const { shape } = self;
    const outer = Array.from({ length: wide ? 1 + numbers.below(2) : 1 }, () => numbers.below(wide ? 6 : 5));
    const least = Math.max(outer.length + shape.length - 8, 0); // so that the result has at most 8 dimensions
    const depth = wide && numbers.once(15) ? least : Math.max(least, 1 + numbers.below(shape.length));
    if (shape.slice(0, depth).includes(0)) outer[0] = 0;
    const source = sourceOf(self, [...outer, ...shape.slice(depth)], numbers);
    return { index: indexOf(numbers, [...outer, depth], (k) => shape[k % depth], wide ? 8 : 4), source };
  },
  /** An index of one dimension, whose entries name slices along `dim`. */
  slices({ op, self, numbers }) {
    const { dtype, shape } = self;
    const dim = numbers.below(shape.length);
    const length = shape[dim] === 0 ? 0 : numbers.below(5);
    const sizes = shape.map((size, d) => (d === dim ? length : size));
    const cuts = rowOf(op) !== METHODS.index_add;
    const source = rowOf(op) === METHODS.index_fill ? scalar(dtype, numbers, cuts) : sourceOf(self, sizes, numbers, { cuts });
    return { index: indexOf(numbers, [length], () => shape[dim]), dim: numbers.once(3) ? dim - shape.length : dim, source };
  },
  /**
   * An index whose entries name rows, that is slices along the first dimension. The source of a wide call may have a narrower dtype, which
   * converts to self's.
   */
  rows({ self, numbers, wide }) {
    const { dtype, shape } = self;
    const most = Math.min(3, 9 - shape.length); // so that the source has at most 8 dimensions
    const outer = Array.from({ length: wide ? numbers.below(most + 1) : 1 }, () => numbers.below(wide ? 6 : 5));
    if (shape[0] === 0) outer[0] = 0;
    const narrower = { float32: ['float16', 'int16', 'bool'], float64: ['float32', 'int32'], int32: ['int8', 'uint8'] }[dtype];
    const from = wide && narrower && numbers.once(8) ? numbers.pick(narrower) : dtype;
    const source = sourceOf(self, [...outer, ...shape.slice(1)], numbers, { dtype: from });
    return { index: indexOf(numbers, outer, () => shape[0], wide ? 8 : 4), source };
  },
  /**
   * A second operand that broadcasts to self: as in NumPy, or for elementwise_mul and its siblings the sizes of some dimensions of self in a
   * row, from `begin` on.
   */
  pair({ op, self, numbers, wide }) {
    const { dtype, shape } = self;
    if (!op.startsWith('Tensor.')) return wide ? consecutive(self, numbers) : neighbours(self, numbers);
    if (wide) return bothSides(self, numbers);
    const sizes = shape.slice(numbers.once(3) ? numbers.below(shape.length + 1) : 0).map((size) => (numbers.once(4) ? 1 : size));
    return { source: numbers.once(5) ? scalar(dtype, numbers) : tensor(dtype, sizes, numbers) };
  },
  /** A reduction along `dims`: one dimension, several or all. `to` is the dtype to which elements are converted, where that is exact or one rounding. */
  dims({ op, self, numbers }) {
    const { dtype, shape } = self;
    const { takesOne, options } = rowOf(op);
    const signed = () => (numbers.once(3) ? numbers.below(shape.length) - shape.length : numbers.below(shape.length));
    const several = shape.map((_, d) => d).filter(() => numbers.once(2));
    const dims = numbers.pick([undefined, signed(), takesOne ? signed() : several]);
    const isMeanOfIntegers = op === 'Tensor.mean' && !isFloat(dtype);
    const to = isMeanOfIntegers || (options.includes('dtype') && numbers.once(4)) ? (takesOne ? 'int32' : 'float64') : undefined;
    return { dims, keepdim: numbers.once(2), to };
  },
};

/** Operands of a small elementwise_mul. */
function neighbours({ dtype, shape }, numbers) {
  const begin = numbers.below(shape.length);
  const end = begin + 1 + numbers.below(shape.length - begin);
  return { begin, source: tensor(dtype, shape.slice(begin, end), numbers) };
}

/**
 * Operands of a wide elementwise_mul: y may have 1s behind its sizes. `axis` may be -1 or left out where y ends with x, and has to be one of
 * these where y begins behind the last dimension of x.
 */
function consecutive({ dtype, shape }, numbers) {
  const begin = numbers.below(shape.length + 1);
  const length = numbers.below(shape.length - begin + 1);
  const ones = numbers.below(shape.length - begin - length + 1);
  const other = [...shape.slice(begin, begin + length), ...Array(ones).fill(1)];
  const isLast = begin + other.length === shape.length;
  const axis = isLast && (begin === shape.length || numbers.once(2)) ? numbers.pick([-1, undefined]) : begin;
  // WebGPU lacks activations of float64: conformance.mjs counts them. Of the integers, those of 32 bits stand for all.
  const isSimple = isFloat(dtype) ? dtype !== 'float64' : ['int32', 'uint32'].includes(dtype);
  const names = Object.keys(activations).filter((name) => activations[name].takes(dtype));
  const act = numbers.once(2) ? undefined : isSimple ? numbers.pick(names) : 'assign';
  return { source: tensor(dtype, other, numbers), begin, axis, act };
}

/** Operands of a wide mul: either one may have size 1, or lack a leading dimension, where the other one has more. */
function bothSides({ dtype, shape }, numbers) {
  const side = () => {
    const sizes = shape.map((size) => (numbers.once(4) ? 1 : size));
    return sizes.slice(numbers.once(3) ? numbers.below(shape.length + 1) : 0);
  };
  const self = tensor(dtype, side(), numbers);
  return { self, source: numbers.once(12) ? self : numbers.once(8) ? scalar(dtype, numbers) : tensor(dtype, side(), numbers) };
}

/** The way in which an operator addresses self: the name of one of `forms`; undefined for an operator that has none of them. */
export function formOf(op, numbers) {
  const { run, form, tuples } = rowOf(op);
  if (run === 'rows' || run === 'pair' || run === 'dims') return run;
  if (form === undefined) return undefined;
  if (form === SLICES) return 'slices';
  return form === TUPLES || (tuples && numbers.once(2)) ? 'nd' : 'along';
}
const reductions = REDUCTIONS.map(([word]) => word);
for (const word of [...REDUCES, ...reductions]) {
  if (!Object.hasOwn(combine, word)) throw new Error(`tests/js/calls/oracle.js does not say what '${word}' is: add it to combine`);
}
/** How an update may be combined with a value: a word of `reduce`, which may be left out where it is an option, or what the row says. */
function howsOf(op) {
  const { args, words, update = 'replace' } = rowOf(op);
  if (!words) return [update];
  return [...(args.includes('reduce') ? [] : ['replace']), ...words.map(([word]) => word)];
}

/** Now and then makes the sums of a call exact, if it sums. */
function drawSum(call, numbers) {
  const isSum = ['add', 'sub', 'sum', 'mean'].includes(call.how);
  if (rowOf(call.op).options.includes('sum') && isSum && numbers.once(3)) call.sum = 'exact';
}

/** Gives a call a mode, and an index with some values out of range, which only the mode makes valid. */
function addMode(call, numbers) {
  const { index, self, form } = call;
  const d = call.dim < 0 ? call.dim + self.shape.length : call.dim;
  const sizes = Array.from(index.data, (_, k) => (form === 'nd' ? self.shape[k % index.shape.at(-1)] : self.shape[d]));
  call.mode = numbers.pick(sizes.some((size) => size === 0) ? ['drop', 'inside'] : ['wrap', 'clip', 'drop', 'inside']);
  const values = sizes.map((size) => numbers.below(4 * size + 4) - 2 * size - 2);
  index.data = ARRAYS[index.dtype].from(values, index.dtype === 'int64' ? BigInt : Number);
}

/** Gives a call a value that it ignores, in range or not, and its index some entries with it. */
function addIgnored(call, numbers) {
  const { index } = call;
  call.ignore_index = numbers.pick([0, -1, 1, -100, 255]);
  const ignored = index.dtype === 'int64' ? BigInt(call.ignore_index) : call.ignore_index;
  index.data = index.data.map((value) => (numbers.once(3) ? ignored : value));
}

/** Changes the zeros of a source to ones, so that integers can be divided by it. */
function withoutZeros({ self, source }) {
  const one = isWide(self.dtype) ? 1n : 1;
  if (!source.shape) source.scalar = Math.trunc(Number(source.scalar)) === 0 ? one : source.scalar;
  else source.data = source.data.map((value) => value || one);
}

/**
 * A random call that is valid, as data. A tensor in it is `{ dtype, shape, data }`, a source that is one number `{ scalar }`.
 * - `op`: the operator, by the name that errors begin with. `form`: how it addresses self, of `forms`. `how`: how an update is combined with a value.
 * - `self`, `index`, `dim`, `source`: its operands, where it has them. `begin`: the dimension of self with which the first one of source is
 *   aligned. `mode`: what an index value out of range does. `ignore_index`: the index value that is skipped. `include_self`: that of
 *   scatter_reduce. `rounding`: that of div. `axis`, `act`: those of elementwise_mul.
 * - `planned`: whether an IndexPlan takes the place of dim and index. `given`: what the operands are handed over as. `computed`: whether the
 *   index is a result, so that only its device knows it. `dims`, `keepdim`, `to`: those of a reduction along dimensions. `sum`: 'exact', or undefined.
 */
export function smallCall(numbers) {
  const op = numbers.pick(OPERATORS);
  const form = formOf(op, numbers);
  const dtype = numbers.once(2) ? 'float32' : numbers.pick(DTYPES);
  const self = tensor(dtype, smallShape(numbers, 1), numbers);
  // bool has no mean, no difference and no quotient, and an integer none by zero.
  const words = howsOf(op).filter((word) => dtype !== 'bool' || !['mean', 'sub', 'div'].includes(word));
  const isOfNothing = form === 'dims' && sizeOf(self.shape) === 0 && !['Tensor.sum', 'Tensor.prod', 'Tensor.mean'].includes(op); // which has no largest element
  if (words.length === 0 || isOfNothing) return smallCall(numbers); // another call is drawn
  const how = numbers.pick(words);
  const call = { op, form, how, self, ...forms[form]({ op, self, numbers }) };
  if (how === 'div' && !isFloat(dtype)) withoutZeros(call);
  if (isReading(op)) delete call.source;
  const { options } = rowOf(op);
  if (options.includes('rounding')) call.rounding = numbers.pick(isFloat(dtype) ? [undefined, ...ROUNDINGS] : ROUNDINGS);
  if (options.includes('include_self')) call.include_self = numbers.once(2);
  if (options.includes('mode') && form !== 'rows' && numbers.once(4)) addMode(call, numbers);
  if (options.includes('ignore_index') && numbers.once(4)) addIgnored(call, numbers);
  call.planned = Boolean(call.index) && op !== 'Tensor.take_along_dim' && numbers.once(4);
  call.given = numbers.pick(['tensors', 'tensors', 'arrays', 'typed arrays']);
  drawSum(call, numbers);
  return call;
}

/** A small call with an index value that is skipped. */
export function ignoredCall(numbers) {
  for (;;) {
    const call = smallCall(numbers);
    if (call.ignore_index !== undefined) return call;
  }
}

/** A random call of `WIDE`, as `smallCall` makes one; the source may be self. */
export function wideCall(numbers) {
  const op = numbers.pick(WIDE);
  const form = formOf(op, numbers);
  const dtype = numbers.once(3) ? numbers.pick(['float32', 'float32', 'float32', 'int32', 'int32']) : numbers.pick(DTYPES);
  const self = tensor(dtype, wideShape(numbers, form === 'pair' ? 0 : 1), numbers);
  const how = numbers.pick(howsOf(op));
  const call = { op, form, how, self, given: 'tensors', wide: true, computed: numbers.once(3), ...forms[form]({ op, self, numbers, wide: true }) };
  if (isReading(op)) delete call.source;
  drawSum(call, numbers);
  return call;
}

/** The operators that the Rust tests have: as functions of Rust they take every word of `REDUCES`, but for `sub`. */
const NATIVE = [
  ...['Tensor.scatter_', 'Tensor.scatter_', 'Tensor.scatter_', 'Tensor.scatter', 'Tensor.scatter', 'Tensor.scatter_add_', 'Tensor.scatter_add'],
  ...['Tensor.gather', 'Tensor.gather_nd', 'scatter_mul'],
];

/** Elements that the operands of a recorded call have at most, together. */
const MOST = 400;

/** A random call for the Rust tests: as `wideCall` makes one, of `NATIVE`. */
export function nativeCall(numbers) {
  const op = numbers.pick(NATIVE);
  const form = formOf(op, numbers);
  const dtype = numbers.once(3) ? numbers.pick(['float32', 'int32']) : numbers.pick(DTYPES);
  const self = tensor(dtype, wideShape(numbers, 1 + numbers.below(3), 120), numbers);
  const call = { op, form, self, ...forms[form]({ op, self, numbers, wide: true }) };
  const divides = dtype !== 'bool' && (isFloat(dtype) || ![self, call.index].includes(call.source));
  const words = REDUCES.filter((word) => word !== 'sub' && (word !== 'div' || divides));
  call.how = rowOf(op) === METHODS.scatter ? numbers.pick(words) : howsOf(op)[0];
  if (call.how === 'div' && !isFloat(dtype)) withoutZeros(call);
  if (isReading(op)) delete call.source;
  if (call.source?.data && ![self, call.index].includes(call.source)) fewer(call.source, numbers);
  const elements = [self, call.index, call.source].reduce((size, operand) => size + (operand?.data?.length ?? 0), 0);
  return elements <= MOST && (call.source?.dtype ?? dtype) === dtype ? call : nativeCall(numbers);
}
