// Burn's CPU backend, in WebAssembly on one thread. It writes in place to a tensor that nobody else holds.

import { activations, pairs, serveCrate, sharedOperator } from './crate.js';
import { lacks } from './groups/modes.js';

// What the module takes instead of a dimension, and the numbers of the reduces; without one (undefined) it
// replaces. See `scattered` in its lib.rs.
const [TUPLES, ROWS] = [-1, -2];
const updates = { undefined: 0, add: 1, multiply: 2, maximum: 3 };

/** See `serveCrate`. Tensors are their numbers. */
function operatorFor(w, wasm) {
  if (['maximum', 'minimum'].includes(w.combine)) return 'no maximum or minimum of two tensors in its backend';
  const shared = sharedOperator(w, wasm);
  if (shared) return shared;
  if (w.op === 'gather') return { index: w.index, run: (x, i) => wasm.gather(x, i, w.dim) };
  if (w.op !== 'scatter' && w.op !== 'rows') return `no ${w.op}`;
  const rows = w.op === 'rows';
  // Rows that pairs name and rows that single numbers name have operators of their own.
  const where = rows ? (w.tuple === 2 ? TUPLES : ROWS) : w.dim;
  const notes = { [TUPLES]: 'scatter_nd', [ROWS]: 'select_assign' };
  return {
    index: rows ? [w.count, w.tuple].slice(0, w.tuple) : w.index,
    source: rows ? [w.count, ...w.shape.slice(w.tuple)] : w.index,
    note: w.scalar === undefined ? notes[where] : 'scatter with an array of ones',
    run: (x, i, s) => wasm.scatter(x, i, s, where, updates[w.reduce]),
    inPlace: (x, i, s) => wasm.scatter_in_place(x, i, s, where, updates[w.reduce]),
  };
}

/** See `serveCrate`. */
function groupFor(w, wasm) {
  if (['winners', 'segment-winners'].includes(w.op)) return 'no position of a maximum within groups';
  if (!['softmax', 'logsumexp'].includes(w.op)) return lacks(w);
  const isSoftmax = w.op === 'softmax';
  return {
    note: `scatter for the maxima and the sums, gather, sub, exp, ${isSoftmax ? 'div' : 'log, add'}`,
    more: { none: new Float32Array(w.size).fill(-Infinity), zeros: new Float32Array(w.size) },
    length: isSoftmax ? w.count : w.size,
    run({ index, src, none, zeros }) {
      const made = [];
      const keep = (number) => made[made.push(number) - 1];
      const most = keep(wasm.scatter(none, index, src, 0, updates.maximum));
      const less = keep(wasm.pair(src, keep(wasm.gather(most, index, 0)), pairs.indexOf('sub')));
      const terms = keep(wasm.activate(less, activations.exp));
      const sums = keep(wasm.scatter(zeros, index, terms, 0, updates.add));
      const out = isSoftmax
        ? wasm.pair(terms, keep(wasm.gather(sums, index, 0)), pairs.indexOf('div'))
        : wasm.pair(most, keep(wasm.activate(sums, activations.log)), pairs.indexOf('add'));
      made.forEach((number) => wasm.release(number));
      return [out];
    },
  };
}

serveCrate({ file: '/burn.wasm', indexKind: 'i32', operatorFor, groupFor });
