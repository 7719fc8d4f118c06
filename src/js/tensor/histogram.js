// NumPy's counts and SciPy's statistics of bins: bincount, histogram, histogramdd and binned_statistic. types.d.ts describes them.
//
// Errors begin with `op`, the name of the function. A column is one coordinate of the samples: `histogram` has one column, `histogramdd`
// one for each number in a sample. "Within a call" means between `enter` and `leave` of engine.js.

import * as rust from '#glue';
import { dtypeNumber, flag, integer, readOptions, word as wordOf } from '../arguments/arguments.js';
import { dtypeOf, madeFrom, operandHandle, OWN_DTYPE, readOperand, targetOf } from '../arguments/operands.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { readSum } from '../arguments/readers.js';
import { CALL, call, dims, DTYPE_OF, made, requireStart, word } from '../engine/engine.js';
import { failure, readable, ValueError, wrongKind } from '../engine/errors.js';
import { INDEX, MAX_RANK, RANK, STATISTICS } from '../engine/wire.js';
import { tensorOf } from './tensor.js';

const { float16: FLOAT16, float64: FLOAT64 } = DTYPE_OF;
/** The number of the statistic that needs no values. */
const COUNT = STATISTICS.indexOf('count');

/** An operand that may be left out; undefined for none. */
const readOptional = (op, argument, value) => (value === undefined ? undefined : readOperand(op, argument, value));
/** The handle of such an operand, within a call; 0 for none. */
const optionalHandle = (op, argument, operand) => (operand === undefined ? 0 : operandHandle(op, argument, operand, OWN_DTYPE));

/** The options that all counting functions share: `sum`, `weights`, `mask`, `dim` and `dtype`. NaN is no dim. */
const readCounted = (op, { sum, weights, mask, dim, dtype }) => ({
  weights: readOptional(op, 'weights', weights),
  mask: readOptional(op, 'mask', mask),
  dim: dim === undefined ? NaN : integer(op, 'dim', dim),
  dtype: dtype === undefined ? OWN_DTYPE : dtypeNumber(op, dtype),
  isExact: readSum(op, sum) !== 0,
});

export function bincount(x, options) {
  const op = 'bincount';
  requireStart(op);
  const values = readOperand(op, 'x', x);
  const given = readOptions(op, options, FUNCTIONS.bincount.options);
  const { minlength = 0, length } = given;
  const counted = readCounted(op, given);
  const least = integer(op, 'minlength', minlength);
  const count = length === undefined ? least : integer(op, 'length', length);
  if (count < least) {
    throw failure(ValueError, 'invalid-argument', op, `length is ${count}, less than minlength ${least}: give one of them`, { argument: 'length', value: count });
  }
  return tensorOf(
    call(op, () => {
      // Plain arrays become integers, as an index does.
      const handle = operandHandle(op, 'x', values, targetOf(values, INDEX));
      const [weights, mask] = [optionalHandle(op, 'weights', counted.weights), optionalHandle(op, 'mask', counted.mask)];
      return madeFrom(op, rust.bincount(handle, weights, mask, count, length !== undefined, counted.dim, counted.dtype, counted.isExact), values);
    }),
  );
}

// ---------------------------------------------------------------- arguments of histograms

/** Whether bins are given by their number instead of their edges. */
const isCount = (bins) => typeof bins === 'number';

/** The bins of one column: their number, or their edges as an operand. */
const readBins = (op, bins) => (isCount(bins) ? integer(op, 'bins', bins) : readOperand(op, 'bins', bins));

/** A range as `{ ends: [low, high] }`. Not a plain array, because an array means a list of ranges, one for each column. */
function readRange(op, range) {
  const wanted = 'an array of two numbers';
  if (!Array.isArray(range)) throw wrongKind(op, 'range', wanted, range);
  const { length } = range;
  if (length !== 2) throw failure(ValueError, 'invalid-argument', op, `range has ${length} entries; it must be ${wanted}, its ends`, { argument: 'range' });
  const ends = [range[0], range[1]];
  for (const end of ends) if (typeof end !== 'number') throw wrongKind(op, 'range', wanted, end);
  return { ends };
}

/** What the ranges of histogramdd must be, in errors. */
const WANTED_RANGES = 'an array with a range for each column: [[0, 1], [0, 1]]';

/** The range of one column of histogramdd; undefined for undefined and null. */
function readColumnRange(op, range) {
  if (typeof range === 'number') throw wrongKind(op, 'range', WANTED_RANGES, range);
  return range === undefined || range === null ? undefined : readRange(op, range);
}

/**
 * Reads an array of the caller with an entry for each column, each by `readOne(op, entry)`. `wanted` describes the array. Refuses more
 * entries than a tensor can have dimensions; Rust refuses more than 8.
 */
function readColumns(op, argument, list, wanted, readOne) {
  return readable(op, argument, () => {
    if (!Array.isArray(list)) throw wrongKind(op, argument, wanted, list);
    const { length } = list;
    if (length > MAX_RANK) throw failure(ValueError, 'shape-mismatch', op, `${argument} has ${length} entries; it must have one for each column of sample`, { argument });
    return Array.from({ length }, (_, at) => readOne(op, list[at]));
  });
}

// ---------------------------------------------------------------- runs

/**
 * The handle of the edges of bins, within a call. Edges in plain arrays become floats of the samples' `dtype`, or float64 for integer
 * samples, so that a sample 0.1 is on an edge 0.1. Typed arrays keep their dtype.
 */
