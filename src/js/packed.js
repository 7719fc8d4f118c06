// The binary inside a module, compressed: for the inline entry, and for the others where their .wasm cannot be had. It is the
// SIMD build, since two would double the download for engines that no longer exist in numbers; `init({ wasm })` takes the scalar one.

import packed from '#packed'; // base64
import { failure, RuntimeError } from './errors.js';
import { hasSimd } from './simd.js';

export function unpack() {
  if (!hasSimd() || typeof DecompressionStream === 'undefined') {
    const lacks = hasSimd() ? 'DecompressionStream' : 'WebAssembly SIMD';
    throw failure(RuntimeError, 'engine-too-old', 'init', `this engine has no ${lacks}, which the inline entry needs: import 'scatterwise', or pass init({ wasm })`);
  }
  // Written by hand: a Blob's stream would come by way of another process.
  const { readable, writable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  for (const done of [writer.write(decode(packed)), writer.close()]) done.catch(() => {}); // the reader is told too
  return new Response(readable, { headers: { 'content-type': 'application/wasm' } }); // compiled while it is unpacked
}

/** The bytes of base64. An engine takes the loop for one to optimise, on a core that a start has better use for. */
function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
