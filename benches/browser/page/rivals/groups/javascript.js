// A hand-written loop for each workload of groups.js, and TypedArray.prototype.sort of the values alone beside sorts.

import { range } from '../../workloads.js';
import { groupModes } from './modes.js';

/** See harness.js. */
export function prepareGroup(w, inputs) {
  const loop = new Function(`return { ${loops[w.op]} }['${w.op}']`)(); // compiled for this case alone
  const isSort = ['argsort', 'sort', 'unique'].includes(w.op);
  return groupModes({
    make: () => inputs,
    run: (operands) => loop(operands, w, shared),
    read: (array) => array,
    free() {},
    others: isSort ? { 'TypedArray.sort': { run: ({ x }) => [x.slice().sort()], limit: true } } : {},
  });
}

/**
 * The loops: functions of the operands, the workload and `shared` that return a list of arrays. Sums are in order, in float32 where storing rounds to it. Their
 * text is compiled again for each case, so they name nothing else of this file.
 */
const loops = {
  argsort({ x }, w, { orderOf }) {
    return [orderOf(x)];
  },
  sort({ x }, w, { orderOf }) {
    const order = orderOf(x);
    const values = new x.constructor(x.length);
    for (let k = 0; k < order.length; k++) values[k] = x[order[k]];
    return [values, order];
  },
  unique({ x }, w, { orderOf }) {
    const order = orderOf(x);
    const [values, first, inverse, counts] = [x.slice(), new Int32Array(x.length), new Int32Array(x.length), new Int32Array(x.length)];
    let last = -1;
    for (let k = 0; k < order.length; k++) {
      const at = order[k];
      if (k === 0 || x[at] !== values[last]) {
        values[++last] = x[at];
        first[last] = at;
      }
      counts[last]++;
      inverse[at] = last;
    }
    return [values.slice(0, last + 1), first.slice(0, last + 1), inverse, counts.slice(0, last + 1)];
  },
  search({ edges, x }) {
    const out = new Int32Array(x.length);
    for (let k = 0; k < x.length; k++) {
      const value = x[k];
      let low = 0;
      let high = edges.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (edges[middle] < value) low = middle + 1;
        else high = middle;
      }
      out[k] = low;
    }
    return [out];
  },
  winners({ index, src }, w) {
    const values = new Float32Array(w.size);
    const places = new Int32Array(w.size).fill(-1);
    for (let k = 0; k < src.length; k++) {
      const group = index[k];
      if (places[group] < 0 || src[k] > values[group]) {
        values[group] = src[k];
        places[group] = k;
      }
    }
    return [values, places];
  },
  'segment-winners'({ offsets, src }, w) {
    const values = new Float32Array(w.segments);
    const places = new Int32Array(w.segments).fill(-1);
    for (let s = 0; s < w.segments; s++) {
      for (let k = offsets[s]; k < offsets[s + 1]; k++) {
        if (places[s] < 0 || src[k] > values[s]) {
          values[s] = src[k];
          places[s] = k;
        }
      }
    }
    return [values, places];
  },
  softmax({ index, src }, w, { exponentials }) {
    const { sums, terms } = exponentials(index, src, w.size);
    for (let k = 0; k < src.length; k++) terms[k] /= sums[index[k]];
    return [terms];
  },
  logsumexp({ index, src }, w, { exponentials }) {
    const { most, sums } = exponentials(index, src, w.size);
    for (let group = 0; group < w.size; group++) most[group] += Math.log(sums[group]);
    return [most];
  },
  spmm({ rows, columns, values, dense }, w) {
    const { length } = w;
    const out = new Float32Array(w.nodes * length);
    for (let e = 0; e < rows.length; e++) {
      const to = rows[e] * length;
      const from = columns[e] * length;
      const value = values[e];
      for (let l = 0; l < length; l++) out[to + l] += Math.fround(value * dense[from + l]);
    }
    return [out];
  },
  binned({ sample, values }, { bins, statistic }, { range }) {
    const counts = new Int32Array(bins * bins);
    const sums = new (statistic === 'weights' ? Float32Array : Float64Array)(bins * bins);
    const [low, scale] = [range[0], bins / (range[1] - range[0])];
    const binOf = (value) => Math.min(Math.floor((value - low) * scale), bins - 1);
    for (let k = 0; k < values.length; k++) {
      const at = binOf(sample[2 * k]) * bins + binOf(sample[2 * k + 1]);
      if (statistic === 'count' || statistic === 'mean') counts[at]++;
      if (statistic !== 'count') sums[at] += values[k];
    }
    const out = new Float32Array(bins * bins);
    for (let at = 0; at < out.length; at++) out[at] = statistic === 'count' ? counts[at] : statistic === 'mean' ? sums[at] / counts[at] : sums[at];
    return [out];
  },
  'bincount-mask'({ index, mask }, w) {
    const counts = new Int32Array(w.size);
    for (let k = 0; k < index.length; k++) if (mask[k]) counts[index[k]]++;
    return [counts];
  },
  ignore({ table, index, src }) {
    const out = table.slice();
    for (let k = 0; k < index.length; k++) if (index[k] !== -1) out[index[k]] += src[k];
    return [out];
  },
};

/** The maximum of each group, the sum of the exponentials of the differences from it, and these exponentials. */
function exponentials(index, src, size) {
  const most = new Float32Array(size).fill(-Infinity);
  for (let k = 0; k < src.length; k++) if (src[k] > most[index[k]]) most[index[k]] = src[k];
  const [terms, sums] = [new Float32Array(src.length), new Float32Array(size)];
  for (let k = 0; k < src.length; k++) {
    const term = Math.exp(src[k] - most[index[k]]);
    terms[k] = term;
    sums[index[k]] += term;
  }
  return { most, sums, terms };
}

/** The positions of x in ascending order; equal ones keep their order. */
const orderOf = (x) => Int32Array.from(x.keys()).sort((a, b) => x[a] - x[b]);

/** What the loops use. */
const shared = { exponentials, orderOf, range };
