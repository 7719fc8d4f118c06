// Softmax and logsumexp over groups of entries, and the product of a sparse matrix and a dense one: scatter_softmax, scatter_logsumexp and spmm.
// types.d.ts describes them.

import * as rust from '#glue';
import { madeFrom, operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { groupsOf, madeOfSpmm, spmmOf } from '../arguments/passed.js';
import { readGroups, readSpmm } from '../arguments/readers.js';
import { CALL, call, requireStart } from '../engine/engine.js';
import { tensorOf } from './tensor.js';

/** The result of the operator `op` on src, with the arguments behind it. */
function overGroups(op, src, ...args) {
  requireStart(op);
  const entries = readOperand(op, 'src', src);
  const read = readGroups(op, ...args);
  return tensorOf(
    call(op, () => {
      const tensor = operandHandle(op, 'src', entries, OWN_DTYPE);
      return madeFrom(op, rust.groups(CALL[op], tensor, ...groupsOf(op, read)), read.index);
    }),
  );
}

export function scatter_softmax(src, index, dim, options) {
  return overGroups('scatter_softmax', src, index, dim, options);
}

export function scatter_logsumexp(src, index, dim, options) {
  return overGroups('scatter_logsumexp', src, index, dim, options);
}

export function spmm(rows, columns, values, dense, options) {
  const op = 'spmm';
  requireStart(op);
  const args = readSpmm(op, rows, columns, values, dense, options);
  return tensorOf(
    call(op, () => {
      const { operands, options: last } = spmmOf(op, args);
      return madeOfSpmm(op, rust.spmm(...operands, ...last), args);
    }),
  );
}
