// NumPy's counts: bincount, histogram and histogramdd.

import * as rust from '#glue';
import { integer, readOptions } from './arguments.js';
import { CALL, call, dims, DTYPE_OF, made, requireStart, word } from './engine.js';
import { failure, readable, ValueError, wrongKind } from './errors.js';
import { dtypeOf, operandHandle, OWN, readOperand } from './operands.js';
import { adopt } from './tensor.js';
import { INDEX, MAX_RANK, RANK } from './wire.js';

const { float16: FLOAT16, float64: FLOAT64 } = DTYPE_OF;

const readWeights = (op, weights) => (weights === undefined ? undefined : readOperand(op, 'weights', weights));
const weightsHandle = (op, weights) => (weights === undefined ? 0 : operandHandle(op, 'weights', weights, OWN));

export function bincount(x, options) {
  const op = 'bincount';
  requireStart(op);
  const values = readOperand(op, 'x', x);
  const { weights: given, minlength = 0 } = readOptions(op, options, ['weights', 'minlength']);
  const weights = readWeights(op, given);
  const least = integer(op, 'minlength', minlength);
  return adopt(
    call(op, () => {
      // Plain arrays become integers as an index does; typed arrays are what they are.
      const counted = operandHandle(op, 'x', values, values.isTyped ? OWN : INDEX);
      return made(op, rust.bincount(counted, weightsHandle(op, weights), least));
    }),
  );
}

// ---------------------------------------------------------------- arguments of histograms

const isCount = (bins) => typeof bins === 'number';

/** The number of bins, or their edges. */
const readBins = (op, bins) => (isCount(bins) ? integer(op, 'bins', bins) : readOperand(op, 'bins', bins));

/** Two numbers. */
function readRange(op, range) {
  const wanted = 'an array of two numbers';
  if (!Array.isArray(range)) throw wrongKind(op, 'range', wanted, range);
  const { length } = range;
  if (length !== 2) throw failure(ValueError, 'invalid-argument', op, `range has ${length} entries; it must be ${wanted}, its ends`, { argument: 'range' });
  const ends = [range[0], range[1]];
  for (const end of ends) if (typeof end !== 'number') throw wrongKind(op, 'range', wanted, end);
  return { ends };
}

const ofColumns = 'an array with a range for each column: [[0, 1], [0, 1]]';

/** The range of a column, if it has one. */
function readAxis(op, range) {
  if (typeof range === 'number') throw wrongKind(op, 'range', ofColumns, range);
  return range === undefined || range === null ? undefined : readRange(op, range);
}

/** A list with an entry for each column: no sample has more than a tensor has dimensions. */
function readColumns(op, argument, list, wanted, readOne) {
  return readable(op, argument, () => {
    if (!Array.isArray(list)) throw wrongKind(op, argument, wanted, list);
    const { length } = list;
    if (length > MAX_RANK) throw failure(ValueError, 'shape-mismatch', op, `${argument} has ${length} entries; it must have one for each column of sample`, { argument });
    return Array.from({ length }, (_, at) => readOne(op, list[at]));
  });
}

// ---------------------------------------------------------------- runs

/** Plain arrays of edges become floats of the samples' dtype, so that a sample 0.1 is on an edge 0.1; typed arrays keep their dtype. */
function edgesHandle(op, bins, dtype) {
  const target = dtype >= FLOAT16 ? dtype : FLOAT64;
  return operandHandle(op, 'bins', bins, bins.isTyped ? OWN : target);
}

/** Counts. Bins or ranges that are no array are used for every column. */
function count(op, argument, x, bins, ranges, weights, density) {
  return call(op, () => {
    const samples = operandHandle(op, argument, x, OWN);
    const dtype = dtypeOf(samples);
    const columns = op === 'histogram' || word(RANK) !== 2 ? 1 : Math.min(dims(2)[1], MAX_RANK);
    const entries = [bins, ranges].find(Array.isArray)?.length ?? columns;
    if (word(RANK) === 2 && !Array.isArray(bins) && entries !== columns) {
      throw failure(ValueError, 'shape-mismatch', op, `range has ${entries} entries, and ${argument} ${columns} columns; it must have one for each`, { argument: 'range' });
    }
    for (let at = 0; at < entries; at++) {
      const [each, range] = [bins, ranges].map((list) => (Array.isArray(list) ? list[at] : list));
      const [edges, count] = isCount(each) ? [0, each] : [edgesHandle(op, each, dtype), 0];
      rust.divide_column(at, edges, count, range !== undefined, ...(range?.ends ?? [0, 0]));
    }
    // All become tensors before the call ends: until then there is room on the stack, so that none is left behind.
    const hist = adopt(made(op, rust.histogram(CALL[op], samples, weightsHandle(op, weights), density, entries)));
    const edges = Array.from({ length: entries }, () => adopt(made(op, rust.histogram_edges())));
    return { hist, edges };
  });
}

export function histogram(x, options) {
  const op = 'histogram';
  requireStart(op);
  const values = readOperand(op, 'x', x);
  const { bins = 10, range, weights, density = false } = readOptions(op, options, ['bins', 'range', 'weights', 'density']);
  if (typeof density !== 'boolean') throw wrongKind(op, 'density', 'true or false', density);
  const divided = readBins(op, bins);
  const limits = range === undefined ? undefined : readable(op, 'range', () => readRange(op, range));
  const { hist, edges } = count(op, 'x', values, divided, limits, readWeights(op, weights), density);
  return { hist, edges: edges[0] };
}

export function histogramdd(sample, options) {
  const op = 'histogramdd';
  requireStart(op);
  const values = readOperand(op, 'sample', sample);
  const { bins = 10, range, weights } = readOptions(op, options, ['bins', 'range', 'weights']);
  const divided = isCount(bins) ? integer(op, 'bins', bins) : readColumns(op, 'bins', bins, 'a number, or an array with an entry for each column', readBins);
  const limits = range === undefined ? undefined : readColumns(op, 'range', range, ofColumns, readAxis);
  if (limits && !isCount(divided) && divided.length !== limits.length) {
    throw failure(ValueError, 'shape-mismatch', op, `bins has ${divided.length} entries and range ${limits.length}; both have one for each column`, { argument: 'range' });
  }
  return count(op, 'sample', values, divided, limits, readWeights(op, weights), false);
}
