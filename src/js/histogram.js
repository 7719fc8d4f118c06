// bincount, histogram and histogramdd.

import * as rust from '#glue';
import { integer, readOptions } from './arguments.js';
import { CALL, call, DTYPE_OF, lastError, made } from './engine.js';
import { failure, readable, ValueError, wrongKind } from './errors.js';
import { dtypeOf } from './indexed.js';
import { own, OWN, read } from './operands.js';
import { adopt } from './tensor.js';
import { INDEX, MAX_RANK } from './wire.js';

const { float16: FLOAT16, float64: FLOAT64 } = DTYPE_OF;

const readWeights = (op, weights) => (weights === undefined ? undefined : read(op, 'weights', weights));
const weightsHandle = (op, weights) => (weights === undefined ? 0 : own(op, 'weights', weights, OWN));

export function bincount(x, options) {
  const op = 'bincount';
  const values = read(op, 'x', x);
  const { weights: given, minlength = 0 } = readOptions(op, options, ['weights', 'minlength']);
  const weights = readWeights(op, given);
  const least = integer(op, 'minlength', minlength);
  return adopt(
    call(op, () => {
      // Plain arrays become integers as an index does; typed arrays are what they are.
      const counted = own(op, 'x', values, values.isTyped ? OWN : INDEX);
      return made(op, rust.bincount(counted, weightsHandle(op, weights), least));
    }),
  );
}

// ---------------------------------------------------------------- arguments of histograms

const isCount = (bins) => typeof bins === 'number';

/** The number of bins, or their edges. */
const readBins = (op, bins) => (isCount(bins) ? integer(op, 'bins', bins) : read(op, 'bins', bins));

/** Two numbers. */
function readRange(op, range) {
  const wanted = 'an array of two numbers';
  if (!Array.isArray(range)) throw wrongKind(op, 'range', wanted, range);
  const { length } = range;
  if (length !== 2) throw failure(ValueError, 'invalid-argument', op, `range has ${length} entries; it must be ${wanted}, its ends`, { argument: 'range' });
  return [0, 1].map((at) => {
    const end = range[at];
    if (typeof end !== 'number') throw wrongKind(op, 'range', wanted, end);
    return end;
  });
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

/** Plain arrays of edges become floats of the samples' dtype, so that a sample 0.1 is on an edge 0.1; typed arrays are what they are. */
function edgesHandle(op, bins, dtype) {
  if (isCount(bins)) return 0;
  const target = dtype >= FLOAT16 ? dtype : FLOAT64;
  return own(op, 'bins', bins, bins.isTyped ? OWN : target);
}

/** Counts. One number of bins is that of every column; no ranges are none for every column. */
function count(op, argument, x, { bins, ranges, weights, density }) {
  const hist = adopt(
    call(op, () => {
      const samples = own(op, argument, x, OWN);
      const dtype = dtypeOf(samples);
      const isShared = isCount(bins);
      const entries = isShared ? [bins] : bins;
      entries.forEach((each, at) => {
        if (!rust.divide(at, edgesHandle(op, each, dtype), isCount(each) ? each : 0)) throw lastError(op);
      });
      ranges.forEach((range, at) => rust.limit(at, range !== undefined, ...(range ?? [0, 0])));
      return made(op, rust.histogram(CALL[op], samples, weightsHandle(op, weights), density, isShared, entries.length, ranges.length));
    }),
  );
  const edges = hist.shape.map(() => adopt(call(op, () => made(op, rust.histogram_edges()))));
  return { hist, edges };
}

export function histogram(x, options) {
  const op = 'histogram';
  const values = read(op, 'x', x);
  const { bins = 10, range, weights, density = false } = readOptions(op, options, ['bins', 'range', 'weights', 'density']);
  if (typeof density !== 'boolean') throw wrongKind(op, 'density', 'true or false', density);
  const {
    hist,
    edges: [edges],
  } = count(op, 'x', values, {
    bins: isCount(bins) ? integer(op, 'bins', bins) : [read(op, 'bins', bins)],
    ranges: range === undefined ? [] : [readable(op, 'range', () => readRange(op, range))],
    weights: readWeights(op, weights),
    density,
  });
  return { hist, edges };
}

export function histogramdd(sample, options) {
  const op = 'histogramdd';
  const values = read(op, 'sample', sample);
  const { bins = 10, range, weights } = readOptions(op, options, ['bins', 'range', 'weights']);
  return count(op, 'sample', values, {
    bins: isCount(bins) ? integer(op, 'bins', bins) : readColumns(op, 'bins', bins, 'a number, or an array with an entry for each column', readBins),
    ranges: range === undefined ? [] : readColumns(op, 'range', range, 'an array with a range for each column', (_, each) => (each === undefined || each === null ? undefined : readRange(op, each))),
    weights: readWeights(op, weights),
    density: false,
  });
}
