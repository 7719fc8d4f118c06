// Sorts, distinct elements and searches in sorted edges: the methods argsort and sort, and the functions unique and searchsorted. types.d.ts
// describes them.
//
// Errors begin with `op`, the name of the operator.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { flag, integer, readOptions } from '../arguments/arguments.js';
import { dtypeOf, operandHandle, OWN_DTYPE, readOperand, targetOf } from '../arguments/operands.js';
import { FUNCTIONS, METHODS } from '../arguments/operators.js';
import { call, DTYPE_OF, made, requireStart } from '../engine/engine.js';
import { handle, keep } from '../engine/handles.js';
import { resolved } from '../engine/task.js';
import { addMethods, tensorOf } from './tensor.js';

const { float16: FLOAT16, float32: FLOAT32, float64: FLOAT64 } = DTYPE_OF;

/** The arguments of a sort: along the last dimension if `dim` is undefined. */
function readSort(op, dim = -1, { descending = false } = {}) {
  flag(op, 'descending', descending);
  return { dim: integer(op, 'dim', dim), descending };
}

const methods = {
  argsort(dim, options) {
    const op = 'Tensor.argsort';
    const read = readSort(op, dim, readOptions(op, options, METHODS.argsort.options));
    return tensorOf(call(op, () => made(op, rust.argsort(handle(op, 'this', this), read.dim, read.descending))));
  },

  sort(dim, options) {
    const op = 'Tensor.sort';
    const read = readSort(op, dim, readOptions(op, options, METHODS.sort.options));
    // Both become tensors before the call ends: until then the guard guarantees room on the stack, so each handle gets an owner.
    return call(op, () => {
      const values = tensorOf(made(op, rust.sort(handle(op, 'this', this), read.dim, read.descending)));
      return { values, indices: tensorOf(made(op, rust.second_result())) };
    });
  },
};
if (HAS.sort) addMethods(methods); // warm_up.js imports this file in every build

export function unique(x) {
  const op = 'unique';
  requireStart(op);
  const operand = readOperand(op, 'x', x);
  // All become tensors before the call ends: until then the guard guarantees room on the stack, so each handle gets an owner.
  const results = call(op, () => {
    const all = [tensorOf(made(op, rust.unique(operandHandle(op, 'x', operand, OWN_DTYPE))))];
    for (let next = rust.unique_next(); next !== 0; next = rust.unique_next()) all.push(tensorOf(made(op, next)));
    return all;
  });
  // A scope around this call must not free what the caller has yet to wait for.
  results.forEach(keep);
  const [values, index, inverse, counts, count] = results;
  return count === undefined ? resolved({ values, index, inverse, counts }) : shortened(op, results);
}

/** A promise of the results of `unique` on a GPU, whose lists have as many elements as x until their number was read. */
async function shortened(op, [values, index, inverse, counts, count]) {
  try {
    const number = new BigInt64Array(1);
    await gpu.readInto(op, handle(op, 'x', count), number);
    const first = (list) => keep(tensorOf(made(op, rust.first_elements(handle(op, 'x', list), Number(number[0])))));
    return call(op, () => ({ values: first(values), index: first(index), inverse, counts: first(counts) }));
  } catch (error) {
    inverse.dispose();
    throw error;
  } finally {
    for (const each of [values, index, counts, count]) each.dispose();
  }
}

export function searchsorted(edges, x, options) {
  const op = 'searchsorted';
  requireStart(op);
  const row = readOperand(op, 'edges', edges);
  const searched = readOperand(op, 'x', x);
  const { right = false } = readOptions(op, options, FUNCTIONS.searchsorted.options);
  flag(op, 'right', right);
  return tensorOf(
    call(op, () => {
      // A plain array is made last, with the dtype of the other operand.
      const edgesFirst = targetOf(row, FLOAT32) === OWN_DTYPE ? operandHandle(op, 'edges', row, OWN_DTYPE) : 0;
      const xHandle = operandHandle(op, 'x', searched, numbersFor(searched, edgesFirst));
      const edgesHandle = edgesFirst || operandHandle(op, 'edges', row, numbersFor(row, targetOf(searched, FLOAT32) === OWN_DTYPE ? xHandle : 0));
      return made(op, rust.searchsorted(edgesHandle, xHandle, right));
    }),
  );
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
