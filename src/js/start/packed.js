// The binary inside a module, compressed: for the inline entries, and for those of Node if their .wasm fails to load. It is only the SIMD
// build: the scalar one would double the download for a few old engines. These can use `init({ wasm })`.

import packed from '#packed'; // base64
import { failure, RuntimeError } from '../engine/errors.js';
import { hasSimd } from './simd.js';

/** A Response with the binary, decompressed while it is read. Throws if the engine has no SIMD or no DecompressionStream. */
export function unpack() {
  if (!hasSimd()) throw lacking('WebAssembly SIMD');
  // Write the bytes to the stream directly: the stream of a Blob would pass through another process.
  const { readable, writable } = decompression();
  const writer = writable.getWriter();
  for (const done of [writer.write(decode(packed)), writer.close()]) done.catch(() => {}); // the reader also gets the error
  return new Response(readable, { headers: { 'content-type': 'application/wasm' } }); // the type lets an engine compile early
}

/** A stream that decompresses zlib's format, which the web calls deflate. */
function decompression() {
  try {
    return new DecompressionStream('deflate');
  } catch (cause) {
    throw lacking('DecompressionStream', cause); // an old engine, or Next.js's edge runtime, where the class exists but throws
  }
}

/** The error for an engine without a feature that the inline entry needs. */
function lacking(what, cause) {
  const text = `this engine has no ${what}, which the inline entry needs: import 'scatterwise', or pass init({ wasm }); in Next.js leave the edge runtime by export const runtime = 'nodejs'`;
  return failure(RuntimeError, 'engine-too-old', 'init', text, { cause });
}

/**
 * Decodes base64, by the platform's function if it exists: the engine would optimise the loop on another core, which the start itself
 * needs.
 */
function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
