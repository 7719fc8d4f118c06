// numpy-ts: what it has of the workloads of groups.js.

import * as np from 'numpy-ts';
import { range } from '../../workloads.js';
import { groupModes, lacks } from './modes.js';

/** See harness.js. */
export function prepareGroup(w, inputs, dtype) {
  const call = callFor(w);
  if (typeof call === 'string') return call;
  const kind = (name) => ({ index: 'int32', mask: 'float64' })[name] ?? dtype;
  return groupModes({
    ...call,
    make: () => Object.fromEntries(Object.entries(inputs).map(([name, array]) => {
      const flat = np.array(array, kind(name));
      if (w.shapes[name].length === 1) return [name, flat];
      const shaped = flat.reshape(w.shapes[name]); // it shares the memory, so both are disposed of
      return [name, Object.assign(shaped, { flat })];
    })),
    read: (array) => array.data.slice(),
    free: (all) => all.forEach((one) => {
      one.dispose();
      one.flat?.dispose?.();
    }),
  });
}

/** How numpy-ts does a workload, { run, note }, or a text that says what it lacks. */
function callFor(w) {
  switch (w.op) {
    case 'argsort': return { run: ({ x }) => [np.argsort(x)] };
    case 'sort': return { note: 'argsort, then take', run({ x }) {
      const order = np.argsort(x);
      return [np.take(x, order), order];
    } };
    case 'unique': return { run({ x }) {
      const { values, indices, inverse, counts } = np.unique(x, true, true, true);
      return [values, indices, inverse, counts];
    } };
    case 'search': return { run: ({ edges, x }) => [np.searchsorted(edges, x, 'left')] };
    case 'bincount-mask': return { note: 'bincount with the mask as weights', run: ({ index, mask }) => [np.bincount(index, mask, w.size)] };
    case 'binned': return w.statistic !== 'weights' ? 'no binned_statistic' : { run({ sample, values }) {
      const [sums, edges] = np.histogramdd(sample, [w.bins, w.bins], [range, range], false, values);
      for (const one of edges) one.dispose();
      return [sums];
    } };
    case 'spmm': return 'no sparse matrices, and no scatter that adds (ufunc.at)';
    case 'ignore': return 'no scatter that adds';
    default: return lacks(w);
  }
}
