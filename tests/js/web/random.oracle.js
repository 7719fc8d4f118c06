// What each operator is, as nested loops over coordinates, in the arithmetic of JavaScript. Nothing here is the library's.

import { SIZES, fromBits, isFloat, toBits, toValue } from './elements.js';

/** A number rounded to float32. */
const single = Math.fround;
/** Which dtypes an activation takes. */
const floats = (dtype) => isFloat(dtype);
const numeric = (dtype) => dtype !== 'bool';
const clamp = (x, high) => (x < 0 ? 0 : x > high ? high : x);
const TWO_HUNDREDTHS = single(0.02);

/**
 * The activations that are exact on every device: which dtypes each takes, and what it is `of` a number; each step is rounded to float32.
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

// ---- arithmetic on bits

/**
 * A number rounded to a float of `digits` binary digits, the leading one included, and of exponents from `least`, below which numbers are
 * subnormal, to `most`, above which they are infinite. To the nearest one, ties to even.
 */
function rounded(x, digits, least, most) {
  if (x === 0 || !Number.isFinite(x)) return x;
  let exponent = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** exponent > Math.abs(x)) exponent -= 1; // a logarithm may round up to a whole number
  const unit = 2 ** (Math.max(exponent, least) - digits + 1);
  const steps = Math.abs(x) / unit;
  const below = Math.floor(steps);
  const rest = steps - below;
  const whole = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  const magnitude = whole * unit >= 2 ** (most + 1) ? Infinity : whole * unit;
  return x < 0 ? -magnitude : magnitude;
}

/**
 * The bits of a number in a dtype; floats are rounded, integers wrap. That a sum or a product of narrower floats was rounded to float64
 * before changes nothing: it has more than twice their digits.
 */
function encode(dtype, x) {
  switch (dtype) {
    case 'float64':
      return new BigUint64Array(Float64Array.of(x).buffer)[0];
    case 'float32':
      return new Uint32Array(Float32Array.of(x).buffer)[0];
    case 'bfloat16':
      // A bfloat16 is the upper half of a float32.
      return new Uint32Array(Float32Array.of(rounded(x, 8, -126, 127)).buffer)[0] >>> 16;
    case 'float16':
      return encodeHalf(rounded(x, 11, -14, 15));
    case 'bool':
      return x ? 1 : 0;
    default:
      return SIZES[dtype] === 8 ? BigInt.asUintN(64, BigInt(x)) : Number(BigInt.asUintN(8 * SIZES[dtype], BigInt(x)));
  }
}

/** The bits of a float16 that is exactly `x`. */
function encodeHalf(x) {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(x);
  if (Number.isNaN(x)) return 0x7e00;
  if (magnitude === Infinity) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude / 2 ** -24);
  const exponent = Math.floor(Math.log2(magnitude)); // exact for a number of eleven digits
  return sign | ((exponent + 15) << 10) | (magnitude / 2 ** (exponent - 10) - 1024);
}

/** The sum of two elements, as bits, rounded or wrapped; of bools, whether one is true. */
function add(dtype, a, b) {
  if (dtype === 'bool') return a | b;
  if (isFloat(dtype)) return encode(dtype, toValue(dtype, a) + toValue(dtype, b));
  return encode(dtype, a + b);
}

/** The product of two elements, as bits, rounded or wrapped; of bools, whether both are true. */
function multiply(dtype, a, b) {
  if (dtype === 'bool') return a & b;
  if (isFloat(dtype)) return encode(dtype, toValue(dtype, a) * toValue(dtype, b));
  // A product of two 32-bit integers may be too large for a number to hold exactly.
  return SIZES[dtype] === 4 ? Math.imul(a, b) >>> 0 : encode(dtype, a * b);
}

/** The activation of an element, as bits. */
function activate(dtype, act, bits) {
  const { of } = activations[act];
  if (act === 'assign' || act === 'pow') return bits; // also those of a NaN
  if (isFloat(dtype)) return encode(dtype, single(of(toValue(dtype, bits))));
  if (act === 'square') return multiply(dtype, bits, bits);
  return encode(dtype, of(toValue(dtype, bits)));
}

/**
 * The bits that a number of JavaScript's has in a tensor of the dtype: for integers it is cut off, for floats rounded; a bool says whether
 * it is not 0.
 */
function convert(dtype, x) {
  const isKept = dtype === 'bool' || isFloat(dtype);
  return encode(dtype, isKept ? Number(x) : Math.trunc(Number(x)));
}

// ---- coordinates

/** All coordinates in a shape, in row-major order. */
function* coordinates(shape) {
  if (shape.includes(0)) return;
  const at = shape.map(() => 0);
  for (;;) {
    yield [...at];
    let d = shape.length - 1;
    while (d >= 0 && ++at[d] === shape[d]) at[d--] = 0;
    if (d < 0) return;
  }
}

