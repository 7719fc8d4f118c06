// bincount, histogram, histogramdd and binned_statistic: docs/operators/histogram.md and its neighbours.

import { ARRAYS, isFloat } from './elements.js';
import { convert, ravel, sizeOf, unravel, valueOf } from './oracle.js';
import { combined, like, linesOf, stored, summed } from './results.js';

/** Whether an element counts. */
const isKept = (mask, k) => !mask || mask.data[k] === 1;

/**
 * The sums of counted elements, or their number: `cells[c]` lists the elements of cell c in order, and `out` is the option dtype. `own` is
 * the dtype of the result without it.
 */
function totals(cells, { weights, sum, dtype: out }, own, shape) {
  const dtype = out ?? own;
  if (!weights) return { dtype, shape, data: ARRAYS[dtype].from(cells, (cell) => convert(dtype, cell.length)) };
  const terms = Array.from(weights.data, (element) => (weights.dtype === dtype ? valueOf(dtype, element) : valueOf(dtype, convert(dtype, valueOf(weights.dtype, element)))));
  const zero = /int64/.test(dtype) ? 0n : 0;
  return like(dtype, shape, cells.map((cell) => summed(dtype, cell.map((k) => terms[k]), zero, sum === 'exact')));
}

export function counted({ self, options }) {
  const { weights, minlength = 0, length, mask, dim, ignore_index } = options;
  const values = Array.from(self.data, Number);
  const counts = (k) => isKept(mask, k) && values[k] !== ignore_index;
  const kept = values.filter((_, k) => counts(k));
  if (kept.some((value) => value < 0)) return { error: 'invalid-argument' };
  const count = length ?? Math.max(minlength, ...kept.map((value) => value + 1));
  const d = dim === undefined ? 0 : dim < 0 ? dim + self.shape.length : dim;
  const cells = linesOf(self.shape, d).flatMap((line) => Array.from({ length: count }, (_, value) => line.filter((k) => counts(k) && values[k] === value)));
  const own = weights ? (weights.dtype === 'float32' ? 'float32' : 'float64') : 'int64';
  return { result: totals(cells, options, own, [...self.shape.filter((_, at) => at !== d), count]) };
}

/** The smallest and the largest of samples, widened where they are equal, in the dtype of the edges; null where no range follows from them. */
function rangeOf(samples, round) {
  if (samples.length === 0) return [0, 1];
  if (!samples.every(Number.isFinite)) return null;
  const [low, high] = [Math.min(...samples), Math.max(...samples)];
  return low === high ? [round(low - 0.5), round(high + 0.5)] : [low, high];
}

/**
 * The edges of the bins of one column, `{ tensor, values }`, from the values of the samples that count; null if they are refused. `isExactRange`:
 * whether the edges of a given range stay float64.
 */
function edgesOf(samples, dtype, bins, range, isExactRange) {
  if (bins.dtype) return { tensor: bins, values: Array.from(bins.data, (element) => Number(valueOf(bins.dtype, element))) };
  const own = isFloat(dtype) ? dtype : 'float64';
  const round = (x) => stored(range ? 'float64' : own, x);
  let ends = range ?? rangeOf(samples, round);
  if (!ends) return null;
  if (range && ends[0] === ends[1]) ends = [ends[0] - 0.5, ends[1] + 0.5];
  const width = round(ends[1] - ends[0]);
  if (!Number.isFinite(width)) return null;
  const step = round(width / bins);
  const out = range && isExactRange ? 'float64' : own;
  const values = Array.from({ length: bins + 1 }, (_, i) => stored(out, i === bins ? ends[1] : round(ends[0] + round(i * step))));
  const isEqual = values.some((edge, i) => i > 0 && !(values[i - 1] < edge));
  return isEqual && !isExactRange ? null : { tensor: like(out, [bins + 1], values), values };
}

/** The bin of a value; -1 if it is outside. */
function binOf(value, edges) {
  const last = edges.length - 2;
  for (let i = 0; i <= last; i++) if ((edges[i] <= value && value < edges[i + 1]) || (i === last && value === edges[i + 1])) return i;
  return -1;
}

/** The places of a column in a sample of shape [n, d] or [n]. */
const columnsOf = ({ shape }) => Array.from({ length: shape[1] ?? 1 }, (_, c) => Array.from({ length: shape[0] }, (_, k) => k * (shape[1] ?? 1) + c));

/**
 * Samples in cells: `{ sizes, cells, edges }`, or null if the edges are refused. `columns` has the places of each coordinate of the samples in
 * self; a cell lists samples.
 */
