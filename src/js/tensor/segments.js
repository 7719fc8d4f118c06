// Reductions of neighbouring rows: segment_reduce, with segments by offsets or lengths. types.d.ts describes it. tools/package.mjs defines
// HAS: for each family whether the entry has it.

import * as rust from '#glue';
import { madeFrom, operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { segmentsOf } from '../arguments/passed.js';
import { readSegments } from '../arguments/readers.js';
import { call, made, requireStart } from '../engine/engine.js';
import { failure, ValueError } from '../engine/errors.js';
import { tensorOf } from './tensor.js';

export function segment_reduce(data, reduce, options) {
  const op = 'segment_reduce';
  requireStart(op);
  const rows = readOperand(op, 'data', data);
  const args = readSegments(op, reduce, options);
  if (HAS.groups && args.hasWinners) return withWinners(op, rows, args);
  return tensorOf(
    call(op, () => {
      const table = operandHandle(op, 'data', rows, OWN_DTYPE);
      return madeFrom(op, rust.segment_reduce(table, ...segmentsOf(op, table, args), args.isExact), args.segments);
    }),
  );
}

/** A reduction by a maximum or minimum with the rows that won: `{ values, indices }`. */
function withWinners(op, rows, args) {
  // Both become tensors before the call ends: until then the guard guarantees room on the stack, so each handle gets an owner.
  return call(op, () => {
    const table = operandHandle(op, 'data', rows, OWN_DTYPE);
    if (args.isExact) throw failure(ValueError, 'invalid-argument', op, "sum is 'exact', and a call with return_indices is no sum: leave sum out", { argument: 'sum' });
    const values = tensorOf(madeFrom(op, rust.segment_winners(table, ...segmentsOf(op, table, args)), args.segments));
    return { values, indices: tensorOf(made(op, rust.second_result())) };
  });
}
