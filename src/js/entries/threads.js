// The entry `scatterwise/threads` for browsers, workers, bundlers, Deno and Bun: the library on several threads.

import { defaultWasm } from '#binary';
import { initThreads } from '../start/threads.js';
import { webThreads } from '../start/workers.js';

export * from './exports.js';
export { keep_awake } from '../start/threads.js';

// Each URL is written out, because bundlers look for these forms.
export const init = initThreads({
  main: () => new URL('./scatterwise_threads.wasm', import.meta.url),
  kernels: () => new URL('./scatterwise_kernels.wasm', import.meta.url),
  plain: defaultWasm,
  ...webThreads(() => new Worker(new URL('./threads.worker.js', import.meta.url), { type: 'module' })),
});
export default init;
