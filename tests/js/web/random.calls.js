// Random calls that are valid, each a plain description, the same in every run. Call `n` of a seed can be drawn alone.

import { DTYPES, SIZES, fromBits, isFloat } from './elements.js';
import { activations } from './random.oracle.js';

/** Random numbers: Mulberry32 (Tommy Ettinger 2017). */
class Numbers {
  constructor(seed) {
    this.state = Math.imul(seed, 0x9e3779b1) | 0;
    // Some numbers are thrown away, so that neighbouring calls begin differently.
    for (let warm = 0; warm < 4; warm++) this.next();
  }
  /** A whole number of 32 bits, unsigned. */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let z = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  }
  /** A whole number from 0 to `bound` - 1. `bound` is not 0. */
  below(bound) {
    return this.next() % bound;
  }
  /** True once in `times`. */
  once(times) {
    return this.below(times) === 0;
  }
  pick(list) {
    return list[this.below(list.length)];
  }
}

/** The operators that are drawn, one as often as it stands here. */
const OPERATORS = [
  ...['scatter_', 'scatter_', 'scatter_', 'scatter_add', 'scatter_add', 'scatter_add_nd', 'scatter_mul'],
  ...['gather', 'gather_nd', 'elementwise_mul', 'mul'],
];
/** The dtypes that are drawn more often. */
const COMMON = ['float32', 'float32', 'float32', 'int32', 'int32'];

/**
 * Call `n` of a seed: `n`, `op`, `dtype` (of self and of the result), `self` and, as the operator needs them, `dim`, `index`, `source` (a
 * tensor, `{ scalar }` or self itself), `reduce`, `axis`, `act`. A tensor is `{ dtype, shape, bytes }`. `computed` asks for an index that
 * is a result: what is in it is then known to the device only.
 */
export function randomCall(seed, n) {
  const numbers = new Numbers(seed * 1_000_003 + n);
  const op = numbers.pick(OPERATORS);
  const dtype = numbers.once(3) ? numbers.pick(COMMON) : numbers.pick(DTYPES);
  const make = forms[op] ?? along;
  return { n, op, dtype, computed: numbers.once(3), ...make(op, dtype, numbers) };
}

/** Functions that make the operands of a call; the operators that are not here address along a dimension. */
const forms = { scatter_add_nd: tuples, gather_nd: tuples, scatter_mul: rows, elementwise_mul: consecutive, mul: broadcast };

// ---- shapes

const product = (shape) => shape.reduce((size, each) => size * each, 1);

/** A shape of up to 8 dimensions, mostly `least` to 4, and of at most 240 elements; sizes 0 and 1 are among them. */
function shapeOf(numbers, least = 1) {
  const rank = numbers.once(12) ? 5 + numbers.below(4) : least + numbers.below(5 - least);
  let room = 240;
  return Array.from({ length: rank }, () => {
    const size = numbers.once(30) ? 0 : numbers.once(5) ? 1 : numbers.once(10) ? 8 + numbers.below(60) : 2 + numbers.below(4);
    const fits = Math.min(size, room);
    room = Math.floor(room / Math.max(fits, 1));
    return fits;
  });
}

/** Operands of a call along a dimension. The index may be smaller than self, and the source larger than the index. */
function along(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const dim = numbers.below(shape.length);
  const self = tensor(dtype, shape, numbers);
  const isOwnSource = op !== 'gather' && numbers.once(12);
  const sizes = shape.map((size) => Math.max(size - (numbers.once(4) ? numbers.below(3) : 0), Math.min(size, 1)));
  // All but scatter_ take an index that is longer than self along dim, unless self is the source too. Where self has no place, no index
  // value is valid.
  if (op !== 'scatter_' && !isOwnSource && shape[dim] > 0 && numbers.once(2)) {
    sizes[dim] += numbers.below(numbers.once(60) ? 3000 : 12);
  }
  const index = indexOf(numbers, sizes, () => shape[dim]);
  const call = { self, index, dim: numbers.once(3) ? dim - shape.length : dim };
  if (op === 'gather') return call;
  if (op === 'scatter_') call.reduce = numbers.pick([undefined, 'add', 'multiply']);
  const longer = sizes.map((size) => size + (numbers.once(6) && product(sizes) < 300 ? 1 + numbers.below(2) : 0));
  return { ...call, source: isOwnSource ? self : source(dtype, longer, numbers) };
}

/**
 * Operands of a call by tuples of `depth` values, which each name an element of self, or all elements behind the dimensions that it names.
 */
function tuples(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const outer = Array.from({ length: 1 + numbers.below(2) }, () => numbers.below(6));
  const least = Math.max(outer.length + shape.length - 8, 0); // so that the result has at most 8 dimensions
  const depth = numbers.once(15) ? least : Math.max(least, 1 + numbers.below(shape.length));
  const addressed = shape.slice(0, depth);
  if (addressed.includes(0)) outer[0] = 0;
  const index = indexOf(numbers, [...outer, depth], (k) => addressed[k % depth]);
  const call = { self: tensor(dtype, shape, numbers), index };
  if (op === 'gather_nd') return call;
  return { ...call, source: source(dtype, [...outer, ...shape.slice(depth)], numbers) };
}

/** Operands of scatter_mul, which addresses rows. A source may be of another dtype, which converts to self's. */
function rows(op, dtype, numbers) {
  const shape = shapeOf(numbers);
  const most = Math.min(3, 9 - shape.length); // so that the source has at most 8 dimensions
  const outer = Array.from({ length: numbers.below(most + 1) }, () => numbers.below(6));
  if (shape[0] === 0) outer[0] = 0;
  const index = indexOf(numbers, outer, () => shape[0]);
  const narrower = { float32: ['float16', 'int16', 'bool'], float64: ['float32', 'int32'], int32: ['int8', 'uint8'] }[dtype];
  const from = narrower && numbers.once(8) ? numbers.pick(narrower) : dtype;
  return { self: tensor(dtype, shape, numbers), index, source: source(from, [...outer, ...shape.slice(1)], numbers, dtype) };
}

