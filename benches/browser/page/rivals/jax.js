// jax-js. It has no public scatter: sums are had as the gradient of a gather, the way its own users reach that kernel.

import * as jax from '@jax-js/jax';
import { serveBench } from '../harness.js';
import { prepareGroup } from './groups/jax.js';

const np = jax.numpy;

/** Serves the benchmark on a device of jax-js, 'wasm' or 'webgpu'. In an isolated page it has a thread for each processor, or `?threads=`. */
export function serveJax(device) {
  serveBench({
    async start() {
      const threads = new URLSearchParams(location.search).get('threads');
      if (threads) Object.defineProperty(navigator, 'hardwareConcurrency', { value: Number(threads) }); // it has no option for that
      const available = await jax.init(device);
      if (!available.includes(device)) throw new Error(`no ${device} here`);
      jax.defaultDevice(device);
      return {};
    },
    prepare: (w, inputs, dtype) => prepare(w, inputs, dtype, device),
  });
}

const add = jax.jit((x, y) => x.add(y));
const combinations = {
  multiply: jax.jit((x, y) => x.mul(y)), add, sub: jax.jit((x, y) => x.sub(y)), div: jax.jit((x, y) => x.div(y)),
  maximum: jax.jit((x, y) => np.maximum(x, y)), minimum: jax.jit((x, y) => np.minimum(x, y)),
};
const activations = { relu: jax.jit((x) => jax.nn.relu(x)), exp: jax.jit((x) => np.exp(x)) };

/**
 * See harness.js. An operation of jax-js disposes of its operands; a tensor that is needed later is handed over as its `ref`. The site's
 * benchmark page calls this too.
 */
export function prepare(w, inputs, dtype, device) {
  if (w.group) return prepareGroup(w, inputs, dtype, device);
  const { x, index, src } = inputs;
  const operator = operatorFor(w, dtype);
  if (typeof operator === 'string') return operator;
  const from = (data, shape, type) => np.array(data, { shape, dtype: type });
  const make = () => [
    from(x, w.shape, dtype),
    index && from(index, operator.index, 'int32'),
    operator.source && from(operator.data?.(src) ?? src, operator.source, dtype),
  ];
  const held = make();
  const references = () => held.map((one) => one?.ref);
  // What an operator makes of its operands outside the timing of *resident*.
  const state = operator.prepare?.(...references());
  const gpu = device === 'webgpu';
  const call = (tensors) => operator.run(...tensors, state);
  /** From arrays to an array, or on a GPU to a promise of it. */
  const whole = () => {
    const tensors = make();
    const fresh = operator.prepare?.(...tensors.map((one) => one?.ref));
    const result = operator.run(...tensors, fresh);
    if (gpu) return result.data().finally(() => fresh?.dispose());
    const values = result.dataSync();
    fresh?.dispose();
    return values;
  };
  return {
    note: operator.note,
    modes: {
      resident: {
        // Nothing runs, or is sent to the GPU, until somebody waits for it.
        run: async () => (await call(references()).blockUntilReady()).dispose(),
        settle: gpu ? () => jax.getWebGPUDevice().queue.onSubmittedWorkDone() : undefined,
        result: () => call(references()).data(),
      },
      'end to end': { run: whole, result: whole },
    },
    dispose() {
      state?.dispose();
      for (const one of held) one?.dispose();
    },
  };
}

/**
 * How jax-js does a workload, or a text that says what it lacks: { index, source, data, note, prepare, run }. `index` and `source` are shapes,
 * and `data` makes the source's array where it is not src. `run(x, index, source, state)` returns the result, where `state` is what
 * `prepare(x, index, source)` returned.
 */
function operatorFor(w, dtype) {
  if (w.op === 'pair') {
    return { source: [...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)], run: (x, _, y) => combinations[w.combine](x, y) };
  }
  if (w.op === 'activate') return { run: (x) => activations[w.act](x) };
  if (w.op === 'dims') {
    const reduce = jax.jit((x) => np[{ amax: 'max', amin: 'min' }[w.how] ?? w.how](x, w.dim ?? null));
    return { run: (x) => reduce(x) };
  }
  if (w.op === 'gather') return { index: w.index, run: (x, index) => np.takeAlongAxis(x, index, w.dim) };
  if (w.reduce === 'multiply') return 'no scatter that multiplies';
  if (w.op !== 'scatter' && w.op !== 'rows') return `no ${w.op}`;
  if (w.reduce !== 'add') return `no scatter that ${w.reduce ? 'takes the maximum' : 'replaces'}`;
  if (dtype === 'int32') return 'its sums are gradients, which integers do not have';
  const ones = (src) => src ?? new Float32Array(w.updates).fill(w.scalar);
  const pairs = w.tuple === 2;
  const index = w.op === 'rows' ? (pairs ? [w.count, 2] : [w.count]) : w.index;
  const source = w.op === 'rows' ? [w.count, ...w.shape.slice(w.tuple)] : w.index;
  // The gather whose gradient is the scatter, a function of the table and the index.
  const gather = w.op !== 'rows' ? (x, i) => np.takeAlongAxis(x, i, w.dim)
    : pairs ? (x, i) => x.slice(i.ref.slice([], 0), i.slice([], 1)) : (x, i) => np.take(x, i, 0);
  return {
    index, source, data: ones, note: 'gradient of a gather, then add',
    // `back` takes a source and returns its scatter into zeros, the gradient, alone or in a list.
    prepare: (x, i, src) => {
      src.dispose();
      const [value, back] = jax.vjp((t) => gather(t, i), [x]);
      value.dispose();
      return back;
    },
    run(x, i, src, back) {
      i.dispose();
      return add(x, [back(src)].flat()[0]);
    },
  };
}
