// Makes the calls of random.js with a package.

import { rowOf } from '../../../src/js/arguments/operators.js';
import { invoke } from '../../../src/js/verify/calls.js';
import { sizeOf } from './oracle.js';

/** Whether an operator writes to self and returns it. */
export const isInPlace = (op) => op.endsWith('_') || rowOf(op).run === 'rows';

/** Flat values as nested arrays of a shape. */
function nest(data, shape) {
  let next = 0;
  const level = (d) => (d === shape.length ? data[next++] : Array.from({ length: shape[d] }, () => level(d + 1)));
  return level(0);
}

/** Whether the elements of a dtype are other numbers in JavaScript than in a tensor. */
const isEncoded = (dtype) => dtype === 'bool' || dtype === 'float16' || dtype === 'bfloat16';

/**
 * The operands of a call but self, handed over as it says (`given`, `planned`, `computed`): `{ index, source }`, or `{ plan, source }`.
 * `tensor(like)` makes a tensor. Everything made here is added to `made`, whose first entry is self.
 */
export function operandsOf(call, tensor, lib, made) {
  /** An operand as a number, an array or a tensor, by what the call asks for. */
  const give = (like) => {
    if (!like.shape) return like.scalar;
    if (call.given === 'typed arrays' && like.shape.length === 1) return like.data;
    // An empty array does not tell all of its sizes: it is given as a tensor.
    return call.given === 'arrays' && sizeOf(like.shape) > 0 && !isEncoded(like.dtype) ? nest(like.data, like.shape) : tensor(like);
  };
  const source = call.source && (call.source === call.self ? made[0] : give(call.source));
  if (!call.index) return { source };
  let index = call.index === call.self ? made[0] : call.planned && call.form === 'rows' ? tensor(call.index) : give(call.index);
  if (call.computed) made.push((index = index.mul(1)));
  return call.planned ? { plan: planOf(call, index, lib, made), source } : { index, source };
}

/** The plan of a call, from its index. Rows are tuples of one in it, so that their index, a tensor, gets one more dimension. */
export function planOf({ form, self, dim, mode, ignore_index }, index, lib, made) {
  const more = mode || ignore_index !== undefined ? [{ mode, ignore_index }] : [];
  if (form === 'rows') made.push((index = index.reshape([...index.shape, 1])));
  const { IndexPlan } = lib;
  const plan = form === 'slices' ? IndexPlan.select(self.shape, dim, index, ...more) : form === 'along' ? IndexPlan.along(self.shape, dim, index, ...more) : IndexPlan.nd(self.shape, index, ...more);
  made.push(plan);
  return plan;
}

/** The options of a call by name. A plan has its mode and ignore_index already. `more` is an option too many, by which fuzz/spoil.js spoils a call. */
function optionsOf(call) {
  const { op, how, include_self, mode, ignore_index, planned, act, rounding, sum, keepdim, to, more } = call;
  const reduce = rowOf(op).words && how !== 'replace' ? how : undefined;
  const axis = 'axis' in call ? call.axis : call.begin;
  const options = { reduce, include_self, ...(!planned && { mode, ignore_index }), axis, act, rounding, sum, keepdim, dtype: to, ...more };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Makes the call, and returns its result. A plan replaces dim and index. */
export function run(lib, call, { self, index, source, plan }) {
  const where = plan ? [plan] : [call.dims ?? call.dim, index];
  if (call.op === 'Tensor.take_along_dim') where.reverse();
  return invoke(lib, call.op, self, [...where, source].filter((each) => each !== undefined), optionsOf(call));
}

/** The call in words, so that it can be repeated. */
export function describe({ op, form, self, index, source, dim, how, planned, given, computed, axis, act, rounding, sum, dims, keepdim, to }) {
  const named = (like) => (like === self ? 'self' : like ? (like.shape ? `${like.dtype}[${like.shape}]` : String(like.scalar)) : '–');
  const more = [planned && 'by a plan', given && `as ${given}`, computed && 'computed', sum && 'exact', act && `${act} at ${axis}`, rounding, dims !== undefined && `along [${dims}]`, keepdim && 'keepdim', to].filter(Boolean);
  return `${op} ${how} ${form} on ${self.dtype}[${self.shape}] dim ${dim} index ${named(index)} source ${named(source)} ${more.join(' ')}`;
}
