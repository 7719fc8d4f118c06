// Runs argsort and sort. types.d.ts describes them.
//
// Errors begin with `op`, the name of the operator.

import * as rust from '#glue';
import { flag, integer } from '../arguments/arguments.js';
import { call, made } from '../engine/engine.js';
import { handle } from '../engine/handles.js';

/** The arguments of a sort: along the last dimension if `dim` is undefined. */
export function readSort(op, dim = -1, { descending = false } = {}) {
  flag(op, 'descending', descending);
  return { dim: integer(op, 'dim', dim), descending };
}

/** The positions of the elements of a tensor in their order, as the handle of a new tensor. */
export const positions = (op, self, { dim, descending }) => call(op, () => made(op, rust.argsort(handle(op, 'this', self), dim, descending)));

/**
 * The elements of a tensor in their order, and their positions. `own` makes the owner of a handle. It does so before the call ends: until then the
 * guard guarantees room on the stack.
 */
export const sorted = (op, self, { dim, descending }, own) =>
  call(op, () => {
    const values = own(made(op, rust.sort(handle(op, 'this', self), dim, descending)));
    return { values, indices: own(made(op, rust.second_result())) };
  });
