// The types of `scatterwise/threads`: those of the whole library, and what threads add.

import type { BackendInfo, InitOptions } from './index.js';

export * from './index.js';

/** The options of `init`: those of `scatterwise`, and the number of threads. */
export interface ThreadsInitOptions extends InitOptions {
  /**
   * How many threads the CPU path has, the caller's thread among them: 1 to 16. If left out, half of the processors, from 2 to 8. Another
   * number than that of a library that runs already is a RuntimeError with the code `'already-started'`.
   */
  threads?: number | undefined;
}

/** What runs, and why: as in `scatterwise`, and the threads. */
export interface ThreadsBackendInfo extends BackendInfo {
  /** How many threads the CPU path has; with one, `reason` says why there are not more: `'the page is not cross-origin isolated …'`. */
  threads: { count: number; reason?: string };
}

/**
 * Starts the library, with threads if the platform has them; otherwise on one thread, and `backend().threads.reason` says why. It never fails
 * for lack of threads: a wrong `threads` is a ValueError or a TypeError. Idempotent and safe to call concurrently: the first call decides how
 * many threads there are. A failed start may be tried again. The bits of every result are those of one thread.
 *
 * @example
 * import { init, Tensor } from 'scatterwise/threads';
 * const { threads } = await init({ device: 'cpu', threads: 2 });
 * threads.count; // → 2
 * threads.reason; // → undefined
 */
export function init(options?: ThreadsInitOptions): Promise<ThreadsBackendInfo>;
export default init;
/**
 * The running device, the threads of its CPU path, and the reasons for both.
 *
 * @example
 * const { count, reason } = backend().threads;
 * reason ?? `${count} threads`; // → '2 threads'
 */
export function backend(): ThreadsBackendInfo;
/**
 * Calls `fn` and returns its result. Meanwhile the threads do not sleep between calls, which costs the processors' time: for many calls in a
 * row, each of some 20 µs or more. An async function is a TypeError, and so is an `fn` that returns a promise. What `fn` throws is passed on.
 *
 * @example
 * const x = Tensor.full([1 << 20], 1.5, { device: 'cpu' });
 * const powers = keep_awake(() => x.mul(x).mul(x));
 * (await powers.data())[9]; // → 3.375
 */
export function keep_awake<T>(fn: () => T): T;
