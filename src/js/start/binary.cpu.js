// Where the binary without GPU code is.

import { hasSimd } from './simd.js';

/** What this build is: without GPU code, as the binary says of itself too. */
export const flavour = 'cpu';

/** The URL of the binary that this engine can run, beside this module. Each is written out in full, because bundlers look for it so. */
export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_cpu_simd.wasm', import.meta.url) : new URL('./scatterwise_cpu_scalar.wasm', import.meta.url);
