// Gradients of scatters, gathers and operations on two tensors: the function vjp. types.d.ts describes it.
//
// `op` is the operator whose gradients the caller wants. Errors about its arguments begin with `op`, other errors with `vjp`. `self` and
// `cotangent` are operands that were read, and `args` comes from a reader (readers.js). "Within a call" means between `enter` and `leave`
// of engine.js. tools/package.mjs defines HAS: for each family whether the entry has it.

import * as rust from '#glue';
import { isNumeric, operatorOf } from '../arguments/arguments.js';
import { dtypeOf, factorHandle, indexOperand, madeFrom, operandHandle, OWN_DTYPE, readOperand } from '../arguments/operands.js';
import { isHere, operatorsWhere } from '../arguments/operators.js';
import { groupsOf, madeOfSpmm, segmentsOf, spmmOf } from '../arguments/passed.js';
import { readBehind, readSpmm, takeSum } from '../arguments/readers.js';
import { CALL, call, made, requireStart, word } from '../engine/engine.js';
import { handle, kindOf, PLAN } from '../engine/handles.js';
import { IS_OF_TUPLES } from '../engine/wire.js';
import { writeDims } from './dims.js';
import { indexHandle, scalarFor, sourceOf } from './indexed.js';
import { tensorOf } from './tensor.js';

const VJP = 'vjp';

/** The handles of self and of the cotangent, within a call. Arrays for the cotangent take self's dtype. */
function selfAndCotangent(self, cotangent) {
  const selfHandle = operandHandle(VJP, 'self', self, OWN_DTYPE);
  return [selfHandle, operandHandle(VJP, 'cotangent', cotangent, dtypeOf(selfHandle))];
}

/**
 * The gradients of a call, a list of one or two tensors. `run` calls Rust and returns the handle of the first; Rust keeps the second
 * until `second_result`. Both become tensors before the call ends: until then the guard guarantees room on the stack, so each handle
 * gets an owner.
 */
const gradientsOf = (run, hasSecond) =>
  call(VJP, () => {
    const first = tensorOf(run());
    return [first, hasSecond ? tensorOf(made(VJP, rust.second_result())) : undefined];
  });

/**
 * The name of the source of a scatter, and of its gradient. For `scatter_add` with a plan it depends on the plan: updates for a plan of
 * tuples, else src.
 */
function nameOfSource(op, { index, srcName }) {
  if (op !== 'Tensor.scatter_add' || kindOf(index) !== PLAN) return srcName;
  return call(VJP, () => {
    rust.describe_plan(handle(op, 'plan', index, PLAN));
    return word(IS_OF_TUPLES) === 1 ? 'updates' : srcName;
  });
}

/** The gradients of a scatter: `{ self, src }` or `{ self, updates }`, or `{ self }` if the source is a number. */
function ofScatter(op, cotangent, self, args) {
  const { update, form, dim, mode } = args;
  const srcName = nameOfSource(op, args);
  const isNumber = isNumeric(args.src);
  const run = () => {
    const [selfHandle, cotangentHandle] = selfAndCotangent(self, cotangent);
    const index = indexHandle(op, args);
    const source = sourceOf(op, args, srcName, selfHandle);
    const gradient = rust.scatter_vjp(CALL[op], update, selfHandle, cotangentHandle, form, dim, index, mode, ...source);
    return madeFrom(op, gradient, args.index);
  };
  const [forSelf, forSource] = gradientsOf(run, !isNumber);
  return isNumber ? { self: forSelf } : { self: forSelf, [srcName]: forSource };
}

/** The gradient of a gather: `{ self }`. */
function ofGather(op, cotangent, self, args, exact) {
  const run = () => {
    const [selfHandle, cotangentHandle] = selfAndCotangent(self, cotangent);
    const index = indexHandle(op, args);
    const fill = scalarFor(op, 'fill_value', args.fill, selfHandle);
    const gradient = rust.gather_vjp(CALL[op], selfHandle, cotangentHandle, args.form, args.dim, index, args.mode, ...fill, exact);
    return madeFrom(op, gradient, args.index);
  };
  const hasSecond = false;
  return { self: gradientsOf(run, hasSecond)[0] };
}

/** The gradients of an operation on two tensors: `{ x, y }`, also for a method with its operands self and other. */
function ofPair(op, cotangent, x, args, exact) {
  const hasSecond = true;
  const [forX, forY] = gradientsOf(pairRun(op, cotangent, x, args, exact), hasSecond);
  return { x: forX, y: forY };
}

/** The gradient of an activation, as that of a product with 1: `{ x }`. */
function ofActivate(op, cotangent, x, args) {
  const [exact, hasSecond] = [false, false];
  return { x: gradientsOf(pairRun(op, cotangent, x, args, exact), hasSecond)[0] };
}

