// The arguments of scatters and gathers, read to the end before Rust is entered. A prepared index (a plan) stands in the place of dim and
// index, or of indices, so the arguments after it move one place forward.
//
// The exported functions get `op`, the name of the operator, with which errors begin, and the arguments as the caller gave them. They
// return what indexed.js takes, or throw the error for a wrong argument. A `place` is `{ form, dim, index }`: where a call writes or reads,
// see wire.js; of tuples `dim` is the number of batch dimensions, and with a plan neither form nor dim counts. The words of options become
// numbers: `update` is what a scatter does with its updates, the number of a word in REDUCES or MEAN, plus EXCLUDE_SELF where the values
// of self do not count; `mode` is what an index value does that is out of range, the number of a word in MODES.

import { failure, unknownWord, ValueError, wrongKind } from '../engine/errors.js';
import { isTensor, kindOf, PLAN, stranger } from '../engine/handles.js';
import { ALONG, EXCLUDE_SELF, MAX_RANK, MODES, REDUCES, REDUCTIONS, SLICES, TUPLES } from '../engine/wire.js';
import { integer, readOptions } from './arguments.js';
import { isNumeric, readOperand, readValue } from './operands.js';

const [REPLACE, ADD, MULTIPLY] = ['replace', 'add', 'multiply'].map((name) => REDUCES.indexOf(name));
/** The number of the mode `raise`, the default. */
const RAISE = 0;
/** Whether a value is an IndexPlan itself. */
const isPlan = (value) => kindOf(value) === PLAN;

/** The words of the option `reduce` of `scatter_`, each with its number in REDUCES. */
const scatterWords = [['add', ADD], ['multiply', MULTIPLY]];
/** Those of `scatter_nd`. Replacement, the first one, has no word there: the option is left out. */
const ndWords = REDUCES.map((name, number) => [name, number]).slice(1);

/** The number of the word `value` in `words`, a list of words with their numbers. Throws for another word; `way` ends that error's text. */
function numberOf(op, argument, code, value, words, way = '') {
  for (let at = 0; at < words.length; at++) if (words[at][0] === value) return words[at][1];
  const names = words.map(([name]) => name);
  const wanted = names.map((name) => `'${name}'`).join(' or ');
  if (typeof value !== 'string') throw wrongKind(op, argument, wanted, value);
  const text = `it must be ${wanted}${way}`;
  throw unknownWord(ValueError, code, op, argument, value, text, names);
}

/** How the error for an unknown word of `scatter_` ends. */
const scatterWay = `, or left out to replace (scatter_reduce has ${REDUCTIONS.map(([name]) => name).join(', ')})`;
/** The number of the option `reduce`, which is one of `words`; that of replacement where it was left out. */
const readReduce = (op, reduce, words, way) => (reduce === undefined ? REPLACE : numberOf(op, 'reduce', 'unknown-reduce', reduce, words, way));
/** The number of the argument `reduce` of scatter_reduce and segment_reduce, which cannot be left out. */
export const readReduction = (op, value) => numberOf(op, 'reduce', 'unknown-reduce', value, REDUCTIONS);

const modeNumbers = MODES.map((name, number) => [name, number]);

/** The number of the option `mode` of a call, whose `index` may be a plan: with a plan the option is refused. */
function readMode(op, mode, index) {
  if (mode === undefined) return RAISE;
  const number = numberOf(op, 'mode', 'unknown-mode', mode, modeNumbers);
  if (!isPlan(index)) return number;
  throw failure(ValueError, 'unknown-option', op, 'a plan has a mode of its own: give it to IndexPlan.along, IndexPlan.nd or IndexPlan.select', { argument: 'mode' });
}

/** The number of the option `mode` of an index that is prepared. */
export const readPlanMode = (op, options) => readMode(op, readOptions(op, options, ['mode']).mode);

/** The dim of a call that takes a plan in the place of dim and index. For a Proxy or a copy of a plan the error says that it is one. */
function readDim(op, value) {
  if (Number.isInteger(value)) return value;
  throw isTensor(value) ? wrongKind(op, 'dim', 'an integer', value) : stranger(op, 'dim', value, PLAN, 'an integer');
}

