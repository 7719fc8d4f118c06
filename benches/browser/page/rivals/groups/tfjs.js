// TensorFlow.js: what it has of the workloads of groups.js.

import * as tf from '@tensorflow/tfjs-core';
import { groupModes, lacks } from './modes.js';

/** See harness.js. `settle` is that of `groupModes`. Runs on the backend that is set. */
export function prepareGroup(w, inputs, dtype, settle) {
  const call = callFor(w, dtype);
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
function callFor(w, dtype) {
  const note = `topk of ${dtype === 'int32' ? '−1 − x' : 'the negated values'}`; // neg of the wasm backend rounds int32 to float32
  const turned = (x) => (dtype === 'int32' ? tf.sub(tf.scalar(-1, 'int32'), x) : tf.neg(x));
  const sorted = (x) => tf.topk(turned(x), w.count);
  switch (w.op) {
    case 'argsort': return { note, run: ({ x }) => [sorted(x).indices] };
    case 'sort': return { note, run: ({ x }) => {
      const { values, indices } = sorted(x);
      return [turned(values), indices];
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
    default: return lacks(w);
  }
}
