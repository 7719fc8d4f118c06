// The script of the workers of threads.testing.js, in Node and in pages: each chunk begins at a random time. The query of its URL plants a
// fault; in Node the variable THREADS_FAULT.

import { start } from '../start/worker.js';

/** A function that waits up to 50 µs, rarely 2 ms, before each call of another. */
const delayed = (run) => (...args) => {
  const end = performance.now() + (Math.random() < 0.01 ? 2 : Math.random() / 20);
  while (performance.now() < end);
  return run(...args);
};

/** What can be wrong with a worker. */
const faults = {
  /** A chunk is lost. */
  lose: () => () => {},
  /** A chunk traps. */
  trap: () => () => {
    throw new WebAssembly.RuntimeError('unreachable');
  },
};
const isNode = typeof globalThis.process?.versions?.node === 'string';
// Node hides the query of a worker's URL.
const fault = isNode ? globalThis.process.env.THREADS_FAULT : globalThis.location.search.slice(1);
if (fault === 'absent') throw new Error('this worker does not start');
const wrap = faults[fault] ?? delayed;

if (isNode) {
  const { parentPort } = await import('node:worker_threads');
  parentPort.once('message', (message) => start(message, (answer) => parentPort.postMessage(answer), wrap));
} else {
  globalThis.onmessage = ({ data }) => start(data, (answer) => postMessage(answer), wrap);
}
