// The package's entry for Node, whose fetch() does not read files. In a bundled server (Next.js, esbuild), `import.meta.url` leads to no
// file, so this imports a copy of the binary. The entry for browsers cannot: bundlers refuse an import() in code that must be one file,
// such as a worker of Vite 5 to 7.

import { readFile } from 'node:fs/promises';
import { defaultWasm } from '#binary';
import { onFailure } from '../engine/errors.js';
import { initFrom } from '../start/startup.js';
import * as all from './exports.js';

export * from './exports.js';

/** A promise of the bytes of a file; undefined for any other URL, which fetch() reads. */
const read = (url) => (url.protocol === 'file:' ? readFile(url) : undefined);
export const init = initFrom(defaultWasm, read, () => import('#fallback'));
export default init;

/** As the platform has them before a program changes them. */
const { captureStackTrace, prepareStackTrace } = Error;

/** The function of the package with a name such as `Tensor.scatter_`, which errors begin with; undefined where none has it. */
function functionOf(op) {
  const [owner, name] = op.split('.');
  const { prototype = {} } = all[owner] ?? {};
  return name === undefined ? all[owner] : (Object.getOwnPropertyDescriptor(prototype, name)?.value ?? Object.getOwnPropertyDescriptor(all[owner] ?? {}, name)?.value);
}

// Begins the stack of an error at the caller of the library. `vjp` and `trace` call other operators. A function that is not on the stack, such as an async
// one that waits, would leave no frame. The source line that Node prints above an uncaught error stays the library's: it is where `throw` ran.
onFailure((error, op) => {
  if (!captureStackTrace || Error.prepareStackTrace !== prepareStackTrace) return; // to read a stack may run the caller's code
  const { stack } = error;
  for (const each of [functionOf(op), all.vjp, all.trace]) {
    if (typeof each !== 'function') continue;
    captureStackTrace(error, each);
    if (/\n\s+at /.test(error.stack)) return;
  }
  error.stack = stack;
});
