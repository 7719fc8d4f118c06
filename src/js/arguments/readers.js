// The arguments of scatters, gathers and operations on two tensors, read to the end before Rust is entered.
//
// A reader gets `op`, the name of the operator, with which errors begin, and the arguments of the caller. It returns the arguments for
// indexed.js, or throws the error for a wrong one. A prepared index (a plan) stands in the place of `dim` and `index`, or of `indices`.
//
// A `place` is `{ form, dim, index }`: where a call writes or reads. `form` is ALONG, TUPLES or SLICES. For tuples, `dim` is the number of batch
// dimensions; with a plan, neither form nor dim counts. Words become numbers. `update` says what a scatter does with its updates: the number of
// a word in REDUCES, or MEAN, plus EXCLUDE_SELF if the values of self do not count, plus EXACT for an exact sum, plus SCALAR for a number with a factor
// alpha, plus ARGMAX if the call also returns the positions of the extremes. `mode` says what happens to an
// index value that is out of range: the number of a word in MODES, plus IGNORES if entries with the value `ignored`, a bigint, are left out.
// tools/package.mjs defines HAS: for each family whether the entry has it. A word of an absent family is refused here.

import { failure, refuseAbsent, unknownWord, unreadable, ValueError, wrongKind } from '../engine/errors.js';
import { isTensor, kindOf, PLAN, stranger } from '../engine/handles.js';
import { ALONG, ARGMAX, EXACT, EXCLUDE_SELF, IGNORES, MAX_RANK, MODES, NO_ACTIVATION, NO_ROUNDING, REDUCES, REDUCTIONS, ROUNDINGS, SCALAR, SLICES, TUPLES } from '../engine/wire.js';
import { activationNumber, readElementwise } from './activations.js';
import { flag, integer, isNumeric, isPlain, numeric, readOptions, refuseOptions, text } from './arguments.js';
import { ignoring, readOperand, readValue } from './operands.js';
import { METHODS, rowOf } from './operators.js';

const [REPLACE, ADD] = ['replace', 'add'].map((word) => REDUCES.indexOf(word));
const RAISE = 0;
const isPlan = (value) => kindOf(value) === PLAN;
/** Stands in the place of `dim` if `index` is a plan. */
const BY_PLAN = {};

// ---------------------------------------------------------------- words

/** The number of the word `value` in `words`, a list of words with their numbers. Throws for another word; `way` ends that error's text. */
export function numberOf(op, argument, code, value, words, way = '') {
  for (let at = 0; at < words.length; at++) if (words[at][0] === value) return words[at][1];
  const names = words.map(([name]) => name);
  const wanted = names.map((name) => `'${name}'`).join(' or ');
  if (typeof value !== 'string') throw wrongKind(op, argument, wanted, value);
  throw unknownWord(ValueError, code, op, argument, value, `it must be ${wanted}${way}`, names);
}

const readReduce = (op, reduce, words, way) => (reduce === undefined ? REPLACE : numberOf(op, 'reduce', 'unknown-reduce', reduce, words, way));
const ndWay = ', or left out to replace';
const scatterWay = `${ndWay} (scatter_reduce has ${REDUCTIONS.map(([name]) => name).join(', ')})`;

const sumNumbers = [['ordered', 0], ['exact', EXACT]];
export function readSum(op, sum) {
  const number = sum === undefined ? 0 : numberOf(op, 'sum', 'invalid-argument', sum, sumNumbers);
  if (!HAS.exact && number === EXACT) refuseAbsent(op, 'sum', sum);
  return number;
}

export function readArgmax(op, return_indices = false) {
  if (!HAS.groups && return_indices === true) refuseAbsent(op, 'return_indices', true);
  return flag(op, 'return_indices', return_indices);
}

const modeNumbers = MODES.map((name, number) => [name, number]);

/** How a call without options reads its index. */
export const PLAIN = { mode: RAISE, ignored: undefined };

/**
 * Reads the options `mode` and `ignore_index`, how a call reads the index of `place`: `{ mode, ignored }`. They are refused if the index is a
 * plan. An index that Rust cannot compare with the ignored value is replaced in `place`.
 */
