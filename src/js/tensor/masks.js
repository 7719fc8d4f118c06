// Masks: the comparisons lt to ne, isnan, the operations on truth values, and the choice by a mask. types.d.ts describes them.

import { readOptions } from '../arguments/arguments.js';
import { dtypeOf, operandHandle, OWN_DTYPE, readOperand, targetOf, termsOf, truthHandle } from '../arguments/operands.js';
import { METHODS } from '../arguments/operators.js';
import { add, begin, call, DTYPE_OF, invoke, made, requireStart } from '../engine/engine.js';
import { failure } from '../engine/errors.js';
import { RUN } from '../engine/wire.js';
import { runMethod } from './own.js';
import { addMethods, tensorOf } from './tensor.js';

const run = (name, self, ...given) => runMethod(`Tensor.${name}`, METHODS[name], self, ...given)[0];

const methods = {
  lt(other, options) {
    return run('lt', this, other, options);
  },
  le(other, options) {
    return run('le', this, other, options);
  },
  gt(other, options) {
    return run('gt', this, other, options);
  },
  ge(other, options) {
    return run('ge', this, other, options);
  },
  eq(other, options) {
    return run('eq', this, other, options);
  },
  ne(other, options) {
    return run('ne', this, other, options);
  },
  isnan(options) {
    return run('isnan', this, options);
  },
  logical_and(other, options) {
    return run('logical_and', this, other, options);
  },
  logical_or(other, options) {
    return run('logical_or', this, other, options);
  },
  logical_not(options) {
    return run('logical_not', this, options);
  },
};
if (HAS.masks) addMethods(methods); // warm_up.js imports this file in every build

/** Whether an operand takes the dtype of another one. */
const isPlain = (operand) => targetOf(operand, DTYPE_OF.bool) !== OWN_DTYPE;

export function where(mask, x, y, options) {
  const op = 'where';
  requireStart(op);
  const truth = readOperand(op, 'mask', mask);
  const one = readOperand(op, 'x', x);
  const other = readOperand(op, 'y', y);
  readOptions(op, options, []);
  if (isPlain(one) && isPlain(other)) {
    throw failure(TypeError, 'dtype-mismatch', op, 'x and y are plain values, and the result has no dtype: make one of them a tensor, new Tensor(x)', { argument: 'y' });
  }
  return call(op, () => {
    const chosen = truthHandle(op, 'mask', truth);
    // A plain value is made last, with the dtype of the other one.
    const first = isPlain(one) ? 0 : operandHandle(op, 'x', one, OWN_DTYPE);
    const second = operandHandle(op, 'y', other, isPlain(other) ? termsOf(dtypeOf(first)) : OWN_DTYPE);
    const xHandle = first || operandHandle(op, 'x', one, termsOf(dtypeOf(second)));
    begin();
    add(chosen);
    add(xHandle);
    add(second);
    return tensorOf(made(op, invoke(op, RUN)));
  });
}
