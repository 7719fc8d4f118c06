// Calls of an operator as src/js/verify/random.js draws them, for all that tries each operator by some call: own.js, the templates of the fuzzer
// and warm_up.js. So an operator that is made of other calls needs one draw. A list of its own, where there is one, stands in the place of it.

import { rowOf } from '../../../src/js/arguments/operators.js';
import { formOf, NOT_DRAWN } from '../../../src/js/verify/random.js';
import { Numbers } from '../../../src/js/verify/numbers.js';
import { ARRAYS } from './elements.js';
import { valueOf } from './oracle.js';

/** Whether an operator with a function of its own has a draw. */
export const hasDraw = (op) => rowOf(op).run === 'own' && !Object.hasOwn(NOT_DRAWN, op) && formOf(op) !== undefined;

/** A drawn value as the calls of own.js have it: tensors with `data` in the place of bytes, and plain numbers. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value?.bytes) return { dtype: value.dtype, shape: value.shape, data: new ARRAYS[value.dtype](value.bytes.slice().buffer) };
  return value?.scalar ? value.value : value;
}

/** The names of the arguments behind the tensor that the operator is called on, which is the first one of a function. */
const namesOf = (op) => (op.startsWith('Tensor.') ? rowOf(op).args : rowOf(op).args.slice(1));

/** A random call of such an operator: `{ op, self, args, options }`. A draw may have an argument among its options, as a recorded call has. */
export function drawnCall(op, dtype, numbers) {
  const { self, args = {}, options = {} } = formOf(op)(op, dtype, numbers);
  const names = namesOf(op);
  const all = Object.entries({ ...options, ...args }).map(([name, value]) => [name, plain(value)]);
  const behind = Object.fromEntries(all.filter(([name]) => !names.includes(name)));
  return { op, self: plain(self), args: Object.fromEntries(names.map((name) => [name, Object.fromEntries(all)[name]])), options: behind };
}

/** The elements of a tensor as nested arrays. */
function nested({ dtype, shape, data }, depth = 0, at = 0) {
  if (depth === shape.length) return dtype === 'bool' ? Boolean(data[at]) : valueOf(dtype, data[at]);
  return Array.from({ length: shape[depth] }, (_, k) => nested({ dtype, shape, data }, depth + 1, at * shape[depth] + k));
}
const listed = (value) => (Array.isArray(value) ? value.map(listed) : value?.dtype ? nested(value) : value);

/** The arguments of a call in their order, tensors as nested arrays; those of a function begin with its tensor. */
function argumentsOf({ op, self, args, options }) {
  const first = op.startsWith('Tensor.') ? [] : [self];
  const last = Object.keys(options).length > 0 ? [Object.fromEntries(Object.entries(options).map(([name, value]) => [name, listed(value)]))] : [];
  return [...[...first, ...Object.values(args)].map(listed), ...last];
}

/** How many draws a template is looked for in, and how many templates an operator gets. */
const [LOOKS, TEMPLATES] = [40, 3];

/**
 * Functions that make a list of arguments, as templates.js of the fuzzer has them: for a method on a tensor of two dimensions, as that of the
 * fuzzer has.
 */
export function templatesFor(op) {
  const all = Array.from({ length: LOOKS }, (_, seed) => drawnCall(op, 'float32', new Numbers(seed)));
  const fitting = all.filter(({ self }) => self.shape.length === 2);
  // Made for each call again: the fuzzer spoils them.
  return (fitting.length > 0 ? fitting : all).slice(0, TEMPLATES).map((call) => () => argumentsOf(call));
}
