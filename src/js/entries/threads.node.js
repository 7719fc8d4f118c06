// The entry `scatterwise/threads` for Node.

import { defaultWasm } from '#binary';
import { initThreads } from '../start/threads.js';
import { nodeThreads } from '../start/workers.node.js';

export * from './exports.js';
export { keep_awake } from '../start/threads.js';

export const init = initThreads({
  main: () => new URL('./scatterwise_threads.wasm', import.meta.url),
  kernels: () => new URL('./scatterwise_kernels.wasm', import.meta.url),
  plain: defaultWasm,
  fallback: () => import('#fallback'),
  ...nodeThreads(new URL('./threads.node.worker.js', import.meta.url)),
});
export default init;
