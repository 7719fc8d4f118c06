// Burn's CPU backend, in WebAssembly on one thread. It writes in place to a tensor that nobody else holds.

import { serveCrate, sharedOperator } from './crate.js';

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

serveCrate({ file: '/burn.wasm', indexKind: 'i32', operatorFor });
