// The checksum of zip archives, fast because it would otherwise be most of the time of reading one: ADR 34.
//
// A CRC-32 is the remainder of a division of polynomials without carries. Let y be a word, 32 bits: the divisor divides
// y^3006 + y^2866 + y^2215 + 1. So a word can be left out if it is added (^) to the three words that are 140, 791 and 3006 behind it. That needs no table,
// and goes in vectors of words: crc32.wat. The words that stay, 3006 of them, go through the table.

import binary from './crc32.wat';

/** How far behind a word are those that it is added to, in words. */
const [NEAR, MIDDLE, FAR] = [140, 791, 3006];
/** Where the memory of crc32.wat has the bytes that come now, and how many at most. */
const [INPUT, PIECE] = [28672, 16384];
/** From this number of bytes on words are left out: with fewer, there is little to save. */
const MANY = 1 << 16;

/** For each byte what it adds to a checksum. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
  return byte;
});

/** What crc32.wat exports, started with the first large content; null where the engine has no vectors or the page allows no WebAssembly. */
let folding;

/** The CRC-32 of some bytes, a number without a sign. */
export function crc32(bytes) {
  if (bytes.length >= MANY && folding === undefined) folding = start();
  let crc = -1; // all bits set, as the format has it
  if (bytes.length >= MANY && folding) [bytes, crc] = [fold(folding, bytes, crc), 0];
  for (let at = 0; at < bytes.length; at++) crc = table[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Starts crc32.wat. */
function start() {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(binary)).exports;
  } catch {
    return null;
  }
}

/** Bytes whose checksum, begun with 0, is that of the given ones, begun with `crc`. They are the last of these, with what the others add to them. */
function fold({ memory, fold }, bytes, crc) {
  const window = new Int32Array(memory.buffer, 0, FAR); // the words that were left out last
  const input = new Uint8Array(memory.buffer, INPUT, PIECE);
  window.fill(0);
  window[0] = crc; // as if it stood 3006 words before the first one
  const last = bytes.length - 4 * FAR; // from there on bytes stay
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
