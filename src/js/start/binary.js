// The URL of the binary. tools/package.mjs puts the names of the build's own files into a copy of this.

import { hasSimd } from './simd.js';

/** The URL of the binary that this engine can run, beside this module. Both are written out, because bundlers look for this form. */
export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_simd.wasm', import.meta.url) : new URL('./scatterwise_scalar.wasm', import.meta.url);
