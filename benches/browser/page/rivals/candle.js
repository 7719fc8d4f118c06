// Candle, in WebAssembly on one thread.

import { serveCrate, sharedOperator } from './crate.js';
import { lacks } from './groups/modes.js';

/** See `serveCrate`. Tensors are their numbers. */
function operatorFor(w, wasm) {
  const shared = sharedOperator(w, wasm);
  if (shared) return shared;
  if (w.op === 'gather') return { index: w.index, run: (x, i) => wasm.gather(x, i, w.dim) };
  if (w.reduce === 'multiply') return 'no scatter that multiplies';
  if (w.reduce === 'maximum') return 'no scatter that takes the maximum';
  if (w.op !== 'scatter' && w.op !== 'rows') return `no ${w.op}`;
  if (w.op === 'rows') {
    if (w.tuple === 2) return 'no scatter at pairs';
    return { index: [w.count], source: [w.count, w.length], run: (x, i, s) => wasm.add_rows(x, i, s), note: 'index_add' };
  }
  const [copying, inPlace] = w.reduce ? [wasm.add, wasm.add_in_place] : [wasm.replace, wasm.replace_in_place];
  return {
    index: w.index, source: w.index, note: w.scalar === undefined ? undefined : 'scatter_add with an array of ones',
    run: (x, i, s) => copying(x, i, s, w.dim), inPlace: (x, i, s) => inPlace(x, i, s, w.dim),
  };
}

/** See `serveCrate`. */
function groupFor(w, wasm) {
  if (w.op !== 'ignore') return lacks(w);
  return { note: 'scatter_add, which leaves out the largest uint32', length: w.size, run: ({ table, index, src }) => [wasm.add(table, index, src, 0)] }; // −1 has its bits
}

serveCrate({ file: '/candle.wasm', indexKind: 'u32', operatorFor, groupFor });
