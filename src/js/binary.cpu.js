// Where the binary without GPU code is.

import { hasSimd } from './simd.js';

export const flavour = 'cpu';

export const defaultWasm = () =>
  hasSimd() ? new URL('./scatterwise_cpu_simd.wasm', import.meta.url) : new URL('./scatterwise_cpu_scalar.wasm', import.meta.url);
