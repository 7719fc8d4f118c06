// The package that Node's tests and tools of this folder work on, and what only Node has.

import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A context that is made after the flag was set has the function; this one, made before it, has not.
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** The package's node.js: that of `npm run package`, or of another build, named by SCATTERWISE_ENTRY. */
export const entry = process.env.SCATTERWISE_ENTRY ?? fileURLToPath(new URL('../../../target/npm/scatterwise/node.js', import.meta.url));

/** Collects garbage, and lets finalizers run: they never do within one synchronous task. */
export async function collect() {
  gc();
  await new Promise((done) => setTimeout(done, 0));
}

/** What the fuzzer takes from Node; a page has nothing of it. */
export const platform = {
  collect,
  /** Errors that nobody caught, such as traps in finalizers: see `catchAll`. */
  uncaught: [],
  /** Whether memory may be filled to its full 4 GiB. */
  big: process.env.BIG === '1',
};

let copies = 0; // another query makes another copy of a module
/** Imports a fresh copy of the package, and starts it with `options` unless they are null. */
export async function load(from = entry, options = { device: 'cpu' }) {
  const lib = await import(`${pathToFileURL(resolve(from)).href}?copy=${process.pid}-${copies++}`);
  if (options) await lib.init(options);
  return lib;
}

/**
 * Keeps this process running whatever is thrown in it. A getter of `then` that throws rejects a promise that nobody can wait for, which is
 * ignored; what a finalizer throws is kept in `platform.uncaught`.
 */
export function catchAll() {
  process.on('unhandledRejection', () => {});
  process.on('uncaughtException', (error) => {
    platform.uncaught.push(error);
    console.error(error);
  });
}
