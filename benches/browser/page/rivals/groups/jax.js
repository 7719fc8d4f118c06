// jax-js: what it has of the workloads of groups.js. An operation disposes of its operands; one that is needed later is handed over as its `ref`.

import * as jax from '@jax-js/jax';
import { groupModes, lacks } from './modes.js';

const np = jax.numpy;

/** See harness.js. */
export function prepareGroup(w, inputs, dtype, device) {
  const call = callFor(w);
  if (typeof call === 'string') return call;
  const gpu = device === 'webgpu';
  return groupModes({
    note: call.note,
    make() {
      const operands = Object.fromEntries(Object.entries(inputs).map(([name, array]) => [
        name, np.array(array, { shape: w.shapes[name], dtype: ['rows', 'columns'].includes(name) ? 'int32' : dtype }),
      ]));
      return { ...operands, ...call.prepare?.(operands) };
    },
    // Nothing runs, or is sent to the GPU, until somebody waits for it.
    run: async (operands) => {
      const results = call.run(operands);
      for (const one of results) await one.blockUntilReady();
      return results;
    },
    read: (array) => (gpu ? array.ref.data() : array.ref.dataSync()),
    free: (all) => all.forEach((one) => one.dispose()),
    settle: gpu ? () => jax.getWebGPUDevice().queue.onSubmittedWorkDone() : undefined,
  });
}

const weighted = jax.jit((rows, values) => rows.mul(values));

/** How jax-js does a workload, { run, prepare, note }, or a text that says what it lacks. What `prepare` returns is one more operand. */
function callFor(w) {
  switch (w.op) {
    case 'argsort': return { run: ({ x }) => [np.argsort(x.ref)] };
    case 'sort': return { note: 'argsort, then take', run({ x }) {
      const order = np.argsort(x.ref);
      return [np.take(x.ref, order.ref), order];
    } };
    case 'spmm': return {
      note: 'take, multiply, then the gradient of a take',
      prepare({ rows, dense }) {
        const [value, back] = jax.vjp((t) => np.take(t, rows.ref, 0), [dense.ref]);
        value.dispose();
        return { back };
      },
      run({ columns, values, dense, back }) {
        const products = weighted(np.take(dense.ref, columns.ref, 0), values.ref.reshape([w.count, 1]));
        return [[back(products)].flat()[0]];
      },
    };
    default: return lacks(w);
  }
}
