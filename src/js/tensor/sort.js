// Sorts, distinct elements and searches in sorted edges: the methods argsort and sort, and the functions unique and searchsorted. types.d.ts
// describes them.
//
// Errors begin with `op`, the name of the operator.

import { flag, positionDtype, readOptions } from '../arguments/arguments.js';
import { readRow } from '../arguments/kinds.js';
import { dtypeOf, operandHandle, OWN_DTYPE, readOperand, targetOf } from '../arguments/operands.js';
import { FUNCTIONS, METHODS } from '../arguments/operators.js';
import { add, begin, call, DTYPE_OF, invoke, made, requireStart } from '../engine/engine.js';
import { awaited } from '../engine/handles.js';
import { resolved } from '../engine/task.js';
import { RUN } from '../engine/wire.js';
import { shortened } from './counted.js';
import { run, runFunction, runMethod } from './own.js';
import { addMethods, tensorOf } from './tensor.js';

const { float16: FLOAT16, float32: FLOAT32, float64: FLOAT64 } = DTYPE_OF;

const methods = {
  argsort(dim, options) {
    return runMethod('Tensor.argsort', METHODS.argsort, this, dim, options)[0];
  },

  sort(dim, options) {
    const [values, indices] = runMethod('Tensor.sort', METHODS.sort, this, dim, options);
    return { values, indices };
  },
};
if (HAS.sort) addMethods(methods); // warm_up.js imports this file in every build

export function unique(x, options) {
  const results = runFunction('unique', x, options);
  // A scope around this call must not free what the caller has yet to wait for.
  results.forEach(awaited);
  const [values, index, inverse, counts, count] = results;
  return count === undefined ? resolved({ values, index, inverse, counts }) : counted('unique', results);
}

export function unique_sync(x, options) {
  const op = 'unique_sync';
  requireStart(op);
  const [values, index, inverse, counts] = run(op, readRow(op, FUNCTIONS.unique, [x, options]));
  return { values, index, inverse, counts };
}

/** A promise of the results of `unique` on a GPU, whose lists have as many elements as x until their number was read. */
async function counted(op, [all, places, inverse, numbers, count]) {
  try {
    const [values, index, counts] = await shortened(op, [all, places, numbers], count, new BigInt64Array(1));
    return { values, index, inverse, counts };
  } catch (error) {
    inverse.dispose();
    throw error;
  }
}

export function searchsorted(edges, x, options) {
  const op = 'searchsorted';
  requireStart(op);
  const row = readOperand(op, 'edges', edges);
  const searched = readOperand(op, 'x', x);
  const { right = false, dtype } = readOptions(op, options, FUNCTIONS.searchsorted.options);
  flag(op, 'right', right);
  const found = dtype === undefined ? OWN_DTYPE : positionDtype(op, dtype);
  return call(op, () => {
    // A plain array is made last, with the dtype of the other operand.
    const edgesFirst = targetOf(row, FLOAT32) === OWN_DTYPE ? operandHandle(op, 'edges', row, OWN_DTYPE) : 0;
    const xHandle = operandHandle(op, 'x', searched, numbersFor(searched, edgesFirst));
    const edgesHandle = edgesFirst || operandHandle(op, 'edges', row, numbersFor(row, targetOf(searched, FLOAT32) === OWN_DTYPE ? xHandle : 0));
    begin();
    add(edgesHandle);
    add(xHandle);
    add(right);
    add(found);
    return tensorOf(made(op, invoke(op, RUN)));
  });
}

/**
 * The target of an operand that is searched with a tensor of the handle `other`, or with another plain array for 0. Numbers in plain arrays become
 * floats of the other's dtype, so that 0.1 is equal to 0.1, or float64, which holds more of them.
 */
function numbersFor(operand, other) {
  if (targetOf(operand, FLOAT32) === OWN_DTYPE || operand.own !== FLOAT32) return OWN_DTYPE;
  const dtype = other === 0 ? FLOAT64 : dtypeOf(other);
  return dtype >= FLOAT16 ? dtype : FLOAT64; // the floats are the last dtypes
}
