// The arguments of scatters and gathers, read to the end before Rust is entered. A prepared index stands in the place of dim and
// index, or of indices.

import { integer, readOptions } from './arguments.js';
import { failure, unknownWord, ValueError, wrongKind } from './errors.js';
import { isTensor, kindOf, PLAN } from './handles.js';
import { isNumeric, read, readValue } from './operands.js';
import { ALONG, EXCLUDE_SELF, MAX_RANK, MODES, REDUCES, REDUCTIONS, SLICES, TUPLES } from './wire.js';

const [REPLACE, ADD, MULTIPLY] = ['replace', 'add', 'multiply'].map((name) => REDUCES.indexOf(name));
/** The number of the mode `raise`, the default. */
const RAISE = 0;
const isPlan = (value) => kindOf(value) === PLAN;

/** The words of each operator, each with its number. */
const scatterWords = [['add', ADD], ['multiply', MULTIPLY]];
/** Replacement has no word: the option is left out. */
const ndWords = REDUCES.map((name, number) => [name, number]).slice(1);

/** The number of a word among those of an operator. */
function numberOf(op, argument, code, value, words, way = '') {
  for (let at = 0; at < words.length; at++) if (words[at][0] === value) return words[at][1];
  const names = words.map(([name]) => name);
  const wanted = names.map((name) => `'${name}'`).join(' or ');
  if (typeof value !== 'string') throw wrongKind(op, argument, wanted, value);
  const text = `it must be ${wanted}${way}`;
  throw unknownWord(ValueError, code, op, argument, value, text, names);
}

const scatterWay = `, or left out to replace (scatter_reduce has ${REDUCTIONS.map(([name]) => name).join(', ')})`;
const readReduce = (op, reduce, words, way) => (reduce === undefined ? REPLACE : numberOf(op, 'reduce', 'unknown-reduce', reduce, words, way));
export const readReduction = (op, value) => numberOf(op, 'reduce', 'unknown-reduce', value, REDUCTIONS);

const modeNumbers = MODES.map((name, number) => [name, number]);

/** The number of the option `mode`. */
function readMode(op, mode, index) {
  if (mode === undefined) return RAISE;
  const number = numberOf(op, 'mode', 'unknown-mode', mode, modeNumbers);
  if (!isPlan(index)) return number;
  throw failure(ValueError, 'unknown-option', op, 'a plan has a mode of its own: give it to IndexPlan.along, IndexPlan.nd or IndexPlan.select', { argument: 'mode' });
}

/** The mode of an index that is prepared. */
export const readPlanMode = (op, options) => readMode(op, readOptions(op, options, ['mode']).mode);

/** An index along a dimension, or a plan in the place of both, and the arguments behind it. */
function readAlong(op, form, [one, two, ...rest]) {
  if (isPlan(one)) return [{ form, dim: 0, index: one }, two, ...rest];
  const dim = integer(op, 'dim', one);
  return [{ form, dim, index: read(op, 'index', two) }, ...rest];
}

const readTuples = (op, indices) => ({ form: TUPLES, dim: 0, index: isPlan(indices) ? indices : read(op, 'indices', indices) });

/**
 * The arguments of a scatter, and of a gather. All have the properties that are written out here: a spread of `place` takes V8 microseconds,
 * and the run of them is quick for objects of one kind.
 */
const writing = ({ form, dim, index }, src, srcName, update, mode, alpha) => ({ form, dim, index, src, srcName, update, mode, alpha });
const reading = ({ form, dim, index }, { mode, fill }) => ({ form, dim, index, mode, fill });

// ---------------------------------------------------------------- scatters

const scatterOptions = ['reduce', 'mode'];
const takeScatterOptions = ({ reduce, mode }) => ({ reduce, mode });

/** `scatter_` and `scatter`: dim, index, src, options. */
export function readScatter(op, one, two, three, four) {
  // Written out, without lists: small calls are made of this.
  const planned = isPlan(one);
  const dim = planned ? 0 : integer(op, 'dim', one);
  const index = planned ? one : read(op, 'index', two);
  const src = readValue(op, 'src', planned ? two : three);
  const options = planned ? three : four;
  const place = { form: ALONG, dim, index };
  if (options === undefined) return writing(place, src, 'src', REPLACE, RAISE);
  const { reduce, mode } = readOptions(op, options, scatterOptions, takeScatterOptions);
  return writing(place, src, 'src', readReduce(op, reduce, scatterWords, scatterWay), readMode(op, mode, index));
}

const modeOption = ['mode'];

