// NumPy's counts: bincount, histogram and histogramdd. types.d.ts describes them.
//
// Errors begin with `op`, the name of the function. A column is one coordinate of the samples: `histogram` has one column, `histogramdd`
// one for each number in a sample. "Within a call" means between `enter` and `leave` of engine.js.

import * as rust from '#glue';
import { flag, integer, readOptions } from '../arguments/arguments.js';
import { dtypeOf, madeFrom, operandHandle, OWN_DTYPE, readOperand, targetOf } from '../arguments/operands.js';
import { FUNCTIONS } from '../arguments/operators.js';
import { readSum } from '../arguments/readers.js';
import { CALL, call, dims, DTYPE_OF, made, requireStart, word } from '../engine/engine.js';
import { failure, readable, ValueError, wrongKind } from '../engine/errors.js';
import { INDEX, MAX_RANK, RANK } from '../engine/wire.js';
import { tensorOf } from './tensor.js';

const { float16: FLOAT16, float64: FLOAT64 } = DTYPE_OF;

/** The weights as an operand; undefined for none. */
const readWeights = (op, weights) => (weights === undefined ? undefined : readOperand(op, 'weights', weights));
/** The handle of weights that were read, within a call; 0 for none. */
const weightsHandle = (op, weights) => (weights === undefined ? 0 : operandHandle(op, 'weights', weights, OWN_DTYPE));

export function bincount(x, options) {
  const op = 'bincount';
  requireStart(op);
  const values = readOperand(op, 'x', x);
  const { weights: given, minlength = 0, sum } = readOptions(op, options, FUNCTIONS.bincount.options);
  const weights = readWeights(op, given);
  const leastCounts = integer(op, 'minlength', minlength);
  const isExact = readSum(op, sum) !== 0;
  return tensorOf(
    call(op, () => {
      // Plain arrays become integers, as an index does.
      const counted = operandHandle(op, 'x', values, targetOf(values, INDEX));
      return madeFrom(op, rust.bincount(counted, weightsHandle(op, weights), leastCounts, isExact), values);
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
 * Counts samples, and returns the tensors `{ hist, edges }`: `edges` has a tensor for each column. Errors call the samples `argument`.
 * `bins` and `ranges` are lists with an entry for each column, or one entry for all columns; ranges may be undefined. With `density` the
 * counts become a density; `sum` is that option.
 */
function countSamples(op, argument, x, bins, ranges, weights, { density, sum }) {
  const isExact = readSum(op, sum) !== 0;
  return call(op, () => {
    const samples = operandHandle(op, argument, x, OWN_DTYPE);
    const dtype = dtypeOf(samples);
    // dtypeOf has put the shape of the samples into the block. Rust refuses another rank, and too many columns.
    const columns = op === 'histogram' || word(RANK) !== 2 ? 1 : Math.min(dims(2)[1], MAX_RANK);
    const entries = [bins, ranges].find(Array.isArray)?.length ?? columns;
    if (word(RANK) === 2 && !Array.isArray(bins) && entries !== columns) {
      throw failure(ValueError, 'shape-mismatch', op, `range has ${entries} entries, and ${argument} ${columns} columns; it must have one for each`, { argument: 'range' });
    }
    for (let at = 0; at < entries; at++) {
      const [division, range] = [bins, ranges].map((each) => (Array.isArray(each) ? each[at] : each));
      const [edges, binCount] = isCount(division) ? [0, division] : [edgesHandle(op, division, dtype), 0];
      rust.divide_column(at, edges, binCount, range !== undefined, ...(range?.ends ?? [0, 0]));
    }
    // All become tensors before the call ends: until then the guard guarantees room on the stack, so each handle gets an owner.
    const hist = tensorOf(made(op, rust.histogram(CALL[op], samples, weightsHandle(op, weights), density, entries, isExact)));
    const edges = Array.from({ length: entries }, () => tensorOf(made(op, rust.histogram_edges())));
    return { hist, edges };
  });
}

export function histogram(x, options) {
  const op = 'histogram';
  requireStart(op);
  const values = readOperand(op, 'x', x);
  const { bins = 10, range, weights, density = false, sum } = readOptions(op, options, FUNCTIONS.histogram.options);
  flag(op, 'density', density);
  const division = readBins(op, bins);
  const checkedRange = range === undefined ? undefined : readable(op, 'range', () => readRange(op, range));
  const { hist, edges } = countSamples(op, 'x', values, division, checkedRange, readWeights(op, weights), { density, sum });
  return { hist, edges: edges[0] };
}

export function histogramdd(sample, options) {
  const op = 'histogramdd';
  requireStart(op);
  const values = readOperand(op, 'sample', sample);
  const { bins = 10, range, weights, sum } = readOptions(op, options, FUNCTIONS.histogramdd.options);
  const divisions = isCount(bins) ? integer(op, 'bins', bins) : readColumns(op, 'bins', bins, 'a number, or an array with an entry for each column', readBins);
  const ranges = range === undefined ? undefined : readColumns(op, 'range', range, WANTED_RANGES, readColumnRange);
  if (ranges && !isCount(divisions) && divisions.length !== ranges.length) {
    throw failure(ValueError, 'shape-mismatch', op, `bins has ${divisions.length} entries and range ${ranges.length}; both have one for each column`, { argument: 'range' });
  }
  return countSamples(op, 'sample', values, divisions, ranges, readWeights(op, weights), { density: false, sum }); // no option density
}
