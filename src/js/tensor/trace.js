// The function trace: each write or read of a call. types.d.ts describes it.

import { operatorOf } from '../arguments/arguments.js';
import { dtypeOf } from '../arguments/operands.js';
import { operatorsWhere } from '../arguments/operators.js';
import { readBehind } from '../arguments/readers.js';
import { beginWith, call, DTYPE_OF, invoke, requireStart, view, word } from '../engine/engine.js';
import { handle, isTensor, stranger } from '../engine/handles.js';
import { ADDRESS, DESTINATION_RANK, DTYPES, INDEX_RANK, NO_SOURCE, SOURCE_RANK, STEPS, TRACE, VALUES } from '../engine/wire.js';
import { argumentsOfGather, argumentsOfScatter, fitted, indicesOf } from './indexed.js';
import { results } from './own.js';

/** The operators that `trace` knows, made by the first call: a call at the top of a module would keep bundlers from omitting it. */
let traced;

/** Runs the operator `name` on a copy of the tensor `self`, and returns its result with a step for each write or read. */
export function trace(name, self, ...args) {
  const op = 'trace';
  requireStart(op);
  if (!isTensor(self)) throw stranger(op, 'self', self);
  traced ??= operatorsWhere(({ run }) => ['scatter', 'rows', 'gather'].includes(run));
  const operator = operatorOf(op, name, traced);
  const { op: tracedOp, row } = operator;
  const read = readBehind(operator, args);
  const areReads = row.run === 'gather';
  return call(tracedOp, () => {
    const tensor = handle(op, 'self', self);
    const dtype = dtypeOf(tensor);
    beginWith((areReads ? argumentsOfGather : argumentsOfScatter)(tracedOp, fitted(tracedOp, read, tensor), tensor));
    const [result] = results(tracedOp, invoke(tracedOp, TRACE), indicesOf(read));
    return { steps: readSteps(dtype, areReads), result };
  });
}

/**
 * Reads the steps of Rust's newest report, before the call ends. `dtype` is the number of the result's dtype. A step of a scatter has
 * three values, a read has one. The block has the addresses of the coordinates and of the values: all of the first step, then all of the
 * second, and so on.
 */
function readSteps(dtype, areReads) {
  const count = word(STEPS);
  const ranks = [INDEX_RANK, SOURCE_RANK, DESTINATION_RANK].map(word);
  const places = view(DTYPE_OF.uint32);
  let at = word(ADDRESS) / 4; // the next coordinate, in elements of `places`
  const place = (rank) => {
    if (rank === NO_SOURCE) return null;
    at += rank;
    return Array.from(places.subarray(at - rank, at));
  };
  const name = DTYPES[dtype];
  // Rust writes every value in 8 bytes: a 64-bit integer unchanged, any other as a float64.
  const values = view(name === 'int64' || name === 'uint64' ? dtype : DTYPE_OF.float64);
  let next = word(VALUES) / 8; // the next value, in elements of `values`
  const value = () => (name === 'bool' ? values[next++] !== 0 : values[next++]);
  return Array.from({ length: count }, (_, k) => {
    const [index, source, destination] = ranks.map(place);
    if (areReads) return { k, index, source, destination, value: value() };
    return { k, index, source, destination, before: value(), operand: value(), after: value() };
  });
}
