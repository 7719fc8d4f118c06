// Runs scatters and gathers after readers.js has read their arguments.
//
// Errors begin with `op`, the name of the operator. `self` is the tensor of the call. `args` comes from a reader (readers.js describes
// it). "Within a call" means between `enter` and `leave` of engine.js.

import * as rust from '#glue';
import { elements, isNumeric } from '../arguments/arguments.js';
import { dtypeOf, emptied, factorHandle, indexOperand, isNone, madeFrom, operandHandle, scalar, spread, termsOf, Values, withOriginal } from '../arguments/operands.js';
import { CALL, call, caught, dims, enter, lastError, leave, made, temporary, word } from '../engine/engine.js';
import { handle, kindOf, PLAN } from '../engine/handles.js';
import { ALONG, NUMBER, RANK, REDUCES, SCALAR, SLICES, TUPLES, UPDATES } from '../engine/wire.js';

/** The handle of the index or the plan of a call, within a call. An index of `Values` becomes a temporary tensor. */
export function indexHandle(op, args) {
  const { form, index } = args;
  if (!(index instanceof Values) && kindOf(index) === PLAN) return handle(op, 'plan', index, PLAN);
  return indexOperand(op, form === TUPLES ? 'indices' : 'index', index, args);
}

/** The number of the update that only replaces, and so cuts fractions. */
const REPLACE = REDUCES.indexOf('replace');

/**
 * The handle of the source `src`, a tensor or `Values`, or a number with SCALAR in `update`, within a call. `Values` and a number take the dtype of the tensor of the handle `tensor`. A
 * tensor source needs no dtype, and reading one would cost a call of Rust.
 */
function sourceHandle(op, src, srcName, tensor, update) {
  if (update & SCALAR) return factorHandle(op, srcName, src, tensor);
  if (!(src instanceof Values)) return operandHandle(op, srcName, src, 0);
  const dtype = dtypeOf(tensor);
  return operandHandle(op, srcName, src, update === REPLACE ? dtype : termsOf(dtype));
}

/** The kind and the value of a number, boolean or bigint for the tensor of a handle, as `scalar` returns them. Within a call. */
const scalarFor = (op, argument, value, tensor) => (typeof value === 'number' ? [NUMBER, value] : scalar(op, argument, value, dtypeOf(tensor)));

/**
 * The source of a scatter as Rust receives it, within a call: its handle, and the kind and value of its factor alpha. A source that is a
 * number becomes handle 0 and the kind and value of the number. `tensor` is the handle of the written tensor.
 */
const sourceOf = (op, { src, update, alpha = 1 }, srcName, tensor) =>
  isNumeric(src) && !(update & SCALAR) ? [0, ...scalarFor(op, srcName, src, tensor)] : [sourceHandle(op, src, srcName, tensor, update), ...scalarFor(op, 'alpha', alpha, tensor)];

/** Whether the index or the plan of a call has no entries. Within a call. */
function hasNoEntries(op, { form, index }) {
  if (index instanceof Values) return index.count === 0;
  if (kindOf(index) === PLAN) {
    rust.describe_plan(handle(op, 'plan', index, PLAN));
    return word(UPDATES) === 0;
  }
  rust.describe(handle(op, 'index', index));
  const shape = dims(word(RANK));
  return elements(form === TUPLES ? shape.slice(0, -1) : shape) === 0;
}

/**
 * The arguments of a scatter into a table of `rank` dimensions, or of a gather from it, where a plain `[]` among them stands for no entries and no
 * values, whatever the rank. Returns others unchanged. Within a call.
 */
export function withoutEntries(op, args, rank) {
  const { form, index, src } = args;
  if (isNone(index) && (isNone(src) || isNumeric(src ?? 0))) {
    if (form === ALONG && rank > 1) return { ...args, form: SLICES, src: 0 };
    if (form === TUPLES && isNone(src)) return { ...args, index: new Values(index.argument, { ...index, shape: [0, 0] }), src: 0 };
  }
  return isNone(src) && rank > 1 && hasNoEntries(op, args) ? { ...args, src: 0 } : args;
}

/** The same for the table of a handle, which is looked at only where there is a `[]`. */
export function fitted(op, args, tensor) {
  if (!isNone(args.src) && !isNone(args.index)) return args;
  rust.describe(tensor);
  return withoutEntries(op, args, word(RANK));
}

/** The same arguments for a gradient, which has the shape of the source. */
export function withShapes(op, args, tensor) {
  const { form, dim, index, src } = args;
  if (!isNone(src) || !isNone(index)) return args;
  rust.describe(tensor);
  const shape = dims(word(RANK));
  if (form !== TUPLES) return { ...args, index: spread(index, form === ALONG ? emptied(shape, dim) : [0]), src: spread(src, emptied(shape, dim)) };
  // Tuples of no numbers; the functions on rows take each number as a row.
  return { ...args, index: spread(index, [0, 0]), src: spread(src, op.startsWith('Tensor.') ? [0, ...shape] : [0, 0, ...shape.slice(1)]) };
}

/** The operands of a call that Rust reads as an index. */
export const indicesOf = ({ index }) => (index instanceof Values ? [index] : []);

/** The arguments of a scatter for the verbs of `invoke`, within a call. */
export const argumentsOfScatter = (op, args, tensor, srcName = args.srcName) => [tensor, args.update, args.form, args.dim, indexHandle(op, args), args.mode, ...sourceOf(op, args, srcName, tensor)];

/** The same of a gather. */
export const argumentsOfGather = (op, args, tensor) => [tensor, args.form, args.dim, indexHandle(op, args), args.mode, ...scalarFor(op, 'fill_value', args.fill, tensor)];

/** Whether `scatter` writes to its tensor or to a copy. */
export const IN_PLACE = false;

/**
 * Scatters into a tensor, or into a copy of it. Returns the handle of the written tensor. Errors call the tensor
 * `selfName`.
 *
 * `sourceOf` and `call` are written out here, because small calls are faster so.
 */
export function scatter(op, self, selfName, args, intoCopy) {
  enter(op);
  try {
    const tensor = handle(op, selfName, self);
    args = fitted(op, args, tensor);
    const index = indexHandle(op, args);
    const { update, form, dim, mode, src, alpha } = args;
    const isNumber = isNumeric(src) && !(update & SCALAR);
    const source = isNumber ? 0 : sourceHandle(op, src, args.srcName, tensor, update);
    let kind = NUMBER;
    let value = isNumber ? src : (alpha ?? 1);
    if (typeof value !== 'number') [kind, value] = scalar(op, isNumber ? args.srcName : 'alpha', value, dtypeOf(tensor));
    const target = intoCopy ? made(op, rust.share(tensor)) : tensor;
    if (rust.scatter(CALL[op], update, target, form, dim, index, mode, source, kind, value)) return target;
    if (intoCopy) temporary(target); // frees the copy when the call ends
    throw withOriginal(lastError(op), args.index);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/** Gathers from a tensor, and returns the handle of the new tensor. */
export function gather(op, self, args) {
  enter(op);
  try {
    const tensor = handle(op, 'this', self);
    args = fitted(op, args, tensor);
    const index = indexHandle(op, args);
    const [kind, fill] = scalarFor(op, 'fill_value', args.fill, tensor);
    const out = rust.gather(CALL[op], tensor, args.form, args.dim, index, args.mode, kind, fill);
    return madeFrom(op, out, args.index);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}
