// The entry `scatterwise/threads` for tests, in Node and in pages: any job is divided, and threads come late. It is no part of the package.

import * as rust from '#glue';
import { call } from '../engine/engine.js';
import { initThreads } from '../start/threads.js';
import { webThreads } from '../start/workers.js';

export * from './exports.js';
export { keep_awake } from '../start/threads.js';

/** The files, beside the package's folder. */
const file = (name) => new URL(`./scatterwise/${name}`, import.meta.url);
const files = { main: () => file('scatterwise_threads.wasm'), kernels: () => file('scatterwise_kernels.wasm'), plain: () => file('scatterwise_simd.wasm') };
/** The script of the workers. A test plants a fault by the query of this module's URL. */
const worker = new URL(`./threads.testing.worker.js${new URL(import.meta.url).search}`, import.meta.url);

const isNode = typeof globalThis.process?.versions?.node === 'string';
/** What the platform has; `workers.node.js` is imported by its URL, because a page cannot import what is Node's. */
const platform = isNode ? (await import('./threads.testing.node.js')).nodeThreads(worker) : webThreads(() => new Worker(worker, { type: 'module' }));

/** The jobs that were divided. */
let jobs = 0;
/** How many jobs were divided since the last call of this. */
export function divided() {
  const since = jobs;
  jobs = 0;
  return since;
}
const wrapJob = (run) => (...args) => {
  jobs++;
  return run(...args);
};

/** A chunk of the caller's thread comes late too: else it would run most of them before a worker has looked. */
const wrap = (run) => (...args) => {
  for (const end = performance.now() + Math.random() / 20; performance.now() < end; );
  return run(...args);
};

/** Sets the least work of a chunk, in elements: 0 makes chunks of single columns, with which `init` begins. */
export const divide = (work) => call('backend', () => rust.set_least_chunk(Number.isInteger(work) && work > 0 ? work : 0));

const start = initThreads({ ...files, ...platform, wrap, wrapJob });
export async function init(options) {
  const info = await start(options);
  divide(0);
  return info;
}
