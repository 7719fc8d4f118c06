// The binary inside a module, compressed: for the inline entry, and for the others where their .wasm cannot be had. It is the
// SIMD build, since two would double the download for engines that no longer exist in numbers; `init({ wasm })` takes the scalar one.

import packed from '#packed'; // base64
import { failure, RuntimeError } from './errors.js';
import { hasSimd } from './simd.js';

export function unpack() {
  if (!hasSimd()) throw lacking('WebAssembly SIMD');
  // Written by hand: a Blob's stream would come by way of another process.
  const { readable, writable } = decompression();
  const writer = writable.getWriter();
  for (const done of [writer.write(decode(packed)), writer.close()]) done.catch(() => {}); // the reader is told too
  return new Response(readable, { headers: { 'content-type': 'application/wasm' } }); // compiled while it is unpacked
}

function decompression() {
  try {
    return new DecompressionStream('deflate');
  } catch (cause) {
    throw lacking('DecompressionStream', cause); // an old engine, or Next.js's edge runtime, where the name is there and throws
  }
}

function lacking(what, cause) {
  const text = `this engine has no ${what}, which the inline entry needs: import 'scatterwise', or pass init({ wasm }); in Next.js leave the edge runtime by export const runtime = 'nodejs'`;
  return failure(RuntimeError, 'engine-too-old', 'init', text, { cause });
}

/** Decodes base64. The loop is for engines without `fromBase64`: to compile and optimise it takes a start's time. */
function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
