// Scatters and gathers: their arguments, read in one way for all of them, and their run.

import * as rust from '#glue';
import { integer, readOptions } from './arguments.js';
import { CALL, call, caught, enter, lastError, leave, made, temporary, word } from './engine.js';
import { unknownWord, ValueError, wrongKind } from './errors.js';
import { handle, isTensor, kindOf, PLAN } from './handles.js';
import { isNumeric, own, read, scalar, withOriginal } from './operands.js';
import { ALONG, DTYPE, INDEX, NUMBER, REDUCES, TUPLES } from './wire.js';

const [REPLACE, ADD, MULTIPLY] = ['replace', 'add', 'multiply'].map((name) => REDUCES.indexOf(name));
const isPlan = (value) => kindOf(value) === PLAN;

const reduceOptions = ['reduce'];
/** Replacement has no word: the option is left out. */
const reduceWords = REDUCES.slice(1);

/** The number of the option `reduce`. */
function readReduce(op, options) {
  if (options === undefined) return REPLACE;
  const reduce = readOptions(op, options, reduceOptions).reduce;
  if (reduce === undefined) return REPLACE;
  const place = REDUCES.indexOf(reduce);
  if (place > REPLACE) return place;
  if (typeof reduce !== 'string') throw wrongKind(op, 'reduce', 'a string', reduce);
  const text = `it must be ${reduceWords.map((word) => `'${word}'`).join(' or ')}, or left out to replace`;
  throw unknownWord(ValueError, 'unknown-reduce', op, 'reduce', reduce, text, reduceWords);
}

const readSource = (op, argument, value) => (isNumeric(value) ? value : read(op, argument, value));

// ---------------------------------------------------------------- arguments

/** `scatter_` and `scatter`: dim, index, src, options, or plan, src, options. */
export function readScatter(op, one, two, three, four) {
  if (isPlan(one)) return { form: ALONG, dim: 0, index: one, src: readSource(op, 'src', two), srcName: 'src', reduce: readReduce(op, three) };
  const dim = integer(op, 'dim', one);
  const index = read(op, 'index', two);
  const src = readSource(op, 'src', three);
  return { form: ALONG, dim, index, src, srcName: 'src', reduce: readReduce(op, four) };
}

/** `scatter_add` and `scatter_add_`: dim, index, src, or indices, updates, or plan, src. */
export function readScatterAdd(op, one, two, three) {
  if (isPlan(one)) return { form: ALONG, dim: 0, index: one, src: readSource(op, 'src', two), srcName: 'src', reduce: ADD };
  if (three === undefined && typeof one !== 'number') {
    const index = read(op, 'indices', one);
    return { form: TUPLES, dim: 0, index, src: readSource(op, 'updates', two), srcName: 'updates', reduce: ADD };
  }
  const dim = integer(op, 'dim', one);
  const index = read(op, 'index', two);
  return { form: ALONG, dim, index, src: readSource(op, 'src', three), srcName: 'src', reduce: ADD };
}

/** `scatter_mul`: indices or a plan, and updates. */
export function readScatterMul(op, one, two) {
  const index = isPlan(one) ? one : read(op, 'indices', one);
  return { form: TUPLES, dim: 0, index, src: readSource(op, 'updates', two), srcName: 'updates', reduce: MULTIPLY };
}

/** `gather`: dim and index, or a plan. */
export function readGather(op, one, two) {
  if (isPlan(one)) return { form: ALONG, dim: 0, index: one };
  const dim = integer(op, 'dim', one);
  return { form: ALONG, dim, index: read(op, 'index', two) };
}

/** `gather_nd`: indices or a plan. */
export function readGatherNd(op, one) {
  return { form: TUPLES, dim: 0, index: isPlan(one) ? one : read(op, 'indices', one) };
}

// ---------------------------------------------------------------- runs

/** The handle of an index for the length of a call. */
function indexHandle(op, { form, index }) {
  if (isPlan(index)) return handle(op, 'plan', index, PLAN);
  return own(op, form === ALONG ? 'index' : 'indices', index, INDEX);
}

export function dtypeOf(tensor) {
  rust.describe(tensor);
  return word(DTYPE);
}

/** Arrays take the dtype of the tensor that they are for, which is asked for only where there is one. */
const sourceTensor = (op, src, srcName, tensor) => own(op, srcName, src, isTensor(src) ? 0 : dtypeOf(tensor));

/** The handle of a source and 0, 0, or 0 and the kind and value of a scalar. */
function sourceHandle(op, { src, srcName }, tensor) {
  if (typeof src === 'number') return [0, NUMBER, src];
  if (isNumeric(src)) return [0, ...scalar(op, srcName, src, dtypeOf(tensor))];
  return [sourceTensor(op, src, srcName, tensor), 0, 0];
}

/** Scatters into a tensor, or into a new one that begins as it; the handle of what was written. */
export function scatter(op, self, selfName, args, intoCopy) {
  enter(op);
  try {
    const tensor = handle(op, selfName, self);
    const index = indexHandle(op, args);
    const { reduce, form, dim, src } = args;
    const isNumber = isNumeric(src);
    let kind = NUMBER;
    let value = src;
    if (isNumber && typeof src !== 'number') [kind, value] = scalar(op, args.srcName, src, dtypeOf(tensor));
    const source = isNumber ? 0 : sourceTensor(op, src, args.srcName, tensor);
    const target = intoCopy ? made(op, rust.share(tensor)) : tensor;
    const done = isNumber
      ? rust.scatter_scalar(CALL[op], reduce, target, form, dim, index, kind, value)
      : rust.scatter(CALL[op], reduce, target, form, dim, index, source);
    if (done) return target;
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
    const out = rust.gather(CALL[op], tensor, args.form, args.dim, indexHandle(op, args));
    if (out === 0) throw withOriginal(lastError(op), args.index);
    return made(op, out);
  } catch (error) {
    throw caught(op, error);
  } finally {
    leave();
  }
}

/** The same with a report of each write, on a copy: the handle of the result, and what `describe` makes of the report. */
export function traceScatter(op, self, args, describe) {
  return call(op, () => {
    const tensor = handle('trace', 'self', self);
    const dtype = dtypeOf(tensor);
    const index = indexHandle(op, args);
    const [src, kind, value] = sourceHandle(op, args, tensor);
    const result = rust.trace_scatter(CALL[op], args.reduce, tensor, args.form, args.dim, index, src, kind, value);
    if (result === 0) throw withOriginal(lastError(op), args.index);
    return describe(made(op, result), dtype, 3);
  });
}

export function traceGather(op, self, args, describe) {
  return call(op, () => {
    const tensor = handle('trace', 'self', self);
    const dtype = dtypeOf(tensor);
    const result = rust.trace_gather(CALL[op], tensor, args.form, args.dim, indexHandle(op, args));
    if (result === 0) throw withOriginal(lastError(op), args.index);
    return describe(made(op, result), dtype, 1);
  });
}
