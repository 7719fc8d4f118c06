// Lent memory: the caller's function works on the memory of tensors itself.
//
// Errors begin with `op`, the name of the function that the caller called. tools/package.mjs defines SHARED: whether the memory is shared with
// threads.

import * as rust from '#glue';
import { refuseOptions } from '../arguments/arguments.js';
import { checkCallback, checkReturned } from '../arguments/callbacks.js';
import { isDetached } from '../engine/arrays.js';
import { CALL, call, detachViews, DTYPE_OF, enter, lastError, leave, requireStart, view, word } from '../engine/engine.js';
import { failure, readable, ValueError, wrongKind } from '../engine/errors.js';
import { handle } from '../engine/handles.js';
import { ADDRESS, DTYPE, LENGTH } from '../engine/wire.js';

/** Why a callback must not wait. */
const NOT_ASYNC = 'what it is given has no elements once it has returned; wait before or afterwards, and write in between';

/** Tensor.with_data: lends the memory of one tensor. */
export function lendOne(op, tensor, callback) {
  return lend(op, [handle(op, 'this', tensor)], callback);
}

/** with_data: lends the memory of several tensors at once. */
export function with_data(tensors, callback, options) {
  const op = 'with_data';
  refuseOptions(op, options);
  requireStart(op);
  const handles = readable(op, 'tensors', () => handlesOf(op, tensors));
  return lend(op, handles, callback);
}

/** The handles of different tensors in an array of the caller. It may have holes and claim any length: the first hole ends the walk. */
function handlesOf(op, tensors) {
  if (!Array.isArray(tensors)) throw wrongKind(op, 'tensors', 'an array of tensors', tensors);
  const places = new Map(); // of handles
  for (let at = 0; at < tensors.length; at++) {
    const one = handle(op, `tensors[${at}]`, tensors[at]);
    if (places.has(one)) {
      const text = `tensors[${places.get(one)}] and tensors[${at}] are the same tensor; name it once, or give its clone()`;
      throw failure(ValueError, 'invalid-argument', op, text, { argument: 'tensors' });
    }
    places.set(one, at);
  }
  return [...places.keys()];
}

/**
 * Calls the caller's function with the memory of tensors on the CPU, as typed arrays, and returns the function's result. The function runs
 * between `enter` and `leave`, so that no call of the library can free or move the memory meanwhile. Afterwards the arrays are detached.
 */
function lend(op, handles, callback) {
  checkCallback(op, 'callback', callback, NOT_ASYNC);
  const [views, bools] = call(op, () => lentViews(op, handles));
  const buffers = views.map(({ buffer }) => buffer); // the callback may hide them behind properties of its own
  enter(op);
  let result;
  try {
    result = callback(...views);
  } finally {
    try {
      if (SHARED) takeBack(op, handles, buffers);
      for (const each of bools) rust.settle_truths(each); // makes 0 or 1 of every byte
      if (!SHARED) detachViews();
    } finally {
      leave();
    }
  }
  checkReturned(op, 'callback', result, NOT_ASYNC);
  return result;
}

/**
 * Lends tensors: returns their memory as typed arrays, and the handles of the bools among them. Within a call. The first pass copies what is
 * shared with other tensors, and the memory may grow meanwhile; the second pass finds nothing to copy.
 */
function lentViews(op, handles) {
  for (const each of handles) if (!rust.lend(each, CALL[op])) throw lastError(op);
  const bools = [];
  const views = handles.map((each) => {
    if (!rust.lend(each, CALL[op])) throw lastError(op);
    if (word(DTYPE) === DTYPE_OF.bool) bools.push(each);
    const memory = view(word(DTYPE));
    const start = word(ADDRESS) / memory.BYTES_PER_ELEMENT;
    const end = start + word(LENGTH) / memory.BYTES_PER_ELEMENT;
    return SHARED ? memory.slice(start, end) : memory.subarray(start, end);
  });
  return [views, bools];
}

/**
 * Copies the buffers of the callback's arrays back to the tensors, and detaches them. A view of shared memory can neither be detached nor
 * given to half of the Web's functions, so the callback got copies. One that it has transferred is lost, as its writes are. Within a call;
 * nothing has moved since the copies were made.
 */
function takeBack(op, handles, buffers) {
  handles.forEach((each, at) => {
    const buffer = buffers[at];
    if (buffer.byteLength === 0 || isDetached(buffer)) return;
    if (!rust.lend(each, CALL[op])) throw lastError(op);
    view(DTYPE_OF.uint8).set(new Uint8Array(buffer), word(ADDRESS));
    structuredClone(buffer, { transfer: [buffer] });
  });
}
