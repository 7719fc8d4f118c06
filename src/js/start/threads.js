// The start of `scatterwise/threads`: shared memory and workers if the platform has them, else one thread and the reason.
//
// Only one start takes place, as in startup.js. It never fails for lack of threads. tools/package.mjs defines PAGES.

import * as rust from '#glue';
import { integer, readOptions, refuseOptions } from '../arguments/arguments.js';
import { checkCallback, checkReturned } from '../arguments/callbacks.js';
import { exported, isStarted } from '../engine/engine.js';
import { failure, RuntimeError, ValueError } from '../engine/errors.js';
import { setThreadFacts, threadFacts, useMemory, useRunner } from '../engine/threads.js';
import { inTime } from '../engine/time.js';
import { makeCaller, WORDS } from './chunks.js';
import { hasSimd } from './simd.js';
import { initFrom, initOptions } from './startup.js';

/** Bytes of a worker's stack. */
const STACK = 256 * 1024;
/** Pages of memory at most: 4 GiB, or where an engine refuses that, 1 GiB. */
const MOST_PAGES = [65_536, 16_384];
/** The time limit for the start of the workers, in ms. */
const MOST_TIME = 10_000;
/** The most threads, the caller among them, as in src/engine/cpu/threads.rs. */
const MOST_THREADS = 16;

/** Keeps the workers awake, or lets them sleep; set at the start of threads. */
let setAwake = () => {};
let awake = 0;

/** Calls fn while the threads stay awake, and returns its result. */
export function keep_awake(fn, options) {
  const op = 'keep_awake';
  refuseOptions(op, options);
  const why = 'the threads sleep again when it returns';
  checkCallback(op, 'fn', fn, why);
  awake++;
  setAwake(true);
  let result;
  try {
    result = fn();
  } finally {
    setAwake(--awake > 0);
  }
  checkReturned(op, 'fn', result, why);
  return result;
}

function obstacle() {
  if (!hasSimd()) return 'this engine has no WebAssembly SIMD';
  if (typeof globalThis.document !== 'undefined' || typeof globalThis.WorkerGlobalScope !== 'undefined') {
    if (globalThis.crossOriginIsolated === false) return 'the page is not cross-origin isolated: its server must send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp';
  }
  if (typeof SharedArrayBuffer === 'undefined' || typeof Atomics?.wait !== 'function') return 'the platform has no SharedArrayBuffer';
  return undefined;
}

/** A new shared memory, or undefined if the platform has not so many addresses. */
function newMemory() {
  for (const maximum of MOST_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: PAGES, maximum, shared: true });
    } catch {
      // Try a smaller maximum.
    }
  }
  return undefined;
}

/** Adds the line that is missing in Vite's configuration to an error, if Vite's development server has moved the entry away from its files. */
function withLine(op, error) {
  if (error?.code !== 'wasm-not-found' || !error.message.includes('/.vite/')) return error;
  const text = `${error.message.slice(`${op}: `.length)}; with Vite 7 and before, write optimizeDeps: { exclude: ['scatterwise'] } in vite.config.js, so that the entry stays beside its files`;
  return failure(RuntimeError, error.code, op, text, { cause: error.cause });
}

/** The number of threads that the caller asks for, or that the platform's processors suggest. */
function readCount(op, threads, processors) {
  if (threads === undefined) return processors > 1 ? Math.min(Math.max(Math.floor(processors / 2), 2), 8) : 1;
  const count = integer(op, 'threads', threads);
  if (count >= 1 && count <= MOST_THREADS) return count;
  throw failure(ValueError, 'invalid-argument', op, `threads is ${count}; allowed are 1 to ${MOST_THREADS}`, { argument: 'threads', value: count });
}

/**
 * Makes the entry's `init` from functions: `main`, `plain` and `kernels` return the binaries or their URLs, `fallback` imports a copy of `plain`,
 * `read` reads a URL that fetch cannot, `compile` compiles what `kernels` returns, `newWorker` starts a worker, `processors` counts them.
 * Tests `wrap` what runs a chunk, and what runs a job (`wrapJob`).
 */
export function initThreads({ main, plain, fallback, kernels, read, compile, newWorker, processors, wrap = (run) => run, wrapJob = (run) => run }) {
  let isShared = false;
  let first;
  const start = initFrom(() => (isShared ? main() : plain()), read, () => (isShared || fallback === undefined ? Promise.reject() : fallback()));
  const single = (reason) => setThreadFacts({ count: 1, reason });
  single('initSync() starts on one thread');

  /** Starts with shared memory and workers, or without, and says why. */
  async function startThreads(count, rest) {
    const memory = newMemory();
    if (memory === undefined) {
      single('no shared memory could be allocated');
      return start(rest);
    }
    const workers = [];
    const giveUp = (error) => {
      for (const worker of workers) worker.end();
      single(`the threads could not be started (${error?.message ?? error})`);
    };
    isShared = true;
    useMemory(memory);
    const work = prepareWork(count, workers);
    work.catch(() => {}); // beginWork tells why
    const started = start(rest);
    const error = await started.then(() => undefined, (error) => error);
    if (!isStarted()) {
      giveUp(error);
      isShared = false;
      useMemory(undefined);
      return start(rest);
    }
    // The device may have failed; the library runs on the CPU then, and its threads too.
    try {
      await beginWork(workers, await work, memory);
    } catch (error) {
      giveUp(error);
    }
    return { ...(await started), threads: threadFacts() };
  }

  /** Starts the workers into a list, and compiles what they run. Returns a promise of the module. */
  async function prepareWork(count, workers) {
    for (let thread = 1; thread < count; thread++) workers.push(newWorker());
    return compile(kernels());
  }

  async function beginWork(workers, module, memory) {
    if (exported().memory !== memory) throw new Error('initSync() has started the library on a memory of its own');
    const control = new Int32Array(new SharedArrayBuffer(4 * WORDS));
    const ready = workers.map((worker, at) => worker.begin({ module, memory, control, stack: rust.thread_stack(STACK), thread: at + 1 }));
    await inTime(Promise.all(ready), MOST_TIME, () => new Error(`no answer in ${MOST_TIME / 1000} s`));
    const caller = makeCaller(control, wrap(exported().run_chunk));
    useRunner(wrapJob(caller.share));
    setAwake = caller.setAwake;
    setThreadFacts({ count: rust.set_threads(workers.length + 1) });
  }

  /** The first start, with threads if nothing is in the way. */
  function startFirst(count, threads, rest) {
    const one = threads === 1 ? 'one thread was asked for' : 'the machine has one processor';
    const given = rest.wasm === undefined ? undefined : 'init() was given a binary of its own (wasm)';
    const reason = count === 1 ? one : (given ?? obstacle());
    if (reason === undefined) return startThreads(count, rest);
    single(reason);
    return start(rest);
  }

  return async function init(options) {
    const op = 'init';
    const { threads, ...rest } = readOptions(op, options, [...initOptions, 'threads']);
    const count = readCount(op, threads, processors());
    while (first !== undefined && !isStarted()) await first.catch(() => {});
    if (isStarted()) {
      await first?.catch(() => {});
      const { count: running, reason } = threadFacts();
      if (threads !== undefined && reason === undefined && count !== running) {
        throw failure(RuntimeError, 'already-started', op, `the library runs with ${running} threads already: leave threads out`, { argument: 'threads' });
      }
      return start(rest);
    }
    const own = startFirst(count, threads, rest);
    first = own;
    try {
      return await own;
    } catch (error) {
      if (first === own) first = undefined; // the start may be tried again
      throw withLine(op, error);
    }
  };
}
