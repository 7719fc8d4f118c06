// The types of `scatterwise/threads`: those of the whole library, and two more members.

import type { BackendInfo, InitOptions } from './index.js';

export * from './index.js';

export interface ThreadsInitOptions extends InitOptions {
  /** How many threads, the caller among them: 1 to 16. If left out, half of the processors, from 2 to 8. */
  threads?: number | undefined;
}

export interface ThreadsBackendInfo extends BackendInfo {
  /** How many threads the CPU path has, and why not more: `'the page is not cross-origin isolated …'`. */
  threads: { count: number; reason?: string };
}

/**
 * Starts the library, with threads if the platform has them; otherwise on one thread, and `backend().threads.reason` says why. It never fails
 * for lack of threads. Idempotent and safe to call concurrently; a failed start may be tried again.
 *
 * @example
 * import { init } from 'scatterwise/threads';
 * const { threads } = await init({ device: 'cpu' });
 */
export function init(options?: ThreadsInitOptions): Promise<ThreadsBackendInfo>;
export default init;
export function backend(): ThreadsBackendInfo;
/**
 * Calls `fn` and returns its result. Meanwhile the threads do not sleep between calls: for many small calls in a row. An async function is a
 * TypeError.
 */
export function keep_awake<T>(fn: () => T): T;
