// The thirteen dtypes as bits and as values, and the bytes of recorded tensors. Nothing here is a library's.

/** Bytes of an element. */
export const SIZES = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
};
export const DTYPES = Object.keys(SIZES);
export const isFloat = (dtype) => dtype.includes('float');

/** Arrays that hold elements of each dtype: its values, but of a half type its bits. */
export const ARRAYS = {
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};
/** The arrays that a tensor takes and that data() returns. */
const GIVEN = { ...ARRAYS, float16: globalThis.Float16Array ?? Uint16Array };

/** Elements as such an array, a copy; and the bytes of any array, not copied. */
export const typed = (dtype, bytes) => new GIVEN[dtype](bytes.slice().buffer);
export const untyped = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
/** Whether data() returned the kind of array that the types promise. */
export const isOf = (dtype, array) => array.constructor === GIVEN[dtype];

const UNSIGNED = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };
/** Elements as unsigned integers: bigints for the dtypes of 8 bytes, else numbers. */
export function toBits(dtype, bytes) {
  return Array.from(new UNSIGNED[SIZES[dtype]](bytes.slice().buffer));
}

/** The bytes of elements that are given as unsigned integers. */
export function fromBits(dtype, bits) {
  return untyped(UNSIGNED[SIZES[dtype]].from(bits));
}

/** The same memory as unsigned integers: a copy of these keeps the bits of every NaN. */
export const asBits = (array) => new UNSIGNED[array.BYTES_PER_ELEMENT](array.buffer, array.byteOffset, array.length);

const scratch = new DataView(new ArrayBuffer(8));

/** The value of an element: a bigint for the 64-bit integers, else a number. */
export function toValue(dtype, bits) {
  switch (dtype) {
    case 'int8':
      return (bits << 24) >> 24;
    case 'int16':
      return (bits << 16) >> 16;
    case 'int32':
      return bits | 0;
    case 'int64':
      return BigInt.asIntN(64, bits);
    case 'float16':
      return halfValue(bits);
    case 'bfloat16':
      return toValue('float32', bits * 0x10000); // it is the upper half of a float32
    case 'float32':
      scratch.setUint32(0, bits);
      return scratch.getFloat32(0);
    case 'float64':
      scratch.setBigUint64(0, bits);
      return scratch.getFloat64(0);
    default:
      return bits;
  }
}

/** The value of a float16: a sign, 5 bits of exponent (31: an infinity or NaN; 0: subnormal, without the leading 1), and 10 of fraction. */
function halfValue(bits) {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction > 0 ? NaN : sign * Infinity;
  return sign * (exponent > 0 ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

/** The bits of the element of a half type that is nearest to a number. */
export function halfBits(dtype, x) {
  // A bfloat16 is the upper half of a float32.
  if (dtype === 'bfloat16') return new Uint32Array(Float32Array.of(rounded(x, 8, -126, 127)).buffer)[0] >>> 16;
  const value = rounded(x, 11, -14, 15);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude === Infinity) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude / 2 ** -24);
  const exponent = Math.floor(Math.log2(magnitude)); // exact for a number of eleven digits
  return sign | ((exponent + 15) << 10) | (magnitude / 2 ** (exponent - 10) - 1024);
}

/**
 * A number rounded to a float of `digits` binary digits, the leading one included, and of exponents from `least`, below which numbers are
 * subnormal, to `most`, above which they are infinite. To the nearest one, ties to even. A sum or product of two such floats was rounded to
 * float64 before; that changes nothing, because float64 has more than twice their digits.
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

export const isNaNBits = (dtype, bits) => isFloat(dtype) && Number.isNaN(toValue(dtype, bits));

/**
 * The first element in which `got` is not `expected`, both bytes, as readable `{ got, expected }`; null if all are equal.
 * Without a tolerance (`rtol` relative, `atol` absolute), bits count. One NaN is as good as another, unless `payloads` count too. With `zeros`, so is
 * one zero.
 */
export function difference(dtype, got, expected, { rtol, atol, payloads = false, zeros = false } = {}) {
  if (got.length !== expected.length) return { got: `${got.length} bytes`, expected: `${expected.length} bytes` };
  if (got.every((byte, at) => byte === expected[at])) return null;
  const [ours, theirs] = [toBits(dtype, got), toBits(dtype, expected)];
  for (const at of ours.keys()) {
    if (ours[at] === theirs[at]) continue;
    if (!payloads && isNaNBits(dtype, ours[at]) && isNaNBits(dtype, theirs[at])) continue;
    const [a, b] = [Number(toValue(dtype, ours[at])), Number(toValue(dtype, theirs[at]))];
    if (zeros && a === 0 && b === 0) continue;
    if (rtol !== undefined && (a === b || Math.abs(a - b) <= atol + rtol * Math.abs(b))) continue;
    const show = (bits) => `element ${at}: ${written(dtype, bits)}`;
    return { got: show(ours[at]), expected: show(theirs[at]) };
  }
  return null;
}

