// Operations on two tensors, and activations: the methods mul and its siblings, the functions with Paddle's alignment, and activate. types.d.ts
// describes each.
//
// Errors begin with `op`, the name of the operator. `args` is as `readPair` returns it.

import * as rust from '#glue';
import { factorHandle, operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { readActivate, readAligned, readPair } from '../arguments/readers.js';
import { CALL, call, lastError, made, requireStart } from '../engine/engine.js';
import { handle, kindOf, TENSOR } from '../engine/handles.js';
import { addRows, labelsOf, tensorOf } from './tensor.js';

/** The handle of the result for a first operand with the handle `first`, within a call. */
function combined(op, first, { factor, name, axis, activation, rounding }) {
  return made(op, rust.elementwise(CALL[op], first, factorHandle(op, name, factor, first), axis, activation, rounding));
}

const combine = (op, self, args) => call(op, () => combined(op, handle(op, 'this', self), args));

function combineInto(op, self, { factor, name, rounding }) {
  call(op, () => {
    const tensor = handle(op, 'this', self);
    if (!rust.elementwise_in_place(CALL[op], tensor, factorHandle(op, name, factor, tensor), rounding)) throw lastError(op);
  });
}

addRows('pair', (op, row, name, intoCopy) => ({
  method(other, options) {
    const args = readPair(op, row, other, options);
    if (intoCopy) return tensorOf(combine(op, this, args));
    combineInto(op, this, args);
    return this;
  },
}));

/** The level-of-detail offsets of an operand that was read; undefined where it is no tensor. */
const lodOf = (operand) => (kindOf(operand) === TENSOR ? labelsOf(operand).lod : undefined);

/**
 * The public function for a row of FUNCTIONS that combines two tensors. The result has the level-of-detail offsets of x, and the name in the
 * options. It gets its name from the property, which a minifier does not rename.
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
export function activate(x, act, options) {
  const op = 'activate';
  return combineWith(op, x, () => readActivate(op, act, options));
}
