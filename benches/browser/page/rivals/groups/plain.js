// The plain Rust loops for the workloads of groups.js.

import { groupOutputs } from '../../groups.js';
import { range } from '../../workloads.js';
import { groupModes } from './modes.js';

/** See harness.js; `wasm` has the exports of benches/yardstick, and `hold` copies an array to its memory. */
export function prepareGroup(wasm, hold, w, inputs, dtype) {
  const [Type, type] = dtype === 'float32' ? [Float32Array, 'f32'] : [Int32Array, 'i32'];
  const lengths = lengthsOf(w);
  const run = loops[w.op];
  return groupModes({
    make: () => Object.fromEntries(Object.entries(inputs).map(([name, array]) => [name, hold(array)])),
    run(operands) {
      const results = groupOutputs(w, Type).map((Out, at) => room(wasm, Out, lengths[at]));
      const found = run(wasm, w, results.map(({ pointer }) => pointer), operands, type);
      if (w.op === 'unique') for (const at of [0, 1, 3]) results[at].length = found;
      return results;
    },
    read: (held) => new held.Out(wasm.memory.buffer, held.pointer, held.length).slice(),
    free: (all) => all.forEach((one) => one.free()),
  });
}

/** Memory for the elements of a result. Not all of them may be used: see `length`. */
function room(wasm, Out, length) {
  const pointer = wasm.allocate(4 * length);
  return { Out, pointer, length, free: () => wasm.release(pointer, 4 * length) };
}

/** How many elements the results have; those of distinct numbers at most. */
function lengthsOf(w) {
  const groups = w.size ?? w.segments;
  return { winners: [groups, groups], 'segment-winners': [groups, groups], logsumexp: [groups], 'bincount-mask': [groups], ignore: [groups],
    spmm: [w.nodes * w.length], binned: [w.bins ** 2] }[w.op] ?? Array(4).fill(w.count);
}

/** Calls of the exports, with the pointers of the results and the operands that `hold` returned. */
const loops = {
  argsort: (wasm, w, [out], { x }, type) => wasm[`argsort_${type}`](out, x.pointer, w.count),
  sort: (wasm, w, [values, order], { x }, type) => wasm[`sort_${type}`](values, order, x.pointer, w.count),
  unique: (wasm, w, [values, first, inverse, counts], { x }, type) => wasm[`unique_${type}`](values, first, inverse, counts, x.pointer, w.count),
  search: (wasm, w, [out], { edges, x }) => wasm.search_f32(out, edges.pointer, w.edges, x.pointer, w.count),
  winners: (wasm, w, [values, places], { index, src }) => wasm.winners_f32(values, places, w.size, index.pointer, src.pointer, w.count),
  'segment-winners': (wasm, w, [values, places], { offsets, src }) =>
    wasm.segment_winners_f32(values, places, w.segments, offsets.pointer, src.pointer, w.count),
  softmax: (wasm, w, [out], { index, src }) => wasm.softmax_f32(out, w.size, index.pointer, src.pointer, w.count),
  logsumexp: (wasm, w, [out], { index, src }) => wasm.logsumexp_f32(out, w.size, index.pointer, src.pointer, w.count),
  spmm: (wasm, w, [out], { rows, columns, values, dense }) =>
    wasm.spmm_f32(out, w.nodes, w.length, rows.pointer, columns.pointer, values.pointer, w.count, dense.pointer),
  binned: (wasm, w, [out], { sample, values }) => wasm.binned_f32(
    out, w.bins, sample.pointer, values.pointer, w.count, ['weights', 'sum', 'mean', 'count'].indexOf(w.statistic), range[0], w.bins / (range[1] - range[0]),
  ),
  'bincount-mask': (wasm, w, [out], { index, mask }) => wasm.bincount_masked(out, w.size, index.pointer, mask.pointer, w.count),
  ignore: (wasm, w, [out], { table, index, src }, type) => wasm[`add_ignoring_${type}`](out, table.pointer, w.size, index.pointer, src.pointer, w.count),
};
