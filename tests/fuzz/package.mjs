// The package that Node's tests and tools of this folder work on, and what only Node has.

import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** Of another build than that of `npm run package`: its node.js. */
export const entry = process.env.SCATTERWISE_ENTRY ?? fileURLToPath(new URL('../../target/npm/scatterwise/node.js', import.meta.url));

/** Lets finalizers run: they never do within one synchronous task. */
export async function collect() {
  gc();
  await new Promise((done) => setTimeout(done, 0));
}

export const platform = {
  collect,
  /** Uncaught errors, as traps in finalizers are. */
  uncaught: [],
  big: process.env.BIG === '1',
};

let copies = 0;
/** A fresh copy of the package, started unless `options` are null. */
export async function load(from = entry, options = { device: 'cpu' }) {
  const lib = await import(`${pathToFileURL(resolve(from)).href}?copy=${process.pid}-${copies++}`);
  if (options) await lib.init(options);
  return lib;
}

/** A getter of `then` that throws rejects promises that the engine itself has made; what a finalizer throws would end the process. */
export function catchAll() {
  process.on('unhandledRejection', () => {});
  process.on('uncaughtException', (error) => {
    platform.uncaught.push(error);
    console.error(error);
  });
}
