// Functions of the caller that must finish before they return.
//
// Errors begin with `op` and name the `argument`. `why` says why the function must not wait; it ends the text.

import { failure, readable, wrongKind } from '../engine/errors.js';

/** The platform's own method: a function may have its own. */
const { toString: tagOf } = Object.prototype;

/** The kinds of functions that return before they finish, by their tags. */
const suspendedKinds = new Map([
  ['[object AsyncFunction]', 'an async function'],
  ['[object GeneratorFunction]', 'a generator'],
  ['[object AsyncGeneratorFunction]', 'an async generator'],
]);

const refused = (op, argument, what, why) => failure(TypeError, 'invalid-argument', op, `${argument} ${what}: ${why}`, { argument });

/** Throws unless a value is a function, and for a function that returns before it finishes. */
export function checkCallback(op, argument, callback, why) {
  if (typeof callback !== 'function') throw wrongKind(op, argument, 'a function', callback);
  const suspended = suspendedKinds.get(readable(op, argument, () => tagOf.call(callback)));
  if (suspended !== undefined) throw refused(op, argument, `is ${suspended}`, why);
}

export function checkReturned(op, argument, result, why) {
  if (!readable(op, argument, () => typeof result?.then === 'function')) return;
  // Nobody waits for this promise: without a handler its rejection would count as unhandled.
  Promise.resolve(result).catch(() => {});
  throw refused(op, argument, 'returned a promise', why);
}
