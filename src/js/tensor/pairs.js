// Runs operations on two tensors after readers.js has read their arguments.
//
// Errors begin with `op`, the name of the operator. `args` is as `readPair` returns it.

import * as rust from '#glue';
import { factorHandle } from '../arguments/operands.js';
import { CALL, call, lastError, made } from '../engine/engine.js';
import { handle } from '../engine/handles.js';

/** The handle of the result for a first operand with the handle `first`, within a call. */
export function combined(op, first, { factor, name, axis, activation, rounding }) {
  return made(op, rust.elementwise(CALL[op], first, factorHandle(op, name, factor, first), axis, activation, rounding));
}

/** Combines a tensor with another operand, and returns the handle of the new tensor. */
export const combine = (op, self, args) => call(op, () => combined(op, handle(op, 'this', self), args));

/** Combines a tensor with another operand in place. */
export function combineInto(op, self, { factor, name, rounding }) {
  call(op, () => {
    const tensor = handle(op, 'this', self);
    if (!rust.elementwise_in_place(CALL[op], tensor, factorHandle(op, name, factor, tensor), rounding)) throw lastError(op);
  });
}
