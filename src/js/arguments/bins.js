// The bins and ranges of histograms. A column is one coordinate of the samples: `histogram` has one column, `histogramdd` one for each number in
// a sample. A range that was read is `{ ends: [low, high] }`; not a plain array, because an array means a list with one for each column.

import { add, dims, DTYPE_OF, word } from '../engine/engine.js';
import { failure, readable, ValueError, wrongKind } from '../engine/errors.js';
import { MAX_RANK, RANK } from '../engine/wire.js';
import { integer } from './arguments.js';
import { dtypeOf, operandHandle, OWN_DTYPE, readOperand, targetOf } from './operands.js';

const isWide = (dtype) => dtype === DTYPE_OF.int64 || dtype === DTYPE_OF.uint64;
const isCount = (bins) => typeof bins === 'number';

const readBins = (op, bins) => (isCount(bins) ? integer(op, 'bins', bins) : readOperand(op, 'bins', bins));

function readEnds(op, range) {
  const wanted = 'an array of two numbers';
  if (!Array.isArray(range)) throw wrongKind(op, 'range', wanted, range);
  const { length } = range;
  if (length !== 2) throw failure(ValueError, 'invalid-argument', op, `range has ${length} entries; it must be ${wanted}, its ends`, { argument: 'range' });
  const ends = [range[0], range[1]];
  for (const end of ends) if (typeof end !== 'number') throw wrongKind(op, 'range', wanted, end);
  return { ends };
}

const WANTED_RANGES = 'an array with a range for each column: [[0, 1], [0, 1]]';

/** The range of one column of histogramdd; undefined for undefined and null. */
function readColumnRange(op, range) {
  if (typeof range === 'number') throw wrongKind(op, 'range', WANTED_RANGES, range);
  return range === undefined || range === null ? undefined : readEnds(op, range);
}

/**
 * Reads an array of the caller with an entry for each column, each by `readOne(op, entry)`. `wanted` describes the array. Refuses more
 * entries than a tensor can have dimensions; Rust refuses more than 8.
 */
function readList(op, argument, list, wanted, readOne) {
  return readable(op, argument, () => {
    if (!Array.isArray(list)) throw wrongKind(op, argument, wanted, list);
    const { length } = list;
    if (length > MAX_RANK) throw failure(ValueError, 'shape-mismatch', op, `${argument} has ${length} entries; it must have one for each column of sample`, { argument });
    return Array.from({ length }, (_, at) => readOne(op, list[at]));
  });
}

export const readDivision = (op, name, bins = 10) => readBins(op, bins);

export const readRange = (op, name, range) => (range === undefined ? undefined : readable(op, name, () => readEnds(op, range)));

/** The bins of several columns: one number for all of them, or a list. */
export const readColumns = (op, name, bins = 10) => (isCount(bins) ? integer(op, name, bins) : readList(op, name, bins, 'a number, or an array with an entry for each column', readBins));

/** The same for binned_statistic, where a tensor or a typed array holds the edges of the one column. */
export const readStatisticBins = (op, name, bins) => readColumns(op, name, bins === undefined || isCount(bins) || Array.isArray(bins) ? bins : [bins]);

/** The ranges of several columns: a list, or undefined for none. */
export function readRanges(op, name, range, { previous: bins }) {
  const ranges = range === undefined ? undefined : readList(op, name, range, WANTED_RANGES, readColumnRange);
  if (ranges && !isCount(bins) && bins.length !== ranges.length) {
    throw failure(ValueError, 'shape-mismatch', op, `bins has ${bins.length} entries and range ${ranges.length}; both have one for each column`, { argument: 'range' });
  }
  return ranges;
}

/**
 * The handle of the edges of bins. Edges in plain arrays become floats of the samples' `dtype`, or float64 for integer samples, so that a
 * sample 0.1 is on an edge 0.1. Typed arrays keep their dtype, and so do bigints for samples of 64-bit integers, with which Rust compares them exactly.
 */
function edgesHandle(op, bins, dtype) {
  const target = dtype >= DTYPE_OF.float16 ? dtype : DTYPE_OF.float64; // the floats are the last dtypes
  const areExact = isWide(bins.own) && isWide(dtype);
  return operandHandle(op, 'bins', bins, areExact ? OWN_DTYPE : targetOf(bins, target));
}

/** Passes the bins and ranges of all columns, after the samples: how many columns there are, and for each its edges or 0, its number of bins and its range. */
export function passBins(op, name, bins, { tensor }, ranges) {
  const dtype = dtypeOf(tensor);
  // dtypeOf has put the shape of the samples into the block. Rust refuses another rank, and too many columns.
  const columns = op === 'histogram' || word(RANK) !== 2 ? 1 : Math.min(dims(2)[1], MAX_RANK);
  const entries = [bins, ranges].find(Array.isArray)?.length ?? columns;
  if (word(RANK) <= 2 && !Array.isArray(bins) && entries !== columns) {
    const argument = op === 'histogram' ? 'x' : 'sample';
    throw failure(ValueError, 'shape-mismatch', op, `range has ${entries} entries, and ${argument} ${columns} columns; it must have one for each`, { argument: 'range' });
  }
  add(entries);
  for (let column = 0; column < entries; column++) {
    const [division, range] = [bins, ranges].map((each) => (Array.isArray(each) ? each[column] : each));
    const edges = isCount(division) ? [0, division] : [edgesHandle(op, division, dtype), 0];
    [...edges, range === undefined ? 0 : 1, ...(range?.ends ?? [0, 0])].forEach(add);
  }
}
