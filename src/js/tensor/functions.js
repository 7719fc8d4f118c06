// The functions on rows, and elementwise_mul. types.d.ts describes each public function.
//
// Errors begin with `op`, the name of the function.

import * as rust from '#glue';
import { readElementwise } from '../arguments/activations.js';
import { refuseOptions } from '../arguments/arguments.js';
import { factorHandle, operandHandle, OWN_DTYPE, readOperand, readValue } from '../arguments/operands.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { readRows } from '../arguments/readers.js';
import { CALL, call, made, requireStart } from '../engine/engine.js';
import { isTensor, kindOf, stranger, TENSOR } from '../engine/handles.js';
import { IN_PLACE, scatter } from './indexed.js';
import { labelsOf, tensorOf } from './tensor.js';

/**
 * The public function for a row of FUNCTIONS. It updates rows of a Parameter or a Tensor in place, and returns the tensor. It gets its
 * name from the property, which a minifier does not rename. Refuses options if its row has none.
 */
function rowsFunction(op) {
  const row = FUNCTIONS[op];
  const [name] = row.args; // what errors call the tensor
  const functions = {
    [op]: (x, indices, updates, options) => {
      requireStart(op);
      if (row.options.length === 0) refuseOptions(op, options, 'a mode is given to IndexPlan.nd, whose plan stands in the place of indices');
      if (!isTensor(x)) throw stranger(op, name, x, TENSOR, 'a Parameter or a Tensor');
      scatter(op, x, name, readRows(op, row, indices, updates, options), IN_PLACE);
      return x;
    },
  };
  return functions[op];
}

export const scatter_mul = rowsFunction('scatter_mul');
export const scatter_update = rowsFunction('scatter_update');
export const scatter_add = rowsFunction('scatter_add');
export const scatter_sub = rowsFunction('scatter_sub');
export const scatter_div = rowsFunction('scatter_div');
export const scatter_max = rowsFunction('scatter_max');
export const scatter_min = rowsFunction('scatter_min');

/** The result has the level-of-detail offsets of x, and the name in the options. */
export function elementwise_mul(x, y, ...options) {
  const op = 'elementwise_mul';
  const { axis, activation, name } = readElementwise(op, options);
  const left = readOperand(op, 'x', x);
  const right = readValue(op, 'y', y);
  const lod = kindOf(left) === TENSOR ? labelsOf(left).lod : undefined;
  const created = call(op, () => {
    const first = operandHandle(op, 'x', left, OWN_DTYPE);
    return made(op, rust.multiply(CALL[op], first, factorHandle(op, 'y', right, first), axis, activation));
  });
  return tensorOf(created, { name, lod });
}
