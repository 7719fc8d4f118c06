// The product of a sparse matrix and a dense one: spmm. types.d.ts describes it.

import * as rust from '#glue';
import { dtypeOf, indexOperand, operandHandle, OWN_DTYPE, termsOf, withOriginal } from '../arguments/operands.js';
import { readSpmm } from '../arguments/readers.js';
import { call, lastError, made, requireStart } from '../engine/engine.js';
import { handle, kindOf, PLAN } from '../engine/handles.js';
import { tensorOf } from './tensor.js';

/** The handle of the rows or columns, an index or a plan, within a call. */
const indexOf = (op, name, index, how) => (kindOf(index) === PLAN ? handle(op, name, index, PLAN) : indexOperand(op, name, index, how));

/** The operands and the options of a call, as Rust receives them, within a call. `args` is as `readSpmm` returns it. */
export function spmmOf(op, { rows, columns, values, dense, size, reduction, isExact, how }) {
  const table = operandHandle(op, 'dense', dense, OWN_DTYPE);
  // Typed arrays and tensors keep their dtype: Rust refuses another one than that of dense.
  const terms = values === undefined ? 0 : operandHandle(op, 'values', values, termsOf(dtypeOf(table)));
  const operands = [indexOf(op, 'rows', rows, how), indexOf(op, 'columns', columns, how), terms, table];
  return { operands, options: [size, reduction, isExact, how.mode] };
}

/** As `made` of engine.js: an error about an index names the value that the caller gave. */
export function madeOf(op, newHandle, { rows, columns }) {
  if (newHandle !== 0) return made(op, newHandle);
  const error = lastError(op);
  throw withOriginal(error, error.argument === 'columns' ? columns : rows);
}

export function spmm(rows, columns, values, dense, options) {
  const op = 'spmm';
  requireStart(op);
  const args = readSpmm(op, rows, columns, values, dense, options);
  return tensorOf(
    call(op, () => {
      const { operands, options: last } = spmmOf(op, args);
      return madeOf(op, rust.spmm(...operands, ...last), args);
    }),
  );
}