/** A list: the place of a call with a dim and an index, or with a plan in the place of both; then the arguments after those, not read yet. */
function readAlong(op, form, [one, two, ...rest]) {
  if (isPlan(one)) return [{ form, dim: 0, index: one }, two, ...rest];
  const dim = readDim(op, one);
  return [{ form, dim, index: readOperand(op, 'index', two) }, ...rest];
}

/** The place of a call with tuples, or with a plan in their place. */
const readTuples = (op, indices) => ({ form: TUPLES, dim: 0, index: isPlan(indices) ? indices : readOperand(op, 'indices', indices) });

/**
 * The arguments of a scatter as indexed.js takes them. All properties are written out, here and below for a gather: a spread of `place`
 * takes V8 microseconds, and indexed.js is quick while all of these objects have the same properties.
 *
 * `src`: a tensor, `Values`, or a number, boolean or bigint. `srcName`: what errors call it. `alpha`: its factor; undefined for 1.
 */
const scatterArguments = ({ form, dim, index }, src, srcName, update, mode, alpha) => ({ form, dim, index, src, srcName, update, mode, alpha });
/** The arguments of a gather. `fill`: what a place of the result gets whose index value is out of range, where the mode leaves it out. */
const gatherArguments = ({ form, dim, index }, { mode, fill }) => ({ form, dim, index, mode, fill });

// ---------------------------------------------------------------- scatters

const scatterOptions = ['reduce', 'mode'];
/** Takes the options of `scatter_` and `scatter_nd` by name: see `readOptions`. */
const takeScatterOptions = ({ reduce, mode }) => ({ reduce, mode });

/** `scatter_` and `scatter`: dim, index, src, options. */
export function readScatter(op, one, two, three, four) {
  // Not by `readAlong`: small calls would be slower for its lists.
  const planned = isPlan(one);
  const dim = planned ? 0 : readDim(op, one);
  const index = planned ? one : readOperand(op, 'index', two);
  const src = readValue(op, 'src', planned ? two : three);
  const options = planned ? three : four;
  const place = { form: ALONG, dim, index };
  if (options === undefined) return scatterArguments(place, src, 'src', REPLACE, RAISE);
  const { reduce, mode } = readOptions(op, options, scatterOptions, takeScatterOptions);
  return scatterArguments(place, src, 'src', readReduce(op, reduce, scatterWords, scatterWay), readMode(op, mode, index));
}

const modeOption = ['mode'];

/**
 * Whether the third argument of scatter_add is options, so that the first two are tuples and updates: an object without a class, also one of
 * another realm. False for a Proxy that does not tell its prototype.
 */
