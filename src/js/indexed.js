// The run of scatters and gathers, whose arguments `readers.js` has read.

import * as rust from '#glue';
import { CALL, call, caught, enter, lastError, leave, made, temporary } from './engine.js';
import { handle, kindOf, PLAN } from './handles.js';
import { dtypeOf, isNumeric, own, scalar, Values, withOriginal } from './operands.js';
import { INDEX, NUMBER, TUPLES } from './wire.js';

/** The handle of an index for the length of a call. */
export function indexHandle(op, { form, index }) {
  if (!(index instanceof Values) && kindOf(index) === PLAN) return handle(op, 'plan', index, PLAN);
  return own(op, form === TUPLES ? 'indices' : 'index', index, INDEX);
}

/** Arrays take the dtype of the tensor that they are for, which is asked for only where there is one. */
export const sourceTensor = (op, src, srcName, tensor) => own(op, srcName, src, src instanceof Values ? dtypeOf(tensor) : 0);

/** The kind and the value of a number, boolean or bigint for a tensor. */
export const scalarFor = (op, argument, value, tensor) => (typeof value === 'number' ? [NUMBER, value] : scalar(op, argument, value, dtypeOf(tensor)));

/** Scatters into a tensor, or into a new one that begins as it; the handle of what was written. */
export function scatter(op, self, selfName, args, intoCopy) {
  enter(op);
  try {
    const tensor = handle(op, selfName, self);
    const index = indexHandle(op, args);
    const { update, form, dim, mode, src, alpha } = args;
    const isNumber = isNumeric(src);
    const source = isNumber ? 0 : sourceTensor(op, src, args.srcName, tensor);
    let kind = NUMBER;
    let value = isNumber ? src : (alpha ?? 1);
    if (typeof value !== 'number') [kind, value] = scalar(op, isNumber ? args.srcName : 'alpha', value, dtypeOf(tensor));
    const target = intoCopy ? made(op, rust.share(tensor)) : tensor;
    if (rust.scatter(CALL[op], update, target, form, dim, index, mode, source, kind, value)) return target;
    if (intoCopy) temporary(target);
    throw withOriginal(lastError(op), args.index);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/** Gathers; the handle of the new tensor. */
export function gather(op, self, args) {
  enter(op);
  try {
    const tensor = handle(op, 'this', self);
    const index = indexHandle(op, args);
    const [kind, fill] = scalarFor(op, 'fill_value', args.fill, tensor);
    const out = rust.gather(CALL[op], tensor, args.form, args.dim, index, args.mode, kind, fill);
    if (out === 0) throw withOriginal(lastError(op), args.index);
    return made(op, out);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/** take_along_dim; the handle of the new tensor. */
export function takeAlongDim(op, self, args) {
  return call(op, () => {
    const tensor = handle(op, 'this', self);
    const index = own(op, 'index', args.index, INDEX);
    const fill = scalarFor(op, 'fill_value', args.fill, tensor);
    const out = rust.take_along_dim(tensor, args.dim ?? NaN, index, args.mode, ...fill);
    if (out === 0) throw withOriginal(lastError(op), args.index);
    return made(op, out);
  });
}

/** The same with a report of each write, on a copy: the handle of the result, and what `describe` makes of the report. */
export function traceScatter(op, self, args, describe) {
  return call(op, () => {
    const tensor = handle('trace', 'self', self);
    const dtype = dtypeOf(tensor);
    const index = indexHandle(op, args);
    const { update, form, dim, mode, src, alpha = 1 } = args;
    const isNumber = isNumeric(src);
    const source = isNumber ? 0 : sourceTensor(op, src, args.srcName, tensor);
    const number = isNumber ? scalarFor(op, args.srcName, src, tensor) : scalarFor(op, 'alpha', alpha, tensor);
    const result = rust.trace_scatter(CALL[op], update, tensor, form, dim, index, mode, source, ...number);
    if (result === 0) throw withOriginal(lastError(op), args.index);
    return describe(made(op, result), dtype, 3);
  });
}

export function traceGather(op, self, args, describe) {
  return call(op, () => {
    const tensor = handle('trace', 'self', self);
    const dtype = dtypeOf(tensor);
    const index = indexHandle(op, args);
    const fill = scalarFor(op, 'fill_value', args.fill, tensor);
    const result = rust.trace_gather(CALL[op], tensor, args.form, args.dim, index, args.mode, ...fill);
    if (result === 0) throw withOriginal(lastError(op), args.index);
    return describe(made(op, result), dtype, 1);
  });
}
