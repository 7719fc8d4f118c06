// Elements as bits: how they are compared and written.

/** Bits of the exponent and of the fraction. */
export const FLOATS = { float16: [5, 10], bfloat16: [8, 7], float32: [8, 23], float64: [11, 52] };
const widths = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, int64: 8, uint64: 8, float16: 2, bfloat16: 2, float32: 4, float64: 8 };
const words = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };

export const DTYPES = Object.keys(widths);
export const widthOf = (dtype) => widths[dtype];
export const product = (shape) => shape.reduce((size, each) => size * each, 1);
export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The elements as unsigned numbers; bigints where they have 8 bytes. */
const bitsOf = (dtype, bytes) => new words[widths[dtype]](bytes.slice().buffer);

function isNaNBits(dtype, bits) {
  if (!(dtype in FLOATS)) return false;
  const [exponent, fraction] = FLOATS[dtype].map(BigInt);
  const magnitude = BigInt(bits) & ((1n << (exponent + fraction)) - 1n);
  return magnitude > ((1n << exponent) - 1n) << fraction;
}

const hex = (dtype, bits) => `0x${bits.toString(16).padStart(2 * widths[dtype], '0')}`;

/** The coordinates of an element in row-major order. */
function positionOf(shape, element) {
  const position = [];
  for (const size of [...shape].reverse()) {
    position.unshift(element % size);
    element = Math.floor(element / size);
  }
  return position;
}

/**
 * Where a result differs from another first, and in how many elements; null where it does not. Any NaN is any NaN: payloads are outside
 * the library's promise.
 */
export function difference(got, expected) {
  const { dtype, shape } = expected;
  if (got.dtype !== dtype || `${got.shape}` !== `${shape}`) {
    return { position: [], got: `${got.dtype} [${got.shape}]`, expected: `${dtype} [${shape}]`, differing: product(shape) };
  }
  const [ours, theirs] = [bitsOf(dtype, got.bytes), bitsOf(dtype, expected.bytes)];
  const differs = (bits, at) => bits !== theirs[at] && !(isNaNBits(dtype, bits) && isNaNBits(dtype, theirs[at]));
  const first = ours.findIndex(differs);
  if (first < 0) return null;
  let differing = 0;
  for (let at = first; at < ours.length; at++) if (differs(ours[at], at)) differing++;
  return { position: positionOf(shape, first), got: hex(dtype, ours[first]), expected: hex(dtype, theirs[first]), differing };
}
