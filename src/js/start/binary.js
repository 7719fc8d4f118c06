// The URL of the binary with GPU code.

import { hasSimd } from './simd.js';

/** The flavour of this build: with GPU code. The binary has the same name in it. */
export const flavour = 'full';

/** The URL of the binary that this engine can run, beside this module. Both are written out, because bundlers look for this form. */
export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_simd.wasm', import.meta.url) : new URL('./scatterwise_scalar.wasm', import.meta.url);