function inCells(self, columns, { bins = 10, range, mask }, isExactRange) {
  const values = Array.from(self.data, (element) => Number(valueOf(self.dtype, element)));
  const edges = columns.map((places, c) => {
    const kept = places.filter((_, k) => isKept(mask, k)).map((place) => values[place]);
    const of = (option) => (Array.isArray(option) ? option[c] : option);
    return edgesOf(kept, self.dtype, of(bins), (isExactRange ? of(range) : range) ?? (places.length === 0 ? [0, 1] : undefined), isExactRange);
  });
  if (edges.includes(null)) return null;
  const sizes = edges.map((each) => each.values.length - 1);
  const cells = Array.from({ length: sizeOf(sizes) }, () => []);
  for (const k of columns[0].keys()) {
    const at = columns.map((places, c) => binOf(values[places[k]], edges[c].values));
    if (isKept(mask, k) && !at.includes(-1)) cells[ravel(at, sizes)].push(k);
  }
  return { sizes, cells, edges };
}

/** Counts as a density: divided by the widths of their bins, then by the sum of all of a row, in float64. */
function densityOf(hist, edges, dtype) {
  const bins = edges.values.length - 1;
  const widths = Array.from({ length: bins }, (_, i) => (isFloat(edges.tensor.dtype) ? stored(edges.tensor.dtype, edges.values[i + 1] - edges.values[i]) : edges.values[i + 1] - edges.values[i]));
  const counts = Array.from(hist.data, (element) => Number(valueOf(hist.dtype, element)));
  const sums = counts.map((_, k) => counts.slice(k - (k % bins), k - (k % bins) + bins).reduce((total, count) => total + count, 0));
  return like(dtype, hist.shape, counts.map((count, k) => count / widths[k % bins] / sums[k]));
}

export function coded({ self, options }) {
  const found = inCells(self, columnsOf(self), options, true);
  if (!found) return { error: 'invalid-argument' };
  const codes = new Int32Array(self.shape[0]).fill(-1);
  for (const [code, cell] of found.cells.entries()) for (const k of cell) codes[k] = code;
  return { codes: { dtype: 'int32', shape: [codes.length], data: codes }, edges: found.edges.map(({ tensor }) => tensor) };
}

export function histogrammed({ op, self, options }) {
  const isRows = op === 'histogramdd';
  const { weights, density, dim, dtype } = options;
  const columns = isRows ? columnsOf(self) : [Array.from(self.data.keys())];
  const found = inCells(self, columns, options, isRows);
  if (!found) return { error: 'invalid-argument' };
  const { sizes, edges } = found;
  let [cells, shape] = [found.cells, sizes];
  if (dim !== undefined) {
    const d = dim < 0 ? dim + self.shape.length : dim;
    const lines = linesOf(self.shape, d);
    cells = lines.flatMap((line) => found.cells.map((cell) => cell.filter((k) => line.includes(k))));
    shape = [...self.shape.filter((_, at) => at !== d), ...sizes];
  }
  const hist = totals(cells, options, weights?.dtype ?? (isRows ? 'float64' : 'int64'), shape);
  const result = density ? densityOf(hist, edges[0], dtype ?? 'float64') : hist;
  return isRows ? { hist: result, edges: edges.map(({ tensor }) => tensor) } : { hist: result, edges: edges[0].tensor };
}

/** What a statistic is of the values in a bin. */
const statistics = {
  sum: (dtype, all) => summed(dtype, all, /int64/.test(dtype) ? 0n : 0, true),
  mean: (dtype, all) => (all.length === 0 ? NaN : summed(dtype, all, -0, true, all.length)), // of −0 alone it is −0
  min: (dtype, all) => (all.length === 0 ? NaN : combined(dtype, 'amin', all)),
  max: (dtype, all) => (all.length === 0 ? NaN : combined(dtype, 'amax', all)),
};

export function binned({ self, args: { values, statistic }, options }) {
  const found = inCells(self, columnsOf(self), options, true);
  if (!found) return { error: 'invalid-argument' };
  const { sizes, cells, edges } = found;
  const rows = values?.shape.length === 2 ? values.shape[0] : undefined;
  const shape = rows === undefined ? sizes : [rows, ...sizes];
  const count = self.shape[0];
  const results = Array.from({ length: sizeOf(shape) }, (_, k) => {
    const [row, cell] = [rows === undefined ? 0 : unravel(k, shape)[0], cells[k % cells.length]];
    if (statistic === 'count') return cell.length;
    return statistics[statistic](values.dtype, cell.map((at) => valueOf(values.dtype, values.data[row * count + at])));
  });
  return { statistic: like(statistic === 'count' ? 'float64' : values.dtype, shape, results), edges: edges.map(({ tensor }) => tensor) };
}
