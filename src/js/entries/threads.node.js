// The entry `scatterwise/threads` for Node.

import { defaultWasm } from '#binary';
import { beginStacksAtCaller } from '../start/stacks.node.js';
import { initThreads } from '../start/threads.js';
import { nodeThreads } from '../start/workers.node.js';
import * as all from './exports.js';

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

beginStacksAtCaller(all);
