// Runs operators by their rows: all but scatters, gathers and operations on two tensors. types.d.ts describes each operator.
//
// Errors begin with `op`, the name of the operator.

import * as rust from '#glue';
import { passRow, readRow } from '../arguments/kinds.js';
import { withOriginal } from '../arguments/operands.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { caught, enter, invoke, lastError, leave, made, requireStart, word } from '../engine/engine.js';
import { handle } from '../engine/handles.js';
import { RESULTS } from '../engine/wire.js';
import { tensorOf } from './tensor.js';

/**
 * The results of a call as tensors, from the handle of the first one, within the call. Until it ends the guard guarantees room on the stack, so
 * each handle gets an owner. An error about one of the operands `indices` names the value that the caller gave.
 */
export function results(op, first, indices) {
  if (first === 0) {
    const error = lastError(op);
    throw withOriginal(error, indices?.find(({ argument }) => argument === error.argument));
  }
  const count = word(RESULTS);
  const tensors = [tensorOf(made(op, first))];
  while (tensors.length < count) tensors.push(tensorOf(made(op, rust.next_result())));
  return tensors;
}

/** The results of a call that `readRow` returned; `self` is the tensor of a method. */
export function run(op, read, self) {
  enter(op);
  try {
    passRow(op, read, self === undefined ? undefined : handle(op, 'this', self));
    return results(op, invoke(op, read.verb), read.indices);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/** The results of a method on `self` with the arguments `given`. */
export const runMethod = (op, row, self, ...given) => run(op, readRow(op, row, given), self);

/** The results of a function with the arguments `given`. */
export function runFunction(op, ...given) {
  requireStart(op);
  return run(op, readRow(op, FUNCTIONS[op], given));
}
