// Reductions of neighbouring rows: segment_reduce, with segments by offsets or lengths. types.d.ts describes it.

import * as rust from '#glue';
import { numeric, readOptions } from '../arguments/arguments.js';
import { dtypeOf, madeFrom, operandHandle, OWN_DTYPE, readOperand, scalar } from '../arguments/operands.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { readReduction, readSum } from '../arguments/readers.js';
import { call, requireStart } from '../engine/engine.js';
import { failure, ValueError } from '../engine/errors.js';
import { INDEX, REDUCTIONS } from '../engine/wire.js';
import { tensorOf } from './tensor.js';

export function segment_reduce(data, reduce, options) {
  const op = 'segment_reduce';
  requireStart(op);
  const rows = readOperand(op, 'data', data);
  readReduction(op, reduce); // throws for an unknown word
  const { offsets, lengths, initial, sum } = readOptions(op, options, FUNCTIONS.segment_reduce.options);
  if ((offsets === undefined) === (lengths === undefined)) {
    const code = offsets === undefined ? 'missing-argument' : 'invalid-argument';
    throw failure(ValueError, code, op, 'segments are given by offsets or by lengths, one of them', { argument: 'offsets' });
  }
  if (initial !== undefined) numeric(op, 'initial', initial);
  const isExact = readSum(op, sum) !== 0;
  const name = offsets === undefined ? 'lengths' : 'offsets';
  const segments = readOperand(op, name, offsets ?? lengths);
  return tensorOf(
    call(op, () => {
      const table = operandHandle(op, 'data', rows, OWN_DTYPE);
      const segmentsHandle = operandHandle(op, name, segments, INDEX);
      const [kind, value] = initial === undefined ? [0, 0] : scalar(op, 'initial', initial, dtypeOf(table));
      const [reduction, areOffsets, hasInitial] = [REDUCTIONS.findIndex(([word]) => word === reduce), name === 'offsets', initial !== undefined];
      const out = rust.segment_reduce(table, reduction, areOffsets, segmentsHandle, hasInitial, kind, value, isExact);
      return madeFrom(op, out, segments);
    }),
  );
}
