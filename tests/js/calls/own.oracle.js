// The definitions of the operators that own.js draws: slow loops over arrays of JavaScript. Nothing here is the library's.

import { binned, coded, counted, histogrammed } from './bins.oracle.js';
import { ARRAYS, asBits, isFloat } from './elements.js';
import { inGroups } from './groups.oracle.js';
import { masks } from './masks.oracle.js';
import { combine, convert, expected, places, position, sizeOf, unravel, valueOf } from './oracle.js';
import { combined, int64, integers, isBefore, isNaN, like, linesOf, stored, summed } from './results.js';

/**
 * The right results of a call by their names, or `{ error }` with the code of the error that it must be refused with. A result is
 * `{ dtype, shape, data }`, with `isMoved` if its elements keep every bit, those of a NaN too. A number that is only known within bounds has
 * `low` and `high` in the place of data: see groups.oracle.js. `device` chooses these.
 */
export function expectedOwn(call, device = 'cpu') {
  return definitions[call.op.replace(/_$/, '')](call, device);
}

/** Whether there is a definition of an operator. */
export const isDefined = (op) => Object.hasOwn(definitions, op);

// ---- order

/** The positions of values in stable order. */
function order(values, descending) {
  const before = (a, b) => (isNaN(a) || isNaN(b) || !descending ? isBefore(a, b) : b < a);
  return Array.from(values.keys()).sort((i, j) => (before(values[i], values[j]) ? -1 : before(values[j], values[i]) ? 1 : i - j));
}
const valuesOf = ({ dtype, data }) => Array.from(data, (element) => valueOf(dtype, element));
/** Elements of a tensor in another order, with their bits. */
function moved({ dtype, data }, shape, from) {
  const out = new ARRAYS[dtype](from.length);
  const [to_bits, from_bits] = [asBits(out), asBits(data)];
  for (const [to, place] of from.entries()) to_bits[to] = from_bits[place];
  return { dtype, shape, data: out, isMoved: true };
}

function sorted({ self, args: { dim }, options: { descending = false, dtype = 'int64' } }) {
  const all = valuesOf(self);
  const [indices, from] = [new Array(all.length), new Array(all.length)];
  for (const line of linesOf(self.shape, dim)) {
    for (const [to, i] of order(line.map((place) => all[place]), descending).entries()) [indices[line[to]], from[line[to]]] = [i, line[i]];
  }
  return { values: moved(self, self.shape, from), indices: integers(dtype, self.shape, indices) };
}

function distinct({ self, options: { dtype = 'int64' } }) {
  const all = valuesOf(self);
  const [index, inverse, counts] = [[], new Array(all.length), []];
  for (const place of order(all, false)) {
    const last = index.length > 0 ? all[index.at(-1)] : undefined;
    if (index.length === 0 || isBefore(last, all[place])) {
      index.push(place);
      counts.push(0);
    }
    counts[counts.length - 1] += 1;
    inverse[place] = index.length - 1;
  }
  const shape = [index.length];
  return { values: moved(self, shape, index), index: integers(dtype, shape, index), inverse: integers(dtype, self.shape, inverse), counts: integers(dtype, shape, counts) };
}

function searched({ self, args: { x }, options: { right = false, dtype = 'int64' } }) {
  const edges = valuesOf(self);
  if (edges.some((edge, at) => at > 0 && isBefore(edge, edges[at - 1]))) return { error: 'invalid-argument' };
  return { result: integers(dtype, x.shape, valuesOf(x).map((value) => edges.filter((edge) => (right ? !isBefore(value, edge) : isBefore(edge, value))).length)) };
}

// ---- reductions

/** The first of `terms` that has a value of a maximum or minimum: zeros differ by their signs, and one NaN is as good as another. */
const firstOf = (terms, value) => terms.findIndex((term) => Object.is(term, value));

/** scatter_reduce by a maximum or minimum: the values, and the position along dim of the update that won, -1 where self's value stayed. */
function winners({ self, args: { dim, index, src, reduce }, options }) {
  const call = { op: 'Tensor.scatter_reduce', form: 'along', how: reduce, self, index, dim, source: src, ...options };
  const values = { dtype: self.dtype, shape: self.shape, data: new ARRAYS[self.dtype](expected(call).bytes.slice().buffer) };
  const terms = Array.from(self.data, () => []);
  for (const [to, from] of places(call)) if (to >= 0) terms[to].push([valueOf(src.dtype, src.data[from]), unravel(from, src.shape).at(dim)]);
  const indices = terms.map((all, place) => {
    const value = valueOf(self.dtype, values.data[place]);
    const isOwn = options.include_self !== false && Object.is(valueOf(self.dtype, self.data[place]), value);
    return all.length === 0 || isOwn ? -1 : all[firstOf(all.map(([term]) => term), value)][1];
  });
  return { values, indices: int64(self.shape, indices) };
}