/**
 * Operands of elementwise_mul: y has the sizes of some dimensions of x in a row, with 1s behind them, and `axis` says where they begin. It
 * may be -1 or left out where y ends with x, and has to be where they begin behind the last dimension of x.
 */
function consecutive(op, dtype, numbers) {
  const shape = shapeOf(numbers, 0);
  const begin = numbers.below(shape.length + 1);
  const length = numbers.below(shape.length - begin + 1);
  const ones = numbers.below(shape.length - begin - length + 1);
  const other = [...shape.slice(begin, begin + length), ...Array(ones).fill(1)];
  const isLast = begin + length + ones === shape.length;
  const axis = isLast && (begin === shape.length || numbers.once(2)) ? numbers.pick([-1, undefined]) : begin;
  // WebGPU lacks activations of float64: conformance.mjs counts them. Of the integers, those of 32 bits stand for all.
  const isSimple = isFloat(dtype) ? dtype !== 'float64' : ['int32', 'uint32'].includes(dtype);
  const names = Object.keys(activations).filter((name) => activations[name].takes(dtype));
  const act = numbers.once(2) ? undefined : isSimple ? numbers.pick(names) : 'assign';
  return { self: tensor(dtype, shape, numbers), source: tensor(dtype, other, numbers), axis, act };
}

/** Operands of mul, as NumPy broadcasts them: either one may have size 1, or lack a leading dimension, where the other one has more. */
function broadcast(op, dtype, numbers) {
  const shape = shapeOf(numbers, 0);
  const side = () => {
    const sizes = shape.map((size) => (numbers.once(4) ? 1 : size));
    return sizes.slice(numbers.once(3) ? numbers.below(shape.length + 1) : 0);
  };
  const self = tensor(dtype, side(), numbers);
  return { self, source: numbers.once(12) ? self : numbers.once(8) ? scalar(dtype, numbers) : tensor(dtype, side(), numbers) };
}

// ---- contents

/**
 * An index of that shape, whose entries are in range, some of them counted from the end. `places(k)` is how many positions entry k has to
 * choose from; at most ten of them are used (`spread`), so that many entries name the same one.
 */
function indexOf(numbers, shape, places) {
  const dtype = numbers.pick(['int32', 'int64']);
  const spread = 1 + numbers.below(10);
  const values = Array.from({ length: product(shape) }, (_, k) => {
    const position = numbers.below(Math.min(spread, places(k)));
    return numbers.once(3) ? position - places(k) : position;
  });
  const bits = values.map((value) => (dtype === 'int64' ? BigInt.asUintN(64, BigInt(value)) : value >>> 0));
  return { dtype, shape, bytes: fromBits(dtype, bits) };
}

/** A source: a tensor, or now and then a number that self's dtype takes. */
const source = (dtype, shape, numbers, self = dtype) =>
  numbers.once(5) ? scalar(self, numbers) : tensor(dtype, shape, numbers);

/** A number that a tensor of the dtype takes. */
function scalar(dtype, numbers) {
  const forAll = [0, 1, 3, 100, 2.5, true, 3n];
  const negative = [-1, -2.75, -128];
  const rounding = [0.1, -0, NaN, Infinity, -Infinity, 1 / 3, 1e-7, 60000];
  const isSigned = isFloat(dtype) || /^int/.test(dtype);
  return { scalar: numbers.pick([...forAll, ...(isSigned ? negative : []), ...(isFloat(dtype) ? rounding : [])]) };
}

/** A tensor of random elements: see `element`. */
function tensor(dtype, shape, numbers) {
  return { dtype, shape, bytes: fromBits(dtype, Array.from({ length: product(shape) }, () => element(dtype, numbers))) };
}

/** Bits of zeros, subnormals, 1, ends of the range, infinities and NaN; of most of them with either sign. */
const SPECIAL = {
  float16: [0, 0x8000, 1, 0x8001, 0x3ff, 0x3c00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01, 0xfe00],
  bfloat16: [0, 0x8000, 1, 0x807f, 0x3f80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc1, 0xffc0],
  float32: [
    ...[0, 0x80000000, 1, 0x807fffff, 0x800000, 0x3f800000, 0x7f7fffff, 0xff7fffff],
    ...[0x7f800000, 0xff800000, 0x7fc00001, 0xffc00000],
  ],
};

/** The bits of an element: any, special, or of a size at which sums and products round. */
function element(dtype, numbers) {
  if (dtype === 'bool') return numbers.below(2);
  const any = numbers.next();
  if (SIZES[dtype] === 8) return element64(dtype, any, numbers);
  const mask = 2 ** (8 * SIZES[dtype]) - 1;
  const moderate = (any % 2_000_001) / 1024 - 1000;
  const kind = numbers.below(4);
  if (!isFloat(dtype)) return kind === 0 ? numbers.pick([0, 1, mask, (mask >>> 1) + 1, mask >>> 1]) : (any & mask) >>> 0;
  if (kind === 0) return numbers.pick(SPECIAL[dtype]);
  if (kind === 1) return (any & mask) >>> 0;
  const single = new Uint32Array(Float32Array.of(moderate).buffer)[0];
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
  if (kind === 1 || dtype !== 'float64') return any;
  return new BigUint64Array(Float64Array.of(((low % 2_000_001) / 1024 - 1000) / 3).buffer)[0];
}