/** An element as its value and its bits. */
function written(dtype, bits) {
  const value = toValue(dtype, bits);
  return `${Object.is(value, -0) ? '-0' : value} (0x${bits.toString(16).padStart(2 * SIZES[dtype], '0')})`;
}

/**
 * The bytes of a tensor: those recorded, or, for a large one, those that a generator makes (`gen`): numbers from -1 to 1 (`pm1`), numbers
 * near 1, whole numbers below `mod`, moved by `offset`, any int32, or numbers of `span` exponents from `lo` on (`spread`). Hashes of the results were recorded with exactly these numbers, so no
 * draw and no rounding may change; `generated` in tests/rust/common/recorded.rs makes the same.
 */
export function bytesOf({ dtype, shape, data, gen }) {
  if (data !== undefined) return bytes(data);
  const { kind, seed, mod, offset = 0, lo, span } = gen;
  let state = seed;
  const draw = () => { // xorshift32: 32 bits
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const next = {
    pm1: () => (draw() >>> 8) / 2 ** 23 - 1,
    near1: () => 1 + ((draw() >>> 8) / 2 ** 24 - 0.5) / 64,
    mod: () => (draw() % mod) + offset,
    bits32: () => draw() | 0,
    spread: () => {
      const drawn = draw();
      const fractions = { float16: 1024, bfloat16: 128 }[dtype] ?? 65536;
      const significand = 1 + (drawn & (fractions - 1)) / fractions;
      return (drawn >>> 31 ? -1 : 1) * significand * 2 ** (lo + ((drawn >>> 16) & 32767) % span);
    },
  }[kind];
  const array = typed(dtype, new Uint8Array(shape.reduce((size, length) => size * length, SIZES[dtype])));
  const convert = dtype.endsWith('int64') ? BigInt : Number;
  const isHalf = dtype.endsWith('float16');
  const numbers = isHalf ? new Uint16Array(array.buffer) : array; // the bits of a half type
  for (let at = 0; at < array.length; at++) numbers[at] = isHalf ? halfBits(dtype, next()) : convert(next());
  return untyped(array);
}

/** The bytes that base64 stands for. */
export const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** A recorded tensor as a value of a call: its dtype and shape, and its elements as `ARRAYS` has them. */
export const valueOf = (tensor) => ({ dtype: tensor.dtype, shape: tensor.shape, data: new ARRAYS[tensor.dtype](bytesOf(tensor).slice().buffer) });

/** The elements of a value as plain numbers: bigints for the 64-bit integers; a half type's bits become the numbers that they stand for. */
export const numbersOf = ({ dtype, data }) => Array.from(data, (element) => (dtype.endsWith('float16') ? toValue(dtype, element) : element));

/** What `fromNumbers` throws: a library gave what the dtype does not have. The runner counts that as a result that differs, not as a refusal. */
export class Unfit extends RangeError {
  name = 'Unfit';
}

/**
 * A value of plain numbers, bigints or booleans. The dtype must hold each exactly: else this throws an `Unfit`. With `round`, a float dtype takes the
 * float nearest to each.
 */
export function fromNumbers(dtype, shape, numbers, { round = false } = {}) {
  const given = Array.from(numbers, (x) => (typeof x === 'boolean' ? Number(x) : x));
  const sizes = Array.from(shape);
  if (given.length !== sizes.reduce((count, size) => count * size, 1)) throw new Unfit(`${given.length} numbers do not fill the shape [${sizes}]`);
  const unfit = given.findIndex((x) => !(isFloat(dtype) ? hasFloat(dtype, x) || (round && typeof x === 'number') : hasInteger(dtype, x)));
  if (unfit !== -1) throw new Unfit(`element ${unfit}: ${Object.is(given[unfit], -0) ? '-0' : String(given[unfit])} is no ${dtype}`);
  return { dtype, shape: sizes, data: ARRAYS[dtype].from(given, (x) => elementOf(dtype, x)) };
}

/** A number as the array of a dtype takes it. */
function elementOf(dtype, x) {
  if (dtype.endsWith('int64')) return BigInt(x);
  return dtype.endsWith('float16') ? halfBits(dtype, Number(x)) : Number(x);
}

/** Whether a float dtype has a number: NaN, infinities and -0 among them. == compares a bigint by its exact value. */
function hasFloat(dtype, x) {
  const [value] = numbersOf({ dtype, data: ARRAYS[dtype].of(elementOf(dtype, x)) });
  return typeof x === 'bigint' ? value == x : Object.is(value, x);
}

/** Whether an integer dtype, or bool, has a number. */
function hasInteger(dtype, x) {
  if (typeof x !== 'bigint' && !Number.isInteger(x)) return false;
  return dtype === 'bool' ? x == 0 || x == 1 : ARRAYS[dtype].of(elementOf(dtype, x))[0] == x;
}
