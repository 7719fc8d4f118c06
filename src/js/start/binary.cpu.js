// The URL of the binary without GPU code.

import { hasSimd } from './simd.js';

/** The flavour of this build: without GPU code. The binary has the same name in it. */
export const flavour = 'cpu';

/** The URL of the binary that this engine can run, beside this module. Both are written out, because bundlers look for this form. */
export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_cpu_simd.wasm', import.meta.url) : new URL('./scatterwise_cpu_scalar.wasm', import.meta.url);
