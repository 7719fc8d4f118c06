import { hasSimd } from './simd.js';

export { ask_early as prepare } from './objects.js';

/** The binary beside the module that this engine can run. Both URLs are literal, for bundlers to find. */
export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_simd.wasm', import.meta.url) : new URL('./scatterwise_scalar.wasm', import.meta.url);
