// The CRC-32 of zip archives. A table for single bytes alone would take most of the time of reading an archive: docs/decisions/libraries-and-tools.md.
//
// A CRC-32 is the remainder of a polynomial division without carries. Let y stand for one word of 32 bits. The divisor divides y^3006 +
// y^2866 + y^2215 + 1. So the remainder stays the same if a word is removed and XORed into the words 140, 791 and 3006 places after it.
// crc32.wat does this for vectors of words, without a table. The last 3006 words remain, and go through the table.

import binary from './crc32.wat';

/** The distances, in words, from a removed word to the three words that it is XORed into. */
const [NEAR, MIDDLE, FAR] = [140, 791, 3006];
/** Where crc32.wat expects its input in its memory, and the largest input in bytes. */
const [INPUT, PIECE] = [28672, 16384];
/** The least number of bytes for which words are removed. For fewer bytes the table is fast enough. */
const MANY = 1 << 16;

/** The contribution of each byte value to a CRC. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
  return byte;
});

/** The exports of crc32.wat, which the first large input starts. Null if the engine has no vectors or the page allows no WebAssembly. */
let folding;

export function crc32(bytes) {
  if (bytes.length >= MANY && folding === undefined) folding = start();
  let crc = -1; // all bits set, as the format has it
  if (bytes.length >= MANY && folding) [bytes, crc] = [fold(folding, bytes, crc), 0];
  for (let at = 0; at < bytes.length; at++) crc = table[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

function start() {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(binary)).exports;
  } catch {
    return null;
  }
}

/** Removes words, and returns the remaining bytes. Their CRC, started with 0, is the CRC of all the bytes, started with `crc`. */
function fold({ memory, fold }, bytes, crc) {
  const window = new Int32Array(memory.buffer, 0, FAR); // the words that were removed last
  const input = new Uint8Array(memory.buffer, INPUT, PIECE);
  window.fill(0);
  window[0] = crc; // a word 3006 places before the first
  const last = bytes.length - 4 * FAR; // the bytes from here on remain
  let at = 0;
  for (let count; (count = Math.min(PIECE, last - at) & ~15) > 0; at += count) {
    input.set(bytes.subarray(at, at + count));
    fold(count);
  }
  const rest = bytes.slice(at);
  const words = new Int32Array(rest.buffer, 0, FAR);
  for (let k = 0; k < FAR; k++) words[k] ^= window[k] ^ (window[k + FAR - MIDDLE] ?? 0) ^ (window[k + FAR - NEAR] ?? 0);
  return rest;
}
