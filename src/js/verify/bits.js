// Elements as bits: compares and writes them. Dtypes are names here. A result is `{ dtype, shape, bytes }`, its elements little-endian
// and in row-major order.

import { positionOf } from '../arguments/positions.js';

/** The float dtypes, each with its bits of the exponent and of the fraction. */
export const FLOATS = { float16: [5, 10], bfloat16: [8, 7], float32: [8, 23], float64: [11, 52] };
/** Bytes of an element. */
const widths = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, int64: 8, uint64: 8, float16: 2, bfloat16: 2, float32: 4, float64: 8 };
/** The array of unsigned integers of a width in bytes. */
const words = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };

export const DTYPES = Object.keys(widths);
export const widthOf = (dtype) => widths[dtype];
export const product = (shape) => shape.reduce((size, each) => size * each, 1);
/** The bytes of a typed array, not copied. */
export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The elements of a dtype as unsigned integers in a typed array; bigints for 8 bytes. */
const bitsOf = (dtype, bytes) => new words[widths[dtype]](bytes.slice().buffer);

/** Whether the bits of an element are a NaN: without the sign, above those of infinity. */
function isNaNBits(dtype, bits) {
  if (!(dtype in FLOATS)) return false;
  const [exponent, fraction] = FLOATS[dtype].map(BigInt);
  const magnitude = BigInt(bits) & ((1n << (exponent + fraction)) - 1n);
  const infinity = ((1n << exponent) - 1n) << fraction;
  return magnitude > infinity;
}

const hex = (dtype, bits) => `0x${bits.toString(16).padStart(2 * widths[dtype], '0')}`;

/**
 * The difference between the results `got` and `expected`: the position of the first element that differs, its bits in both, and the
 * number of differing elements; null if they are equal. If dtype or shape differs, these replace the bits, the position is empty, and
 * every element counts. Any NaN equals any other, because the library does not promise their payloads.
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
