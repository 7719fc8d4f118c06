// Softmax and logsumexp over groups of entries: scatter_softmax and scatter_logsumexp. types.d.ts describes them.

import * as rust from '#glue';
import { indexOperand, madeFrom, operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { readGroups } from '../arguments/readers.js';
import { CALL, call, requireStart } from '../engine/engine.js';
import { tensorOf } from './tensor.js';

/** The index of a call by `readGroups`, as a handle, within a call. */
export const groupsIndex = (op, { index }) => indexOperand(op, 'index', index, 0);

/** The result of the operator `op` on src, with the arguments behind it. */
function overGroups(op, src, ...args) {
  requireStart(op);
  const entries = readOperand(op, 'src', src);
  const read = readGroups(op, ...args);
  return tensorOf(
    call(op, () => {
      const tensor = operandHandle(op, 'src', entries, OWN_DTYPE);
      return madeFrom(op, rust.groups(CALL[op], tensor, groupsIndex(op, read), read.dim, read.size), read.index);
    }),
  );
}

export function scatter_softmax(src, index, dim) {
  return overGroups('scatter_softmax', src, index, dim);
}

export function scatter_logsumexp(src, index, dim, options) {
  return overGroups('scatter_logsumexp', src, index, dim, options);
}