export function readIndexOptions(op, options, place) {
  const { mode, ignore_index } = { __proto__: null, ...options }; // the rest of others has the properties of Object.prototype
  if (mode === undefined && ignore_index === undefined) return PLAIN;
  const number = mode === undefined ? RAISE : numberOf(op, 'mode', 'unknown-mode', mode, modeNumbers);
  const given = ignore_index === undefined ? undefined : readIgnored(op, ignore_index);
  if (isPlan(place.index)) {
    const [what, argument] = mode === undefined ? ['an ignore_index', 'ignore_index'] : ['a mode', 'mode'];
    throw failure(ValueError, 'unknown-option', op, `a plan has ${what} of its own: give it to IndexPlan.along, IndexPlan.nd or IndexPlan.select`, { argument });
  }
  if (given === undefined) return { mode: number, ignored: undefined };
  const { index, ignored } = ignoring(place.index, given);
  place.index = index;
  return { mode: ignored === undefined ? number : number | IGNORES, ignored };
}

export function readIgnored(op, value) {
  if (typeof value === 'bigint') return value;
  if (Number.isInteger(value)) return BigInt(value);
  throw wrongKind(op, 'ignore_index', 'an integer or a bigint', value);
}

const indexOptions = ['mode', 'ignore_index'];
export const readIndexOptionsAlone = (op, options, place) => (options === undefined ? PLAIN : readIndexOptions(op, readOptions(op, options, indexOptions), place));

// ---------------------------------------------------------------- places

/** The place of a call with a dim and an index, or with BY_PLAN and a plan. */
function readAlong(op, form, dim, index) {
  if (dim === BY_PLAN) return { form, dim: 0, index };
  if (Number.isInteger(dim)) return { form, dim, index: readOperand(op, 'index', index) };
  // For a Proxy or a copy of a plan the error says that it is one.
  throw isTensor(dim) ? wrongKind(op, 'dim', 'an integer', dim) : stranger(op, 'dim', dim, PLAN, 'an integer');
}

const readTuples = (op, indices) => ({ form: TUPLES, dim: 0, index: isPlan(indices) ? indices : readOperand(op, 'indices', indices) });

/**
 * The arguments of a scatter, for indexed.js. All properties are written out, here and below for a gather: a spread of `place` costs V8
 * microseconds, and indexed.js is quick while all of these objects have the same properties.
 *
 * `src`: a tensor, `Values`, or a number, boolean or bigint. `srcName`: its name in errors. `alpha`: its factor; undefined for 1.
 */
const scatterArguments = ({ form, dim, index }, src, srcName, update, { mode, ignored }, alpha) => ({ form, dim, index, src, srcName, update, mode, ignored, alpha });
/** The arguments of a gather. `fill`: the value of a result whose entry is skipped. */
const gatherArguments = ({ form, dim, index }, { mode, ignored }, fill) => ({ form, dim, index, mode, ignored, fill });

function readBatch(op, batch_dims = 0, { index }) {
  const batch = integer(op, 'batch_dims', batch_dims);
  const isOutside = batch < 0 || batch > MAX_RANK;
  if (!isOutside && (batch === 0 || !isPlan(index))) return batch;
  const text = isOutside ? `batch_dims is ${batch}; it must be from 0 to ${MAX_RANK}` : 'a plan has no batch dimensions: leave batch_dims out';
  throw failure(ValueError, 'invalid-argument', op, text, { argument: 'batch_dims', value: batch });
}

/** The arguments of a gather with the options that every gather has. */
function gatherFrom(op, place, options) {
  const fill = numeric(op, 'fill_value', options.fill_value ?? 0);
  const reading = readIndexOptions(op, options, place); // may replace the index in `place`
  return gatherArguments(place, reading, fill);
}

function readGatherAt(op, place, options) {
  if (options === undefined) return gatherArguments(place, PLAIN, 0);
  return gatherFrom(op, place, readOptions(op, options, METHODS.gather.options));
}

/**
 * Whether the third argument of scatter_add is options, so that the first two are tuples and updates: an object without a class, of any realm.
 * False for a Proxy that hides its prototype.
 */
function isOptions(value) {
  try {
    if (typeof value !== 'object' || value === null || isTensor(value)) return false;
    return isPlain(value);
  } catch {
    return false;
  }
}

function readAdd(op, place, src, srcName, options) {
  if (options === undefined) return scatterArguments(place, src, srcName, ADD, PLAIN);
  const given = readOptions(op, options, rowOf(op)?.options ?? indexOptions); // ExactSum.add has no row
  const update = ADD | readSum(op, given.sum);
  const reading = readIndexOptions(op, given, place);
  return scatterArguments(place, src, srcName, update, reading);
}

