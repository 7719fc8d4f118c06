// An adapter of no library: plain loops over numbers, for a few operators. Start here to write one of your own.

import { fromNumbers, numbersOf } from '../index.js';

/** @type {import('../index.js').Adapter} */
export const loop = {
  name: 'plain loops',
  call({ op, self, args: { dim = 0, index, src, other }, options }, watch) {
    if (Object.keys(options).length > 0) return 'no options';
    if (self.shape?.length !== 1) return 'one dimension only'; // a text says why a call is not offered
    if (self.dtype !== 'float32') return 'float32 only';
    const numbers = numbersOf(self).map(Number);
    watch(() => fromNumbers(self.dtype, self.shape, numbers)); // how self is read after the call
    const value = (shape, list) => fromNumbers('float32', shape, list);
    /** The checked positions of an index. What is thrown counts as a refusal of the call. */
    const positions = () => numbersOf(index).map((at) => {
      if (at < -numbers.length || at >= numbers.length) throw new RangeError(`index ${at} is out of range`);
      return Number(at) < 0 ? Number(at) + numbers.length : Number(at);
    });
    if (op === 'maximum' || op === 'minimum') return value(self.shape, numbers.map((x, k) => Math[op.slice(0, 3)](x, Number(numbersOf(other)[k]))));
    if (dim !== 0 || !index?.shape) return undefined; // not offered either
    if (op === 'index_select') return value(index.shape, positions().map((at) => numbers[at]));
    if (!src?.data || src.shape[0] !== index.shape[0]) return 'one update for each index';
    const updates = numbersOf(src).map(Number);
    const table = op === 'scatter_' ? numbers : [...numbers];
    if (op === 'scatter_') for (const [k, at] of positions().entries()) table[at] = updates[k];
    else if (op === 'scatter_add_axis') for (const [k, at] of positions().entries()) table[at] = Math.fround(table[at] + updates[k]);
    else return undefined;
    return value(self.shape, table);
  },
};
