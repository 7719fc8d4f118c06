// Where the binary with GPU code is.

import { hasSimd } from './simd.js';

export const flavour = 'full';

/** The binary beside the module that this engine can run. Both URLs are literal, for bundlers to find. */
export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_simd.wasm', import.meta.url) : new URL('./scatterwise_scalar.wasm', import.meta.url);
