// Softmax and logsumexp over groups of entries: scatter_softmax and scatter_logsumexp. types.d.ts describes them.

import * as rust from '#glue';
import { indexOperand, madeFrom, operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { readGroups } from '../arguments/readers.js';
import { CALL, call, requireStart } from '../engine/engine.js';
import { tensorOf } from './tensor.js';

/** What a call needs of `readGroups`, within a call: the handle of the index, its mode, dim and size. */
export const groupsOf = (op, read) => [indexOperand(op, 'index', read.index, read), read.mode, read.dim, read.size];

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
