// TensorFlow.js: what it has of the workloads of groups.js.

import * as tf from '@tensorflow/tfjs-core';
import { groupModes } from './modes.js';

/** See harness.js. `settle` is that of `groupModes`. Runs on the backend that is set. */
export function prepareGroup(w, inputs, dtype, settle) {
  const call = callFor(w);
  if (typeof call === 'string') return call;
  const gpu = tf.getBackend() === 'webgpu';
  const kind = (name) => (['rows', 'columns', 'index'].includes(name) ? 'int32' : name === 'mask' ? 'float32' : dtype);
  return groupModes({
    ...call, settle,
    make: () => Object.fromEntries(Object.entries(inputs).map(([name, array]) => [
      name, tf.tensor(name === 'mask' ? Float32Array.from(array) : array, w.shapes[name], kind(name)),
    ])),
    run: (operands) => tf.tidy(() => call.run(operands)),
    read: (tensor) => (gpu ? tensor.data() : tensor.dataSync()),
    free: (all) => tf.dispose(all),
  });
}

/** How TensorFlow.js does a workload, { run, note }, or a text that says what it lacks. */
function callFor(w) {
  const note = 'topk of the negated values';
  const sorted = (x) => tf.topk(tf.neg(x), w.count);
  switch (w.op) {
    case 'argsort': return { note, run: ({ x }) => [sorted(x).indices] };
    case 'sort': return { note, run: ({ x }) => {
      const { values, indices } = sorted(x);
      return [tf.neg(values), indices];
    } };
    case 'search': return { run: ({ edges, x }) => [tf.searchSorted(edges, x)] };
    case 'unique': return 'no unique in ascending order with counts';
    case 'spmm': return {
      note: 'gather, mul, scatterND', // unsortedSegmentSum compares every entry with every row
      run({ rows, columns, values, dense }) {
        const products = tf.mul(tf.gather(dense, columns), tf.reshape(values, [w.count, 1]));
        return [tf.scatterND(tf.reshape(rows, [w.count, 1]), products, w.shapes.dense)];
      },
    };
    case 'bincount-mask': return { note: 'denseBincount with the mask as weights', run: ({ index, mask }) => [tf.denseBincount(index, mask, w.size)] };
    case 'ignore': return 'no value that an index leaves out';
    case 'binned': return 'no histogram';
    default: return 'no softmax, maximum or position within groups';
  }
}