/** The flat place of coordinates; and the position that an index entry names, which counts from the end where it is negative. */
const flat = (shape, at) => shape.reduce((sum, size, d) => sum * size + at[d], 0);
const wrap = (entry, size) => (Number(entry) < 0 ? Number(entry) + size : Number(entry));

/**
 * For each element that a call moves, in the order of the index, its coordinates in self (`here`), and those in the source or the result of
 * a gather (`there`), which for a call along a dimension are those of the index entry.
 */
function* moves({ op, self, index, dim }) {
  const entries = toBits(index.dtype, index.bytes).map((bits) => toValue(index.dtype, bits));
  if (['scatter_', 'scatter_add', 'gather'].includes(op)) {
    const d = dim < 0 ? dim + self.shape.length : dim;
    for (const at of coordinates(index.shape)) {
      yield { here: at.with(d, wrap(entries[flat(index.shape, at)], self.shape[d])), there: at };
    }
    return;
  }
  const isRows = op === 'scatter_mul';
  const outer = isRows ? index.shape : index.shape.slice(0, -1);
  const depth = isRows ? 1 : index.shape.at(-1);
  for (const at of coordinates(outer)) {
    const tuple = Array.from({ length: depth }, (_, k) => wrap(entries[flat(outer, at) * depth + k], self.shape[k]));
    for (const inner of coordinates(self.shape.slice(depth))) yield { here: [...tuple, ...inner], there: [...at, ...inner] };
  }
}

/**
 * The result: `{ shape, bytes }`, and whether several updates met in one place (`meets`). `sequence` may change the order of
 * the updates, for a wrong result.
 */
export function expected(call, sequence = (updates) => updates) {
  const { op, dtype, self } = call;
  const isProduct = op === 'elementwise_mul' || op === 'mul';
  const result = isProduct ? product(call) : op.startsWith('gather') ? gathered(call) : scattered(call, sequence);
  return { shape: result.shape ?? self.shape, bytes: fromBits(dtype, result.bits), meets: result.meets ?? false };
}

/** What a scatter makes of self: `{ bits, meets }`, see `expected`. */
function scattered(call, sequence) {
  const { op, dtype, self, source, reduce } = call;
  const bits = toBits(dtype, self.bytes);
  const combine = op === 'scatter_' ? { add, multiply }[reduce] : op === 'scatter_mul' ? multiply : add;
  const written = new Set();
  let meets = false;
  const updates = source.scalar === undefined ? toBits(source.dtype, source.bytes) : [];
  for (const { here, there } of sequence([...moves(call)])) {
    const at = flat(self.shape, here);
    const update = source.scalar !== undefined ? convert(dtype, source.scalar) : updates[flat(source.shape, there)];
    const operand = source.dtype && source.dtype !== dtype ? convert(dtype, toValue(source.dtype, update)) : update;
    bits[at] = combine ? combine(dtype, bits[at], operand) : operand;
    meets ||= written.has(at);
    written.add(at);
  }
  return { bits, meets };
}

/** What a gather reads: `{ shape, bits }`. */
function gathered(call) {
  const { op, dtype, self, index } = call;
  const from = toBits(dtype, self.bytes);
  const shape = op === 'gather' ? index.shape : [...index.shape.slice(0, -1), ...self.shape.slice(index.shape.at(-1))];
  return { shape, bits: Array.from(moves(call), ({ here }) => from[flat(self.shape, here)]) };
}

/** The product, activated where there is an `act`: `{ shape, bits }`. */
function product({ op, dtype, self, source, axis = -1, act }) {
  const [x, y] = [self, source.scalar === undefined ? source : { shape: [] }];
  const rank = Math.max(x.shape.length, y.shape.length);
  // elementwise_mul puts y at an axis, with 1s on both sides of it; mul puts both to the right.
  const begin = op === 'mul' ? rank - y.shape.length : axis === -1 ? rank - y.shape.length : axis;
  const widened = (sizes, from) => Array.from({ length: rank }, (_, d) => sizes[d - from] ?? 1);
  const [left, right] = [widened(x.shape, rank - x.shape.length), widened(y.shape, begin)];
  const shape = left.map((size, d) => (size === 1 ? right[d] : size));
  const [a, b] = [toBits(dtype, x.bytes), source.scalar === undefined ? toBits(dtype, y.bytes) : [convert(dtype, source.scalar)]];
  const place = (sizes, at) => flat(sizes, at.map((k, d) => (sizes[d] === 1 ? 0 : k)));
  const bits = Array.from(coordinates(shape), (at) => {
    const both = multiply(dtype, a[place(left, at)], b[place(right, at)]);
    return act ? activate(dtype, act, both) : both;
  });
  return { shape, bits };
}