/**
 * Splits the option `sum`, which `vjp` adds, from the arguments of an operator: `{ args, exact }`. It stands among the last options, or alone behind
 * all arguments.
 */
export function takeSum(op, args) {
  const last = args.at(-1);
  if (!isOptions(last)) return { args, exact: false };
  try {
    if (!Object.prototype.hasOwnProperty.call(last, 'sum')) return { args, exact: false };
    const { sum, ...others } = last;
    const front = args.slice(0, -1);
    return { args: Object.keys(others).length > 0 ? [...front, others] : front, exact: readSum(op, sum) !== 0 };
  } catch (thrown) {
    throw unreadable(op, 'options', thrown);
  }
}

/** Takes the options of `scatter_` by name: see `readOptions`. */
const takeScatterOptions = ({ reduce, sum, mode, ignore_index }) => ({ reduce, sum, mode, ignore_index });
/** The same for `scatter_nd`. */
const takeNdOptions = ({ reduce, sum, mode, ignore_index, batch_dims }) => ({ reduce, sum, mode, ignore_index, batch_dims });

// ---------------------------------------------------------------- readers

/**
 * The readers of methods, by their names in METHODS. Those with a dim begin with the same line: a plan takes one place where dim and index take
 * two, so the reader calls itself with BY_PLAN for dim, and every parameter has the value of its name.
 */
export const methodReaders = {
  scatter(op, dim, index, src, options) {
    if (isPlan(dim)) return methodReaders.scatter(op, BY_PLAN, dim, index, src);
    const place = readAlong(op, ALONG, dim, index);
    const source = readValue(op, 'src', src);
    if (options === undefined) return scatterArguments(place, source, 'src', REPLACE, PLAIN);
    const given = readOptions(op, options, METHODS.scatter.options, takeScatterOptions);
    const update = readReduce(op, given.reduce, METHODS.scatter.words, scatterWay) | readSum(op, given.sum);
    const reading = readIndexOptions(op, given, place);
    return scatterArguments(place, source, 'src', update, reading);
  },

  /** Or indices, updates, options. A number comes first in one form only; a plan may be of either, and is read as one along a dim. */
  scatter_add(op, dim, index, src, options) {
    if (isPlan(dim)) return methodReaders.scatter_add(op, BY_PLAN, dim, index, src);
    if (dim !== BY_PLAN && typeof dim !== 'number' && (src === undefined || isOptions(src))) {
      const [indices, updates, last] = [dim, index, src];
      const place = readTuples(op, indices);
      return readAdd(op, place, readValue(op, 'updates', updates), 'updates', last);
    }
    const place = readAlong(op, ALONG, dim, index);
    return readAdd(op, place, readValue(op, 'src', src), 'src', options);
  },

  scatter_reduce(op, dim, index, src, reduce, options) {
    if (isPlan(dim)) return methodReaders.scatter_reduce(op, BY_PLAN, dim, index, src, reduce);
    const place = readAlong(op, ALONG, dim, index);
    const source = readValue(op, 'src', src);
    const number = numberOf(op, 'reduce', 'unknown-reduce', reduce, REDUCTIONS);
    const { include_self = true, sum, return_indices, ...given } = readOptions(op, options, METHODS.scatter_reduce.options);
    const excluded = flag(op, 'include_self', include_self) ? 0 : EXCLUDE_SELF;
    const update = number | readSum(op, sum) | excluded | (readArgmax(op, return_indices) ? ARGMAX : 0);
    const reading = readIndexOptions(op, given, place);
    return scatterArguments(place, source, 'src', update, reading);
  },

  scatter_nd(op, indices, updates, options) {
    const place = readTuples(op, indices);
    const src = readValue(op, 'updates', updates);
    const given = readOptions(op, options, METHODS.scatter_nd.options, takeNdOptions);
    const update = readReduce(op, given.reduce, METHODS.scatter_nd.words, ndWay) | readSum(op, given.sum);
    place.dim = readBatch(op, given.batch_dims, place);
    const reading = readIndexOptions(op, given, place);
    return scatterArguments(place, src, 'updates', update, reading);
  },

  index_add(op, dim, index, src, options) {
    if (isPlan(dim)) return methodReaders.index_add(op, BY_PLAN, dim, index, src);
    const place = readAlong(op, SLICES, dim, index);
    const source = readValue(op, 'src', src);
    const { alpha, sum, ...given } = readOptions(op, options, METHODS.index_add.options);
    if (alpha !== undefined) numeric(op, 'alpha', alpha);
    const update = ADD | readSum(op, sum) | (alpha !== undefined && isNumeric(source) ? SCALAR : 0);
    const reading = readIndexOptions(op, given, place);
    return scatterArguments(place, source, 'src', update, reading, alpha);
  },

  index_copy(op, dim, index, src, options) {
    if (isPlan(dim)) return methodReaders.index_copy(op, BY_PLAN, dim, index, src);
    const place = readAlong(op, SLICES, dim, index);
    const source = readValue(op, 'src', src);
    const reading = readIndexOptionsAlone(op, options, place);
    return scatterArguments(place, source, 'src', REPLACE, reading);
  },

  index_fill(op, dim, index, value, options) {
    if (isPlan(dim)) return methodReaders.index_fill(op, BY_PLAN, dim, index, value);
    const place = readAlong(op, SLICES, dim, index);
    const source = numeric(op, 'value', value);
    const reading = readIndexOptionsAlone(op, options, place);
    return scatterArguments(place, source, 'value', REPLACE, reading);
  },

  gather(op, dim, index, options) {
    if (isPlan(dim)) return methodReaders.gather(op, BY_PLAN, dim, index);
    return readGatherAt(op, readAlong(op, ALONG, dim, index), options);
  },

  index_select(op, dim, index, options) {
    if (isPlan(dim)) return methodReaders.index_select(op, BY_PLAN, dim, index);
    return readGatherAt(op, readAlong(op, SLICES, dim, index), options);
  },

  gather_nd(op, indices, options) {
    const place = readTuples(op, indices);
    const given = readOptions(op, options, METHODS.gather_nd.options);
    place.dim = readBatch(op, given.batch_dims, place);
    return gatherFrom(op, place, given);
  },
};

