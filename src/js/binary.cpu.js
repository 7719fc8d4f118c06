// What binary.js is to the whole library, to the one without GPU code.

import { hasSimd } from './simd.js';

export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_cpu_simd.wasm', import.meta.url) : new URL('./scatterwise_cpu_scalar.wasm', import.meta.url);

/** There is no GPU to ask for. */
export const prepare = () => {};