function edgesHandle(op, bins, dtype) {
  const target = dtype >= FLOAT16 ? dtype : FLOAT64; // the floats are the last dtypes
  return operandHandle(op, 'bins', bins, targetOf(bins, target));
}

/**
 * Finds the bins of samples, and returns the tensors `{ result, edges }`: `edges` has a tensor for each column. Errors call the samples
 * `argument`. `bins` and `ranges` are lists with an entry for each column, or one entry for all columns; ranges may be undefined. `run` makes the
 * result, within the call: it gets the handle of the samples and the number of columns that were described.
 */
function inBins(op, argument, x, bins, ranges, run) {
  return call(op, () => {
    const samples = operandHandle(op, argument, x, OWN_DTYPE);
    const dtype = dtypeOf(samples);
    // dtypeOf has put the shape of the samples into the block. Rust refuses another rank, and too many columns.
    const columns = op === 'histogram' || word(RANK) !== 2 ? 1 : Math.min(dims(2)[1], MAX_RANK);
    const entries = [bins, ranges].find(Array.isArray)?.length ?? columns;
    if (word(RANK) <= 2 && !Array.isArray(bins) && entries !== columns) {
      throw failure(ValueError, 'shape-mismatch', op, `range has ${entries} entries, and ${argument} ${columns} columns; it must have one for each`, { argument: 'range' });
    }
    for (let at = 0; at < entries; at++) {
      const [division, range] = [bins, ranges].map((each) => (Array.isArray(each) ? each[at] : each));
      const [edges, binCount] = isCount(division) ? [0, division] : [edgesHandle(op, division, dtype), 0];
      rust.divide_column(at, edges, binCount, range !== undefined, ...(range?.ends ?? [0, 0]));
    }
    // All become tensors before the call ends: until then the guard guarantees room on the stack, so each handle gets an owner.
    const result = tensorOf(made(op, run(samples, entries)));
    const edges = Array.from({ length: entries }, () => tensorOf(made(op, rust.histogram_edges())));
    return { result, edges };
  });
}

/** Counts samples: `inBins` for a histogram. With `density` the counts become a density; `counted` has the options of `readCounted`. */
function countSamples(op, argument, x, bins, ranges, density, counted) {
  const { result, edges } = inBins(op, argument, x, bins, ranges, (samples, entries) => {
    const [weights, mask] = [optionalHandle(op, 'weights', counted.weights), optionalHandle(op, 'mask', counted.mask)];
    return rust.histogram(CALL[op], samples, weights, mask, density, entries, counted.dim, counted.dtype, counted.isExact);
  });
  return { hist: result, edges };
}

export function histogram(x, options) {
  const op = 'histogram';
  requireStart(op);
  const values = readOperand(op, 'x', x);
  const given = readOptions(op, options, FUNCTIONS.histogram.options);
  const { bins = 10, range, density = false } = given;
  flag(op, 'density', density);
  const division = readBins(op, bins);
  const checkedRange = range === undefined ? undefined : readable(op, 'range', () => readRange(op, range));
  const { hist, edges } = countSamples(op, 'x', values, division, checkedRange, density, readCounted(op, given));
  return { hist, edges: edges[0] };
}

/** The bins and ranges of several columns: `[divisions, ranges]` for `inBins`. */
function readDivisions(op, { bins = 10, range }) {
  const divisions = isCount(bins) ? integer(op, 'bins', bins) : readColumns(op, 'bins', bins, 'a number, or an array with an entry for each column', readBins);
  const ranges = range === undefined ? undefined : readColumns(op, 'range', range, WANTED_RANGES, readColumnRange);
  if (ranges && !isCount(divisions) && divisions.length !== ranges.length) {
    throw failure(ValueError, 'shape-mismatch', op, `bins has ${divisions.length} entries and range ${ranges.length}; both have one for each column`, { argument: 'range' });
  }
  return [divisions, ranges];
}

export function histogramdd(sample, options) {
  const op = 'histogramdd';
  requireStart(op);
  const values = readOperand(op, 'sample', sample);
  const given = readOptions(op, options, FUNCTIONS.histogramdd.options);
  return countSamples(op, 'sample', values, ...readDivisions(op, given), false, readCounted(op, given)); // no option density
}

export function binned_statistic(sample, values, statistic, options) {
  const op = 'binned_statistic';
  requireStart(op);
  const samples = readOperand(op, 'sample', sample);
  const number = STATISTICS.indexOf(wordOf(op, 'statistic', statistic, 'the name of a statistic', STATISTICS, 'invalid-argument'));
  const isCounting = number === COUNT;
  const given = values === null && isCounting ? undefined : readOperand(op, 'values', values);
  const { bins, range, mask } = readOptions(op, options, FUNCTIONS.binned_statistic.options);
  // A tensor or a typed array holds the edges of the one column; an array has an entry for each.
  const list = bins === undefined || isCount(bins) || Array.isArray(bins) ? bins : [bins];
  const [divisions, ranges] = readDivisions(op, { bins: list, range });
  const kept = readOptional(op, 'mask', mask);
  const { result, edges } = inBins(op, 'sample', samples, divisions, ranges, (handle, entries) =>
    rust.binned_statistic(handle, optionalHandle(op, 'values', given), optionalHandle(op, 'mask', kept), number, entries),
  );
  return { statistic: result, edges };
}