const roundings = ROUNDINGS.map((name, number) => [name, number]);

/** Reads the arguments of a method that combines two tensors. Its row says whether it has options. */
export function readPair(op, { options: known }, other, options) {
  if (known.length === 0) refuseOptions(op, options, ': elementwise_mul and its siblings have an activation');
  const factor = readValue(op, 'other', other);
  const { rounding } = known.length > 0 ? readOptions(op, options, known) : {};
  const number = rounding === undefined ? NO_ROUNDING : numberOf(op, 'rounding', 'invalid-argument', rounding, roundings);
  return { factor, name: 'other', axis: -1, activation: NO_ACTIVATION, rounding: number };
}

/** Reads the arguments of a function on rows, after its tensor. Its row says what it does with an update, and which options it has. */
export function readRows(op, { update, options: known }, indices, updates, options) {
  const place = readTuples(op, indices);
  const src = readValue(op, 'updates', updates);
  const number = REDUCES.indexOf(update);
  if (options === undefined) return scatterArguments(place, src, 'updates', number, PLAIN);
  const given = readOptions(op, options, known);
  const reading = readIndexOptions(op, given, place);
  return scatterArguments(place, src, 'updates', number | readSum(op, given.sum), reading);
}

/** The arguments of `elementwise_mul` and its siblings after x, as `readPair` returns them; `label` is the name of the result. */
export function readAligned(op, y, ...options) {
  const { axis, activation, name: label } = readElementwise(op, options);
  return { factor: readValue(op, 'y', y), name: 'y', axis, activation, rounding: NO_ROUNDING, label };
}

/** The arguments of `activate` after x, as `readAligned` returns those of a product with 1. It has no options. */
export function readActivate(op, act, options) {
  refuseOptions(op, options);
  return { factor: 1, name: 'y', axis: -1, activation: activationNumber(op, text(op, 'act', act)), rounding: NO_ROUNDING };
}

/** Reads the arguments after the tensor, for an operator as `operatorsWhere` returns it: one that scatters, gathers or combines two tensors. */
export function readBehind({ op, name, row }, args) {
  if (row.run === 'rows') return readRows(op, row, ...args);
  if (row.run === 'pair') return op === name ? readAligned(op, ...args) : readPair(op, row, ...args);
  return name === 'activate' ? readActivate(op, ...args) : methodReaders[name](op, ...args);
}
