// The stacks of errors in Node: they begin at the caller of the library.

import { onFailure } from '../engine/errors.js';

/** As the platform has them before a program changes them. */
const { captureStackTrace, prepareStackTrace } = Error;

/**
 * Begins the stack of each error at the caller. `all` has the exports of the entry. `vjp` and `trace` call other operators. A function that is not on
 * the stack, such as an async one that waits, would leave no frame. The source line that Node prints above an uncaught error stays the
 * library's: it is where `throw` ran.
 */
export function beginStacksAtCaller(all) {
  onFailure((error, op) => {
    if (!captureStackTrace || Error.prepareStackTrace !== prepareStackTrace) return; // to read a stack may run the caller's code
    const { stack } = error;
    for (const each of [functionOf(all, op), all.vjp, all.trace]) {
      if (typeof each !== 'function') continue;
      captureStackTrace(error, each);
      if (/\n\s+at /.test(error.stack)) return;
    }
    error.stack = stack;
  });
}

/** The function among the exports with a name such as `Tensor.scatter_`, which errors begin with; undefined if there is no such function. */
function functionOf(all, op) {
  const [owner, name] = op.split('.');
  const { prototype = {} } = all[owner] ?? {};
  return name === undefined ? all[owner] : (Object.getOwnPropertyDescriptor(prototype, name)?.value ?? Object.getOwnPropertyDescriptor(all[owner] ?? {}, name)?.value);
}