function isOptions(value) {
  try {
    if (typeof value !== 'object' || value === null || isTensor(value)) return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

/**
 * `scatter_add` and `scatter_add_`: dim, index, src, options, or indices, updates, options. A number comes first in one form only; a plan may
 * be of either, and is read as one along a dim.
 */
export function readScatterAdd(op, one, two, three, four) {
  const areTuples = !isPlan(one) && typeof one !== 'number' && (three === undefined || isOptions(three));
  const [place, value, options] = areTuples ? [readTuples(op, one), two, three] : readAlong(op, ALONG, [one, two, three, four]);
  const srcName = areTuples ? 'updates' : 'src';
  const src = readValue(op, srcName, value);
  const mode = options === undefined ? RAISE : readMode(op, readOptions(op, options, modeOption).mode, place.index);
  return scatterArguments(place, src, srcName, ADD, mode);
}

const reduceOptions = ['include_self', 'mode'];

/** `scatter_reduce` and `scatter_reduce_`: dim, index, src, reduce, options. */
export function readScatterReduce(op, ...all) {
  const [place, value, reduce, options] = readAlong(op, ALONG, all);
  const src = readValue(op, 'src', value);
  const number = readReduction(op, reduce);
  const { include_self = true, mode } = readOptions(op, options, reduceOptions);
  if (typeof include_self !== 'boolean') throw wrongKind(op, 'include_self', 'true or false', include_self);
  return scatterArguments(place, src, 'src', include_self ? number : number | EXCLUDE_SELF, readMode(op, mode, place.index));
}

/** `scatter_nd` and `scatter_nd_`: indices, updates, options. */
export function readScatterNd(op, indices, updates, options) {
  const place = readTuples(op, indices);
  const src = readValue(op, 'updates', updates);
  const { reduce, mode } = readOptions(op, options, scatterOptions, takeScatterOptions);
  return scatterArguments(place, src, 'updates', readReduce(op, reduce, ndWords, ', or left out to replace'), readMode(op, mode, place.index));
}

/** The functions on rows: indices and updates. `reduce` is the word in REDUCES of what they do. */
export function readRows(op, reduce, indices, updates) {
  const place = readTuples(op, indices);
  return scatterArguments(place, readValue(op, 'updates', updates), 'updates', REDUCES.indexOf(reduce), RAISE);
}

/** `scatter_mul`: indices and updates. */
export const readScatterMul = (op, indices, updates) => readRows(op, 'multiply', indices, updates);

const addOptions = ['alpha', 'mode'];

/** `index_add` and `index_add_`: dim, index, src, options. */
export function readIndexAdd(op, ...all) {
  const [place, value, options] = readAlong(op, SLICES, all);
  const src = readOperand(op, 'src', value);
  const { alpha, mode } = readOptions(op, options, addOptions);
  if (alpha !== undefined && !isNumeric(alpha)) throw wrongKind(op, 'alpha', 'a number', alpha);
  return scatterArguments(place, src, 'src', ADD, readMode(op, mode, place.index), alpha);
}

/** `index_copy` and `index_copy_`: dim, index, src, options. */
export function readIndexCopy(op, ...all) {
  const [place, value, options] = readAlong(op, SLICES, all);
  const src = readOperand(op, 'src', value);
  return scatterArguments(place, src, 'src', REPLACE, readMode(op, readOptions(op, options, modeOption).mode, place.index));
}

/** `index_fill` and `index_fill_`: dim, index, value, options. */
export function readIndexFill(op, ...all) {
  const [place, src, options] = readAlong(op, SLICES, all);
  if (!isNumeric(src)) throw wrongKind(op, 'value', 'a number', src);
  return scatterArguments(place, src, 'value', REPLACE, readMode(op, readOptions(op, options, modeOption).mode, place.index));
}

// ---------------------------------------------------------------- gathers

const gatherOptions = ['mode', 'fill_value'];
const ndOptions = ['batch_dims', 'mode', 'fill_value'];

/** The options that say what a gather does with an index value that is out of range. */
function readOutOfRange(op, { mode, fill_value = 0 }, index) {
  if (!isNumeric(fill_value)) throw wrongKind(op, 'fill_value', 'a number', fill_value);
  return { mode: readMode(op, mode, index), fill: fill_value };
}

/** The arguments of a gather at a place that was read already, with its options. */
function readGatherAt(op, place, options) {
  if (options === undefined) return gatherArguments(place, { mode: RAISE, fill: 0 });
  return gatherArguments(place, readOutOfRange(op, readOptions(op, options, gatherOptions), place.index));
}

/** `gather`: dim, index, options. */
export function readGather(op, one, two, three) {
  const planned = isPlan(one);
  const place = { form: ALONG, dim: planned ? 0 : readDim(op, one), index: planned ? one : readOperand(op, 'index', two) };
  return readGatherAt(op, place, planned ? two : three);
}

/** `index_select`: dim, index, options. */
export function readIndexSelect(op, ...all) {
  const [place, options] = readAlong(op, SLICES, all);
  return readGatherAt(op, place, options);
}

/** `gather_nd`: indices, options. */
export function readGatherNd(op, indices, options) {
  const place = readTuples(op, indices);
  const { batch_dims = 0, ...outside } = readOptions(op, options, ndOptions);
  const batch = integer(op, 'batch_dims', batch_dims);
  if (batch < 0 || batch > MAX_RANK || (batch > 0 && isPlan(place.index))) {
    const text = batch < 0 || batch > MAX_RANK ? `batch_dims is ${batch}; it must be from 0 to ${MAX_RANK}` : 'a plan has no batch dimensions: leave batch_dims out';
    throw failure(ValueError, 'invalid-argument', op, text, { argument: 'batch_dims', value: batch });
  }
  place.dim = batch;
  return gatherArguments(place, readOutOfRange(op, outside, place.index));
}

/** `take_along_dim`: index, dim, options. It takes no plan, and `dim` is undefined for the flat tensor. */
export function readTakeAlongDim(op, value, dim, options) {
  const index = readOperand(op, 'index', value);
  const along = dim === undefined || dim === null ? undefined : integer(op, 'dim', dim);
  return { index, dim: along, ...readOutOfRange(op, readOptions(op, options, gatherOptions), index) };
}
