// Gradients: the function vjp. types.d.ts describes it.
//
// `op` is the operator whose gradients the caller wants. Errors about its arguments begin with `op`, other errors with `vjp`.

import * as rust from '#glue';
import { operatorOf } from '../arguments/arguments.js';
import { passRow, readRow } from '../arguments/kinds.js';
import { dtypeOf, factorHandle, operandHandle, OWN_DTYPE, readOperand, truthHandle } from '../arguments/operands.js';
import { isHere, operatorsWhere } from '../arguments/operators.js';
import { readBehind, takeSum } from '../arguments/readers.js';
import { add, beginWith, call, invoke, requireStart, word } from '../engine/engine.js';
import { handle, kindOf, PLAN } from '../engine/handles.js';
import { IS_OF_TUPLES, VJP } from '../engine/wire.js';
import { gradientOf } from './group_by.js';
import { argumentsOfGather, argumentsOfScatter, fitted, indicesOf, withShapes } from './indexed.js';
import { results } from './own.js';

/** The operators that `vjp` knows, made by the first call: a call at the top of a module would keep bundlers from omitting it. */
let differentiable;

/** The gradients of `sum(op(self, …args) · cotangent)`, by the names of the operands. `name` is the operator op. */
export function vjp(name, cotangent, self, ...args) {
  requireStart('vjp');
  if (HAS.group_by && name === 'group_reduce') return { values: gradientOf(readOperand('vjp', 'cotangent', cotangent), self, args) };
  differentiable ??= operatorsWhere((row) => row.hasGradient && isHere(row));
  const operator = operatorOf('vjp', name, differentiable);
  const given = readOperand('vjp', 'cotangent', cotangent);
  // The first argument of spmm is no operand with a gradient, and may be a plan.
  const first = operator.name === 'spmm' ? undefined : readOperand('vjp', 'self', self);
  // The gradient of a scatter is no sum: its option `sum` belongs to the operator itself.
  const isOwn = operator.row.options.includes('sum');
  const { args: own, exact } = isOwn ? { args, exact: false } : takeSum(operator.op, args);
  return (isOfRow(operator) ? ofRow : ofOther)(operator, given, first, first === undefined ? [self, ...own] : own, exact);
}

/** The operands with a gradient, where they are not the first one. */
const OPERANDS = { spmm: ['dense', 'values'], where: ['x', 'y'], compress: ['x'] };

const isOfRow = ({ name, row: { run } }) => run === 'dims' || (run === 'own' && name !== 'activate');

/** Calls Rust with the cotangent behind the arguments of the operator. An array takes `dtype`. Returns the gradients by their names. */
function gradients(op, cotangent, dtype, exact, indices, names) {
  add(operandHandle('vjp', 'cotangent', cotangent, dtype));
  add(exact);
  const named = {};
  results(op, invoke(op, VJP), indices).forEach((tensor, at) => (named[names[at]] = tensor));
  return named;
}

function ofRow({ op, name, row }, cotangent, self, args, exact) {
  const isFunction = op === name;
  const from = isFunction && self !== undefined ? 1 : 0;
  const read = readRow(op, row, args, from);
  return call('vjp', () => {
    passRow(op, read, self === undefined ? undefined : row.kinds?.mask === 'truth' ? truthHandle('vjp', 'mask', self) : operandHandle('vjp', 'self', self, OWN_DTYPE), from);
    const names = OPERANDS[name] ?? [isFunction ? row.args[0] : 'self'];
    // Arrays for the cotangent take the dtype of the result.
    const { 2: dtype = OWN_DTYPE } = row.run === 'dims' ? read.values : {};
    return gradients(op, cotangent, dtype === OWN_DTYPE ? dtypeOf(read.tensor) : dtype, exact, read.indices, names);
  });
}

/** The gradients of a scatter, a gather, an operation on two tensors or an activation. */
function ofOther(operator, cotangent, self, args, exact) {
  const { op, row } = operator;
  const read = readBehind(operator, args);
  return call('vjp', () => {
    const tensor = operandHandle('vjp', 'self', self, OWN_DTYPE);
    const [numbers, names] = argumentsOf(op, row, read, tensor);
    beginWith(numbers);
    return gradients(op, cotangent, dtypeOf(tensor), exact, indicesOf(read), names);
  });
}

/** The arguments of such an operator, and the names of its gradients. */
function argumentsOf(op, { run }, read, tensor) {
  if (run === 'gather') return [argumentsOfGather(op, fitted(op, read, tensor), tensor), ['self']];
  if (run === 'pair' || run === 'own') {
    const { factor, name, axis, activation, rounding } = read;
    return [[tensor, factorHandle(op, name, factor, tensor), axis, activation, rounding], ['x', 'y']];
  }
  const srcName = nameOfSource(op, read);
  return [argumentsOfScatter(op, withShapes(op, read, tensor), tensor, srcName), ['self', srcName]];
}

/**
 * The name of the source of a scatter, and of its gradient. For `scatter_add` with a plan it depends on the plan: updates for a plan of
 * tuples, else src.
 */
function nameOfSource(op, { index, srcName }) {
  if (op !== 'Tensor.scatter_add' || kindOf(index) !== PLAN) return srcName;
  rust.describe_plan(handle(op, 'plan', index, PLAN));
  return word(IS_OF_TUPLES) === 1 ? 'updates' : srcName;
}
