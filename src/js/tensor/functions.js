// The functions on rows, those on two tensors with Paddle's alignment, and activate. types.d.ts describes each public function.
//
// Errors begin with `op`, the name of the function.

import { refuseOptions } from '../arguments/arguments.js';
import { operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { readActivate, readAligned, readRows } from '../arguments/readers.js';
import { call, requireStart } from '../engine/engine.js';
import { isTensor, kindOf, stranger, TENSOR } from '../engine/handles.js';
import { IN_PLACE, scatter } from './indexed.js';
import { combined } from './pairs.js';
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

/** The level-of-detail offsets of an operand that was read; undefined where it is no tensor. */
const lodOf = (operand) => (kindOf(operand) === TENSOR ? labelsOf(operand).lod : undefined);

/**
 * The public function for a row of FUNCTIONS that combines two tensors. The result has the level-of-detail offsets of x, and the name in the
 * options. It gets its name as `rowsFunction` does.
 */
function alignedFunction(op) {
  const functions = {
    [op]: (x, y, ...options) => combineWith(op, x, () => readAligned(op, y, ...options)),
  };
  return functions[op];
}

/** Combines x with what `read` returns, which reads the other arguments after x. */
function combineWith(op, x, read) {
  requireStart(op);
  const left = readOperand(op, 'x', x);
  const args = read();
  const created = call(op, () => combined(op, operandHandle(op, 'x', left, OWN_DTYPE), args));
  return tensorOf(created, { name: args.label, lod: lodOf(left) });
}

export const elementwise_mul = alignedFunction('elementwise_mul');
export const elementwise_add = alignedFunction('elementwise_add');
export const elementwise_sub = alignedFunction('elementwise_sub');
export const elementwise_div = alignedFunction('elementwise_div');
export const elementwise_max = alignedFunction('elementwise_max');
export const elementwise_min = alignedFunction('elementwise_min');

/** Applies an activation to x, as the product with 1 does. */
export function activate(x, act) {
  const op = 'activate';
  return combineWith(op, x, () => readActivate(op, act));
}