/**
 * Whether a third argument is options, and so the first two are tuples and updates: an object without a class, also of another realm. A Proxy
 * may refuse to say what it is.
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

/** `scatter_add` and `scatter_add_`: dim, index, src, options, or indices, updates, options. */
export function readScatterAdd(op, one, two, three, four) {
  const areTuples = !isPlan(one) && typeof one !== 'number' && (three === undefined || isOptions(three));
  const [place, value, options] = areTuples ? [readTuples(op, one), two, three] : readAlong(op, ALONG, [one, two, three, four]);
  const srcName = areTuples ? 'updates' : 'src';
  const src = readValue(op, srcName, value);
  const mode = options === undefined ? RAISE : readMode(op, readOptions(op, options, modeOption).mode, place.index);
  return writing(place, src, srcName, ADD, mode);
}

const reduceOptions = ['include_self', 'mode'];

/** `scatter_reduce` and `scatter_reduce_`: dim, index, src, reduce, options. */
export function readScatterReduce(op, ...all) {
  const [place, value, reduce, options] = readAlong(op, ALONG, all);
  const src = readValue(op, 'src', value);
  const number = readReduction(op, reduce);
  const { include_self = true, mode } = readOptions(op, options, reduceOptions);
  if (typeof include_self !== 'boolean') throw wrongKind(op, 'include_self', 'true or false', include_self);
  return writing(place, src, 'src', include_self ? number : number | EXCLUDE_SELF, readMode(op, mode, place.index));
}

/** `scatter_nd` and `scatter_nd_`: indices, updates, options. */
export function readScatterNd(op, indices, updates, options) {
  const place = readTuples(op, indices);
  const src = readValue(op, 'updates', updates);
  const { reduce, mode } = readOptions(op, options, scatterOptions, takeScatterOptions);
  return writing(place, src, 'updates', readReduce(op, reduce, ndWords, ', or left out to replace'), readMode(op, mode, place.index));
}

/** The functions on rows: indices and updates. */
export function readRows(op, reduce, indices, updates) {
  const place = readTuples(op, indices);
  return writing(place, readValue(op, 'updates', updates), 'updates', REDUCES.indexOf(reduce), RAISE);
}

/** `scatter_mul`: indices and updates. */
export const readScatterMul = (op, indices, updates) => readRows(op, 'multiply', indices, updates);

const addOptions = ['alpha', 'mode'];

/** `index_add` and `index_add_`: dim, index, src, options. */
export function readIndexAdd(op, ...all) {
  const [place, value, options] = readAlong(op, SLICES, all);
  const src = read(op, 'src', value);
  const { alpha, mode } = readOptions(op, options, addOptions);
  if (alpha !== undefined && !isNumeric(alpha)) throw wrongKind(op, 'alpha', 'a number', alpha);
  return writing(place, src, 'src', ADD, readMode(op, mode, place.index), alpha);
}

/** `index_copy` and `index_copy_`: dim, index, src, options. */
export function readIndexCopy(op, ...all) {
  const [place, value, options] = readAlong(op, SLICES, all);
  const src = read(op, 'src', value);
  return writing(place, src, 'src', REPLACE, readMode(op, readOptions(op, options, modeOption).mode, place.index));
}

/** `index_fill` and `index_fill_`: dim, index, value, options. */
export function readIndexFill(op, ...all) {
  const [place, src, options] = readAlong(op, SLICES, all);
  if (!isNumeric(src)) throw wrongKind(op, 'value', 'a number', src);
  return writing(place, src, 'value', REPLACE, readMode(op, readOptions(op, options, modeOption).mode, place.index));
}

// ---------------------------------------------------------------- gathers

const gatherOptions = ['mode', 'fill_value'];
const ndOptions = ['batch_dims', 'mode', 'fill_value'];

/** What a gather does with an index value that is out of range. */
function readOutside(op, { mode, fill_value = 0 }, index) {
  if (!isNumeric(fill_value)) throw wrongKind(op, 'fill_value', 'a number', fill_value);
  return { mode: readMode(op, mode, index), fill: fill_value };
}

function readReading(op, place, options) {
  if (options === undefined) return reading(place, { mode: RAISE, fill: 0 });
  return reading(place, readOutside(op, readOptions(op, options, gatherOptions), place.index));
}

/** `gather`: dim, index, options. */
export function readGather(op, one, two, three) {
  const planned = isPlan(one);
  const place = { form: ALONG, dim: planned ? 0 : integer(op, 'dim', one), index: planned ? one : read(op, 'index', two) };
  return readReading(op, place, planned ? two : three);
}

/** `index_select`: dim, index, options. */
export function readIndexSelect(op, ...all) {
  const [place, options] = readAlong(op, SLICES, all);
  return readReading(op, place, options);
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
  return reading(place, readOutside(op, outside, place.index));
}

/** `take_along_dim`: index, dim, options. */
export function readTakeAlongDim(op, value, dim, options) {
  const index = read(op, 'index', value);
  const along = dim === undefined || dim === null ? undefined : integer(op, 'dim', dim);
  return { index, dim: along, ...readOutside(op, readOptions(op, options, gatherOptions), index) };
}
