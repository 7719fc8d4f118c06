// The function trace: each write or read of a call. types.d.ts says what it does.

import { operatorOf } from '../arguments/arguments.js';
import { operatorsWhere } from '../arguments/operators.js';
import { readBehind } from '../arguments/readers.js';
import { DTYPE_OF, requireStart, view, word } from '../engine/engine.js';
import { isTensor, stranger } from '../engine/handles.js';
import { ADDRESS, DESTINATION_RANK, DTYPES, INDEX_RANK, NO_SOURCE, SOURCE_RANK, STEPS, VALUES } from '../engine/wire.js';
import { traceGather, traceScatter } from './indexed.js';
import { tensorOf } from './tensor.js';

/** The function that traces, by the `run` of an operator. */
const runs = { scatter: traceScatter, rows: traceScatter, gather: traceGather };
const traced = /* @__PURE__ */ operatorsWhere(({ run }) => run in runs);

/** Runs the operator `name` on a copy of the tensor `self`, and returns its result with a step for each write or read. */
export function trace(name, self, ...args) {
  const op = 'trace';
  requireStart(op);
  if (!isTensor(self)) throw stranger(op, 'self', self);
  const operator = operatorOf(op, name, traced);
  const { result, steps } = runs[operator.row.run](operator.op, self, readBehind(operator, args), describeSteps);
  return { steps, result: tensorOf(result) };
}

/**
 * The handle of a result, and the steps of the report that Rust has just made, read before the call ends. `dtype` is the number of the result's.
 * A step of a scatter has three values (`valuesPerStep`), one of a gather one. The block says where the coordinates and the values are: all
 * of the first step, then all of the second and so on.
 */
function describeSteps(result, dtype, valuesPerStep) {
  const count = word(STEPS);
  const ranks = [INDEX_RANK, SOURCE_RANK, DESTINATION_RANK].map(word);
  const places = view(DTYPE_OF.uint32);
  let at = word(ADDRESS) / 4; // where the next coordinate is, in elements of `places`
  const place = (rank) => {
    if (rank === NO_SOURCE) return null;
    at += rank;
    return Array.from(places.subarray(at - rank, at));
  };
  const name = DTYPES[dtype];
  // Rust writes every value in 8 bytes: a 64-bit integer as itself, any other as a float64.
  const values = view(name === 'int64' || name === 'uint64' ? dtype : DTYPE_OF.float64);
  let next = word(VALUES) / 8; // where the next value is, in elements of `values`
  const value = () => (name === 'bool' ? values[next++] !== 0 : values[next++]);
  const steps = Array.from({ length: count }, (_, k) => {
    const [index, source, destination] = ranks.map(place);
    if (valuesPerStep === 1) return { k, index, source, destination, value: value() };
    return { k, index, source, destination, before: value(), operand: value(), after: value() };
  });
  return { result, steps };
}