/** A function that makes the gradients of an operation on two tensors within a call. */
const pairRun = (op, cotangent, x, { factor, name, axis, activation, rounding }, exact) => () => {
  const [xHandle, cotangentHandle] = selfAndCotangent(x, cotangent);
  return made(op, rust.elementwise_vjp(CALL[op], xHandle, factorHandle(op, name, factor, xHandle), cotangentHandle, axis, activation, rounding, exact));
};

/** The gradient of take_along_dim: `{ self }`. */
function ofTakeAlongDim(op, cotangent, self, args, exact) {
  const run = () => {
    const [selfHandle, cotangentHandle] = selfAndCotangent(self, cotangent);
    const index = indexOperand(op, 'index', args.index, args);
    const fill = scalarFor(op, 'fill_value', args.fill, selfHandle);
    return madeFrom(op, rust.take_along_dim_vjp(selfHandle, cotangentHandle, args.dim ?? NaN, index, args.mode, ...fill, exact), args.index);
  };
  const hasSecond = false;
  return { self: gradientsOf(run, hasSecond)[0] };
}

/** The gradient of segment_reduce: `{ data }`. */
function ofSegments(op, cotangent, data, args) {
  const run = () => {
    const [dataHandle, cotangentHandle] = selfAndCotangent(data, cotangent);
    return madeFrom(op, rust.segment_reduce_vjp(dataHandle, cotangentHandle, ...segmentsOf(op, dataHandle, args)), args.segments);
  };
  const hasSecond = false;
  return { data: gradientsOf(run, hasSecond)[0] };
}

/** The gradient of scatter_softmax and scatter_logsumexp: `{ src }`. Arrays for the cotangent take the dtype of src. */
function ofGroups(op, cotangent, src, args) {
  const run = () => {
    const [srcHandle, cotangentHandle] = selfAndCotangent(src, cotangent);
    return madeFrom(op, rust.groups_vjp(CALL[op], srcHandle, cotangentHandle, ...groupsOf(op, args)), args.index);
  };
  const hasSecond = false;
  return { src: gradientsOf(run, hasSecond)[0] };
}

/** The gradients of spmm: `{ values, dense }`, or `{ dense }` for a call without values. */
function ofSpmm(op, cotangent, args) {
  const run = () => {
    const { operands, options } = spmmOf(op, args);
    const cotangentHandle = operandHandle(VJP, 'cotangent', cotangent, dtypeOf(operands[3]));
    return madeOfSpmm(op, rust.spmm_vjp(...operands, cotangentHandle, ...options), args);
  };
  const hasValues = args.values !== undefined;
  const [dense, values] = gradientsOf(run, hasValues);
  return hasValues ? { values, dense } : { dense };
}

/** The gradient of a reduction along dimensions: `{ self }`. Arrays for the cotangent take the dtype of the result. */
function ofDims(op, cotangent, self, { dims, keepdim, dtype }) {
  const run = () => {
    const tensor = operandHandle(VJP, 'self', self, OWN_DTYPE);
    const becomes = dtype === OWN_DTYPE ? dtypeOf(tensor) : dtype;
    const cotangentHandle = operandHandle(VJP, 'cotangent', cotangent, becomes);
    return made(op, rust.reduce_dims_vjp(CALL[op], tensor, cotangentHandle, writeDims(dims), keepdim, dtype));
  };
  const hasSecond = false;
  return { self: gradientsOf(run, hasSecond)[0] };
}

/** The gradient function by the `run` of an operator, and of an operator with a function of its own by its name. */
const runs = {
  scatter: ofScatter, rows: ofScatter, gather: ofGather, pair: ofPair, dims: HAS.dims ? ofDims : undefined,
  activate: ofActivate, take_along_dim: ofTakeAlongDim, segment_reduce: HAS.segments ? ofSegments : undefined,
  scatter_softmax: HAS.groups ? ofGroups : undefined, scatter_logsumexp: HAS.groups ? ofGroups : undefined,
};
/** The operators that `vjp` knows, made by the first call: a call at the top of a module would keep bundlers from omitting it. */
let differentiable;

/** The gradients of `sum(op(self, …args) · cotangent)`, by the names of the operands. `name` is the operator op. */
export function vjp(name, cotangent, self, ...args) {
  requireStart(VJP);
  differentiable ??= operatorsWhere((row) => row.hasGradient && isHere(row));
  const operator = operatorOf(VJP, name, differentiable);
  const cotangentOperand = readOperand(VJP, 'cotangent', cotangent);
  // Its first argument is no operand with a gradient, and may be a plan.
  if (HAS.groups && operator.name === 'spmm') return ofSpmm(operator.op, cotangentOperand, readSpmm(operator.op, self, ...args));
  const selfOperand = readOperand(VJP, 'self', self);
  // The gradient of a scatter is no sum: its option `sum` belongs to the operator itself.
  const isOwn = operator.row.options.includes('sum');
  const { args: own, exact } = isOwn ? { args, exact: false } : takeSum(operator.op, args);
  const { run } = operator.row;
  return runs[run === 'own' ? operator.name : run](operator.op, cotangentOperand, selfOperand, readBehind(operator, own), exact);
}
