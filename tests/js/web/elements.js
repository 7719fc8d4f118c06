// The thirteen dtypes as bits and as values, for the tests: nothing here is the library's.

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

/** The arrays in which elements of each dtype are given to a tensor, and come back from data(). */
const ARRAYS = {
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float16: globalThis.Float16Array ?? Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Elements as such an array, a copy; and the bytes of any array, not copied. */
export const typed = (dtype, bytes) => new ARRAYS[dtype](bytes.slice().buffer);
export const untyped = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
/** Whether data() returned the kind of array that the types promise. */
export const isOf = (dtype, array) => array.constructor === ARRAYS[dtype];

/** Elements as unsigned integers: bigints for the dtypes of 8 bytes, else numbers. */
export function toBits(dtype, bytes) {
  const width = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }[SIZES[dtype]];
  return Array.from(new width(bytes.slice().buffer));
}

/** The bytes of elements that are given as unsigned integers. */
export function fromBits(dtype, bits) {
  const width = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }[SIZES[dtype]];
  return untyped(width.from(bits));
}

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

export const isNaNBits = (dtype, bits) => isFloat(dtype) && Number.isNaN(toValue(dtype, bits));

/**
 * The first element in which `got` is not `expected`, both bytes, as `{ got, expected }` for people to read; null where there is none.
 * Without a tolerance (`rtol` relative, `atol` absolute), bits count. One NaN is as good as another, unless `payloads` count too.
 */
export function difference(dtype, got, expected, { rtol, atol, payloads = false } = {}) {
  if (got.length !== expected.length) return { got: `${got.length} bytes`, expected: `${expected.length} bytes` };
  if (got.every((byte, at) => byte === expected[at])) return null;
  const [ours, theirs] = [toBits(dtype, got), toBits(dtype, expected)];
  for (const at of ours.keys()) {
    if (ours[at] === theirs[at]) continue;
    if (!payloads && isNaNBits(dtype, ours[at]) && isNaNBits(dtype, theirs[at])) continue;
    const [a, b] = [Number(toValue(dtype, ours[at])), Number(toValue(dtype, theirs[at]))];
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
