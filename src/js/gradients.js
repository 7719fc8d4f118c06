// Gradients of scatters, gathers and products: the function vjp.

import * as rust from '#glue';
import { operatorOf } from './arguments.js';
import { CALL, call, made, requireStart, word } from './engine.js';
import { handle, kindOf, PLAN } from './handles.js';
import { readElementwise } from './functions.js';
import { indexHandle, scalarFor, sourceHandle } from './indexed.js';
import { dtypeOf, factorHandle, isNumeric, operandHandle, OWN, readOperand, readValue, withOriginal } from './operands.js';
import { readGather, readGatherNd, readIndexAdd, readIndexSelect, readScatter, readScatterAdd, readScatterMul, readScatterNd, readScatterReduce } from './readers.js';
import { adopt } from './tensor.js';
import { IS_OF_TUPLES, NO_ACTIVATION } from './wire.js';

const OP = 'vjp';

/** The handles of self and of the cotangent; arrays for the cotangent take self's dtype. */
function operands(self, cotangent) {
  const table = operandHandle(OP, 'self', self, OWN);
  return [table, operandHandle(OP, 'cotangent', cotangent, dtypeOf(table))];
}

/**
 * Runs a call that returns the first gradient, and keeps the second until it is asked for. Both become tensors before the call ends:
 * until then there is room on the stack, so that none is left behind.
 */
const both = (run, hasSecond) =>
  call(OP, () => {
    const first = adopt(run());
    return [first, hasSecond ? adopt(made(OP, rust.second_gradient())) : undefined];
  });

/** What the values are called: updates at tuples, also at those of a plan, which may be of either kind for `scatter_add`. */
function nameOfSource(op, { index, srcName }) {
  if (op !== 'Tensor.scatter_add' || kindOf(index) !== PLAN) return srcName;
  return call(OP, () => {
    rust.describe_plan(handle(op, 'index', index, PLAN));
    return word(IS_OF_TUPLES) === 1 ? 'updates' : srcName;
  });
}

function ofScatter(op, cotangent, self, args) {
  const { update, form, dim, mode, src, alpha = 1 } = args;
  const srcName = nameOfSource(op, args);
  const isNumber = isNumeric(src);
  const run = () => {
    const [table, weights] = operands(self, cotangent);
    const index = indexHandle(op, args);
    const source = isNumber ? 0 : sourceHandle(op, src, srcName, table);
    const number = isNumber ? scalarFor(op, srcName, src, table) : scalarFor(op, 'alpha', alpha, table);
    const handle = rust.scatter_vjp(CALL[op], update, table, weights, form, dim, index, mode, source, ...number);
    return gradientHandle(op, handle, args);
  };
  const [gradient, second] = both(run, !isNumber);
  return isNumber ? { self: gradient } : { self: gradient, [srcName]: second };
}

function ofGather(op, cotangent, self, args) {
  const run = () => {
    const [table, weights] = operands(self, cotangent);
    const index = indexHandle(op, args);
    const fill = scalarFor(op, 'fill_value', args.fill, table);
    return gradientHandle(op, rust.gather_vjp(CALL[op], table, weights, args.form, args.dim, index, args.mode, ...fill), args);
  };
  return { self: both(run, false)[0] };
}

/** The handle, or the error, which names an index value as it was given. */
function gradientHandle(op, handle, { index }) {
  try {
    return made(op, handle);
  } catch (error) {
    throw withOriginal(error, index);
  }
}

function ofMultiply(op, cotangent, x, { factor, name, axis, activation }) {
  const run = () => {
    const [left, weights] = operands(x, cotangent);
    return made(op, rust.multiply_vjp(CALL[op], left, factorHandle(op, name, factor, left), weights, axis, activation));
  };
  const [forX, forY] = both(run, true);
  return { x: forX, y: forY };
}

const readMultiply = (op, y, ...options) => ({ ...readElementwise(op, options), factor: readValue(op, 'y', y), name: 'y' });
const readMul = (op, other) => ({ factor: readValue(op, 'other', other), name: 'other', axis: -1, activation: NO_ACTIVATION });

/** The operators by the name that vjp takes: how their arguments are read, and what their gradients are. */
const differentiable = {
  scatter_: ['Tensor.scatter_', readScatter, ofScatter],
  scatter_add: ['Tensor.scatter_add', readScatterAdd, ofScatter],
  scatter_mul: ['scatter_mul', readScatterMul, ofScatter],
  scatter_reduce: ['Tensor.scatter_reduce', readScatterReduce, ofScatter],
  scatter_nd: ['Tensor.scatter_nd', readScatterNd, ofScatter],
  index_add: ['Tensor.index_add', readIndexAdd, ofScatter],
  gather: ['Tensor.gather', readGather, ofGather],
  gather_nd: ['Tensor.gather_nd', readGatherNd, ofGather],
  index_select: ['Tensor.index_select', readIndexSelect, ofGather],
  elementwise_mul: ['elementwise_mul', readMultiply, ofMultiply],
  mul: ['Tensor.mul', readMul, ofMultiply],
};

/** The gradients of `sum(op(self, …) · cotangent)`. */
export function vjp(name, cotangent, self, ...args) {
  requireStart(OP);
  const [op, readArguments, gradients] = operatorOf(OP, name, differentiable);
  const weights = readOperand(OP, 'cotangent', cotangent);
  const table = readOperand(OP, 'self', self);
  return gradients(op, weights, table, readArguments(op, ...args));
}
