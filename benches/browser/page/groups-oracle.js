// The right results of the workloads of groups.js, by the definitions. Not written for speed.

import { range } from './workloads.js';

/** The list of arrays that a sized workload gives for operands of `groupInputs`. */
export function expectedGroup(w, inputs) {
  const { x, edges, index, src, mask, table } = inputs;
  switch (w.op) {
    case 'argsort': return [orderOf(x)];
    case 'sort': {
      const order = orderOf(x);
      return [x.constructor.from(order, (at) => x[at]), order];
    }
    case 'unique': return distinct(x);
    case 'search': return [Int32Array.from(x, (value) => placeIn(edges, value))];
    case 'winners': return winners(index, src, w.size);
    case 'segment-winners': return winners(segmentNumbers(inputs.offsets, src.length), src, w.segments);
    case 'softmax': case 'logsumexp': return [softmax(w, index, src)];
    case 'spmm': return [product(w, inputs)];
    case 'binned': return [statistic(w, inputs)];
    case 'bincount-mask': {
      const counts = new Int32Array(w.size);
      for (let k = 0; k < index.length; k++) counts[index[k]] += mask[k];
      return [counts];
    }
    case 'ignore': {
      const out = table.slice();
      for (let k = 0; k < index.length; k++) if (index[k] >= 0) out[index[k]] += src[k]; // storing rounds, or wraps
      return [out];
    }
  }
}

/** The positions of x in ascending order; equal ones keep their order. */
const orderOf = (x) => Int32Array.from(x, (_, at) => at).sort((a, b) => x[a] - x[b] || a - b);

/** Whether a wrong result of argsort or sort is that of a sort that is not stable: each position is there once, and their numbers ascend. */
export function isUnstable(w, { x }, result) {
  if (!['argsort', 'sort'].includes(w.op)) return false;
  const order = result?.at(-1);
  if (order?.length !== x.length || new Set(Array.from(order, Number)).size !== x.length) return false;
  const ascends = order.every((at, k) => at >= 0 && at < x.length && (k === 0 || x[order[k - 1]] <= x[at]));
  return ascends && (w.op === 'argsort' || order.every((at, k) => result[0][k] === x[at]));
}

/** The distinct numbers of x in ascending order, the first place of each, for each element the place of its number, and the counts. */
function distinct(x) {
  const [values, first, counts, inverse] = [[], [], [], new Int32Array(x.length)];
  for (const at of orderOf(x)) {
    if (values.length === 0 || values.at(-1) !== x[at]) {
      values.push(x[at]);
      first.push(at);
      counts.push(0);
    }
    counts[counts.length - 1]++;
    inverse[at] = values.length - 1;
  }
  return [x.constructor.from(values), Int32Array.from(first), inverse, Int32Array.from(counts)];
}

/** How many of the sorted edges are less than the value. */
function placeIn(edges, value) {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The maxima of `size` groups and their first positions; 0 and −1 for an empty group. */
function winners(index, src, size) {
  const [values, at] = [new Float32Array(size), new Int32Array(size).fill(-1)];
  for (let k = 0; k < src.length; k++) {
    const group = index[k];
    if (at[group] >= 0 && src[k] <= values[group]) continue;
    values[group] = src[k];
    at[group] = k;
  }
  return [values, at];
}

/** For each element the number of its segment, from the offsets of the segments. */
function segmentNumbers(offsets, elements) {
  const ids = new Int32Array(elements);
  for (let s = 0; s + 1 < offsets.length; s++) ids.fill(s, offsets[s], offsets[s + 1]);
  return ids;
}

/** Each step rounded to float32. The terms of a sum are multiples of 2^-33 and at most 1, so that sums of 2^20 are exact in float64. */
function softmax(w, index, src) {
  const most = new Float32Array(w.size).fill(-Infinity);
  for (let k = 0; k < src.length; k++) most[index[k]] = Math.max(most[index[k]], src[k]);
  const terms = src.map((value, k) => Math.exp(Math.fround(value - most[index[k]])));
  const sums = new Float64Array(w.size);
  for (let k = 0; k < src.length; k++) sums[index[k]] += terms[k];
  const rounded = Float32Array.from(sums);
  if (w.op === 'softmax') return terms.map((term, k) => term / rounded[index[k]]);
  return most.map((value, group) => value + Math.fround(Math.log(rounded[group])));
}

/** The product of the sparse and the dense matrix, entry after entry. */
function product(w, { rows, columns, values, dense }) {
  const out = new Float32Array(w.nodes * w.length);
  for (let e = 0; e < w.count; e++) {
    const [to, from] = [rows[e] * w.length, columns[e] * w.length];
    for (let l = 0; l < w.length; l++) out[to + l] += Math.fround(values[e] * dense[from + l]);
  }
  return out;
}

/**
 * The statistic of each bin, or the sum of the weights in order, each rounded to float32. Small values are multiples of 2^-32 and at most 1, so that their sums are exact in
 * float64. Those of 2^60 are counted apart: if a count is not zero, the small ones do not reach the last bit.
 */
function statistic(w, { sample, values }) {
  const [counts, large] = [0, 1].map(() => new Float64Array(w.bins ** 2));
  const small = new (w.statistic === 'weights' ? Float32Array : Float64Array)(w.bins ** 2);
  const [low, high] = range;
  const binOf = (value) => Math.min(Math.floor(((value - low) * w.bins) / (high - low)), w.bins - 1);
  for (let k = 0; k < w.count; k++) {
    const at = binOf(sample[2 * k]) * w.bins + binOf(sample[2 * k + 1]);
    counts[at]++;
    if (Math.abs(values[k]) > 1) large[at] += Math.sign(values[k]);
    else small[at] += values[k];
  }
  return Float32Array.from(counts, (count, at) => {
    if (w.statistic === 'count') return count;
    const sum = large[at] === 0 ? small[at] : large[at] * 2 ** 60;
    return w.statistic === 'mean' ? sum / count : sum;
  });
}
