// Makes the calls of random.js with a package.

import { sizeOf } from './oracle.js';

/** Whether an operator writes to self and returns it. */
export const isInPlace = (op) => /_( |$)/.test(op) || ['scatter_mul', 'scatter_update', 'scatter_sub', 'scatter_max'].includes(op);

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
 * `tensor(like)` makes a tensor; what is made here is added to `made`, whose first one is self.
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
  let index = call.planned && call.form === 'rows' ? tensor(call.index) : give(call.index);
  if (call.computed) made.push((index = index.mul(1)));
  return call.planned ? { plan: planOf(call, index, lib, made), source } : { index, source };
}

/** The plan of a call, from its index. Rows are tuples of one in it, so that their index, a tensor, gets one more dimension. */
export function planOf({ form, self, dim, mode }, index, lib, made) {
  const more = mode ? [{ mode }] : [];
  if (form === 'rows') made.push((index = index.reshape([...index.shape, 1])));
  const { IndexPlan } = lib;
  const plan = form === 'slices' ? IndexPlan.select(self.shape, dim, index, ...more) : form === 'along' ? IndexPlan.along(self.shape, dim, index, ...more) : IndexPlan.nd(self.shape, index, ...more);
  made.push(plan);
  return plan;
}

/**
 * The options of a scatter that has `reduce` and `mode`, in a list: none where all are the defaults. A plan has its mode already. `more` is
 * an option too many, by which fuzz/spoil.js spoils a call.
 */
const options = ({ how, mode, planned, more }) => (how === 'replace' && !more && !mode ? [] : [{ ...(how === 'replace' ? {} : { reduce: how }), ...(mode && !planned ? { mode } : {}), ...more }]);
/** The options of an operator that has `mode` alone. */
const modeOf = ({ mode, planned }) => (mode && !planned ? { mode } : {});
/** Each operator, called with its operands; `where` is the plan, or the dim where it has one and the index. */
const runs = {
  scatter_: (lib, call, { self, where, source }) => self.scatter_(...where, source, ...options(call)),
  scatter: (lib, call, { self, where, source }) => self.scatter(...where, source, ...options(call)),
  scatter_add: (lib, call, { self, where, source }) => self.scatter_add(...where, source),
  scatter_add_: (lib, call, { self, where, source }) => self.scatter_add_(...where, source),
  scatter_mul: (lib, call, { self, where, source }) => lib.scatter_mul(self, ...where, source),
  ...Object.fromEntries(
    ['scatter_reduce', 'scatter_reduce_'].map((op) => [
      op,
      (lib, call, { self, where, source }) => self[op](...where, source, call.how, { include_self: call.include_self, ...modeOf(call) }),
    ]),
  ),
  ...Object.fromEntries(['scatter_nd', 'scatter_nd_'].map((op) => [op, (lib, call, { self, where, source }) => self[op](...where, source, ...options(call))])),
  ...Object.fromEntries(['scatter_update', 'scatter_sub', 'scatter_max'].map((op) => [op, (lib, call, { self, where, source }) => lib[op](self, ...where, source)])),
  ...Object.fromEntries(
    ['index_add', 'index_add_', 'index_copy', 'index_fill_'].map((op) => [op, (lib, call, { self, where, source }) => self[op](...where, source, modeOf(call))]),
  ),
  gather: (lib, call, { self, where }) => self.gather(...where, modeOf(call)),
  gather_nd: (lib, call, { self, where }) => self.gather_nd(...where, modeOf(call)),
  index_select: (lib, call, { self, where }) => self.index_select(...where, modeOf(call)),
  take_along_dim: (lib, call, { self, where }) => self.take_along_dim(where[1], where[0], modeOf(call)),
  mul: (lib, call, { self, source }) => self.mul(source),
  mul_: (lib, call, { self, source }) => self.mul_(source),
  elementwise_mul: (lib, call, { self, source }) => lib.elementwise_mul(self, source, { axis: 'axis' in call ? call.axis : call.begin, act: call.act }),
};

/** Makes the call, and returns its result. */
export function run(lib, call, { self, index, source, plan }) {
  const where = plan ? [plan] : call.dim === undefined ? [index] : [call.dim, index];
  return runs[call.op.split(' ')[0]](lib, call, { self, where, source });
}

/** The call in words, for whoever has to repeat it. */
export function describe({ op, self, index, source, dim, how, planned, given, computed, axis, act }) {
  const named = (like) => (like === self ? 'self' : like ? (like.shape ? `${like.dtype}[${like.shape}]` : String(like.scalar)) : '–');
  const more = [planned && 'by a plan', given && `as ${given}`, computed && 'computed', act && `${act} at ${axis}`].filter(Boolean);
  return `${op} ${how} on ${self.dtype}[${self.shape}] dim ${dim} index ${named(index)} source ${named(source)} ${more.join(' ')}`;
}