const ends = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], uint16: [0, 65535], int32: [-(2 ** 31), 2 ** 31 - 1], uint32: [0, 2 ** 32 - 1], int64: [-(2n ** 63n), 2n ** 63n - 1n], uint64: [0n, 2n ** 64n - 1n], bool: [0, 1] };
/** What a segment starts from without an initial value. */
function identity(dtype, reduce) {
  const number = { sum: 0, mean: 0, prod: 1 }[reduce];
  if (number !== undefined) return /int64/.test(dtype) ? BigInt(number) : number;
  const [low, high] = ends[dtype] ?? [-Infinity, Infinity];
  return reduce === 'amax' ? low : high;
}

function segments({ self, args: { reduce }, options: { lengths, offsets, initial, sum, return_indices } }) {
  const { dtype } = self;
  const [rows, inner] = [self.shape[0], sizeOf(self.shape.slice(1))];
  const given = Array.from((lengths ?? offsets).data, Number);
  const starts = offsets ? given : [0, ...given.map((_, k) => given.slice(0, k + 1).reduce((total, each) => total + each, 0))];
  const shape = [starts.length - 1, ...self.shape.slice(1)];
  const first = initial === undefined ? undefined : valueOf(dtype, convert(dtype, initial));
  const [values, indices] = [[], []];
  for (let k = 0; k < sizeOf(shape); k++) {
    const [from, to, column] = [starts[Math.floor(k / inner)], starts[Math.floor(k / inner) + 1], k % inner];
    const terms = Array.from({ length: Math.min(to, rows) - from }, (_, i) => valueOf(dtype, self.data[(from + i) * inner + column]));
    const start = first ?? identity(dtype, reduce);
    let value = start;
    if (terms.length === 0 && reduce === 'mean' && first === undefined && isFloat(dtype)) value = NaN;
    else if (reduce === 'sum' || reduce === 'mean') value = terms.length === 0 ? start : summed(dtype, terms, start, sum === 'exact', reduce === 'mean' ? terms.length : 1);
    else value = combined(dtype, reduce, terms, start);
    values.push(value);
    const isInitial = first !== undefined && Object.is(first, value);
    const winner = isInitial ? -1 : firstOf(terms, value);
    indices.push(winner < 0 ? -1 : from + winner);
  }
  return return_indices ? { values: like(dtype, shape, values), indices: int64(shape, indices) } : { result: like(dtype, shape, values) };
}

/** Entry after entry, a row of dense times a value goes to a row of the result. A skipped entry by its row or column adds nothing. */
function products({ self, args: { columns, values, dense }, options: { size, reduce = 'sum', sum, ...how } }) {
  const { dtype } = dense;
  const at = (index, e, places) => position(Number(index.data[e]), places, index.plan ?? how);
  const shape = [size, ...dense.shape.slice(1)];
  const inner = sizeOf(shape.slice(1));
  const terms = Array.from({ length: sizeOf(shape) }, () => []);
  for (const e of self.data.keys()) {
    const [to, from] = [at(self, e, size), at(columns, e, dense.shape[0])];
    if (to < 0 || from < 0) continue;
    for (let i = 0; i < inner; i++) {
      const term = valueOf(dtype, dense.data[from * inner + i]);
      terms[to * inner + i].push(values ? stored(dtype, combine.multiply(dtype, valueOf(dtype, values.data[e]), term)) : term);
    }
  }
  const zero = /int64/.test(dtype) ? 0n : 0;
  const reduced = (all) => {
    if (all.length === 0) return zero;
    return reduce === 'sum' || reduce === 'mean' ? summed(dtype, all, zero, sum === 'exact', reduce === 'mean' ? all.length : 1) : combined(dtype, reduce, all);
  };
  return { result: like(dtype, shape, terms.map(reduced)) };
}

/** What the operator does without batches, for each position of the first `batch_dims` dimensions. */
function inBatches({ op, self, args: { indices, updates }, options: { batch_dims, reduce = 'replace', ...how } }) {
  const cut = (each, batch, count) => {
    const size = each.data.length / count;
    return { dtype: each.dtype, shape: each.shape.slice(batch_dims), data: each.data.slice(batch * size, (batch + 1) * size) };
  };
  const outer = self.shape.slice(0, batch_dims);
  const parts = Array.from({ length: sizeOf(outer) }, (_, batch) => {
    const [one, index, source] = [self, indices, updates].map((each) => each && cut(each, batch, sizeOf(outer)));
    return expected({ op: op.replace(/_$/, ''), form: 'nd', how: reduce, self: one, index, source, ...how });
  });
  const bytes = Uint8Array.from(parts.flatMap((part) => Array.from(part.bytes)));
  return { result: { dtype: self.dtype, shape: [...outer, ...parts[0].shape], data: new ARRAYS[self.dtype](bytes.buffer), isMoved: reduce === 'replace' } };
}

const definitions = {
  ...masks,
  'Tensor.argsort': (call) => ({ result: sorted(call).indices }),
  'Tensor.sort': sorted,
  unique: distinct,
  searchsorted: searched,
  segment_reduce: segments,
  scatter_softmax: inGroups,
  scatter_logsumexp: inGroups,
  spmm: products,
  bincount: counted,
  histogram: histogrammed,
  histogramdd: histogrammed,
  bin_codes: coded,
  binned_statistic: binned,
  'Tensor.scatter_reduce': winners,
  'Tensor.scatter_nd': inBatches,
  'Tensor.gather_nd': inBatches,
};
