// What an operator and its gradient pass to Rust, made from the arguments that their reader returned (readers.js). The files of operators
// export operators alone, so this is not there.
//
// Everything runs within a call: between `enter` and `leave` of engine.js. Errors begin with `op`, the name of the operator.

import { lastError, made } from '../engine/engine.js';
import { handle, kindOf, PLAN } from '../engine/handles.js';
import { INDEX } from '../engine/wire.js';
import { dtypeOf, indexOperand, operandHandle, OWN_DTYPE, scalar, termsOf, withOriginal } from './operands.js';

/** Of scatter_softmax and scatter_logsumexp, read by `readGroups`: the handle of the index, its mode, dim and size. */
export const groupsOf = (op, read) => [indexOperand(op, 'index', read.index, read), read.mode, read.dim, read.size];

/**
 * Of segment_reduce on the tensor `table`, a handle, read by `readSegments`. The last three say whether there is an initial value, its kind and
 * its value.
 */
export function segmentsOf(op, table, { reduction, name, segments, initial }) {
  const segmentsHandle = operandHandle(op, name, segments, INDEX);
  const [kind, value] = initial === undefined ? [0, 0] : scalar(op, 'initial', initial, dtypeOf(table));
  return [reduction, name === 'offsets', segmentsHandle, initial !== undefined, kind, value];
}

/** The handle of the rows or columns of spmm, an index or a plan. */
const sideOf = (op, name, index, how) => (kindOf(index) === PLAN ? handle(op, name, index, PLAN) : indexOperand(op, name, index, how));

/** Of spmm, read by `readSpmm`: the operands and the options. */
export function spmmOf(op, { rows, columns, values, dense, size, reduction, isExact, how }) {
  const table = operandHandle(op, 'dense', dense, OWN_DTYPE);
  // Typed arrays and tensors keep their dtype: Rust refuses another one than that of dense.
  const terms = values === undefined ? 0 : operandHandle(op, 'values', values, termsOf(dtypeOf(table)));
  const operands = [sideOf(op, 'rows', rows, how), sideOf(op, 'columns', columns, how), terms, table];
  return { operands, options: [size, reduction, isExact, how.mode] };
}

/** As `made` of engine.js, for spmm: an error about an index names the value that the caller gave. */
export function madeOfSpmm(op, newHandle, { rows, columns }) {
  if (newHandle !== 0) return made(op, newHandle);
  const error = lastError(op);
  throw withOriginal(error, error.argument === 'columns' ? columns : rows);
}
