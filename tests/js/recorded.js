// The bytes of recorded tensors: tests/vectors/README.md.

import { halfBits, SIZES, typed, untyped } from './calls/elements.js';

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
