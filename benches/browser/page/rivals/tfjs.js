// TensorFlow.js: the operators it has, and for the others their nearest composition. The backends' own files call this.

import * as tf from '@tensorflow/tfjs-core';
import { serveBench } from '../harness.js';
import { indexElements } from '../workloads.js';
import { prepareGroup } from './groups/tfjs.js';

/** Serves the benchmark on a backend of TensorFlow.js; `setUp(tf)` is called before the backend is chosen, if it is given. */
export function serveTfjs(backend, setUp) {
  serveBench({
    async start() {
      await setUp?.(tf);
      await tf.setBackend(backend);
      await tf.ready();
      return { version: tf.version_core };
    },
    prepare,
  });
}

/** See harness.js. Runs on the backend that is set. The site's benchmark page calls this too. */
export function prepare(w, inputs, dtype) {
  const gpu = tf.getBackend() === 'webgpu';
  // Submits what the backend has recorded and not sent yet, and waits for it.
  const settle = gpu ? async () => {
    const backend = tf.backend();
    if (backend.commandEncoder) {
      backend.endComputePassEncoder();
      backend.submitQueue();
    }
    await backend.queue.onSubmittedWorkDone();
  } : undefined;
  if (w.group) return prepareGroup(w, inputs, dtype, settle);
  const { x, index, src } = inputs;
  const operator = operatorFor(w);
  if (typeof operator === 'string') return operator;
  const data = [[x, operator.x ?? w.shape, dtype], ...operands(w, operator, index, src, dtype)];
  const make = () => data.map((one) => one && tf.tensor(...one));
  const held = make();
  const run = (tensors) => tf.tidy(() => operator.run(...tensors));
  const read = (tensor) => (gpu ? tensor.data() : tensor.dataSync());
  /** From arrays to an array, or on a GPU to a promise of it. */
  const whole = () => {
    const tensors = make();
    const result = run(tensors);
    const finish = (values) => {
      tf.dispose([tensors.filter(Boolean), result]);
      return values;
    };
    const values = read(result);
    return values instanceof Promise ? values.then(finish) : finish(values);
  };
  return {
    note: operator.note,
    modes: {
      resident: { run: () => run(held).dispose(), settle, async result() {
        const result = run(held);
        const values = await result.data();
        result.dispose();
        return values;
      } },
      'end to end': { run: whole, result: whole },
    },
    dispose: () => tf.dispose(held.filter(Boolean)),
  };
}

/** The arguments of `tf.tensor` for index and source, each [data, shape, dtype] or undefined; `operator` is what `operatorFor` returned. */
function operands(w, operator, index, src, dtype) {
  if (operator.ids) return [[segmentNumbers(index, w.elements), [w.elements], 'int32'], undefined];
  const flat = operator.flat ? flatten(w, index) : index;
  const entries = index && indexElements(w) / (w.tuple ?? 1);
  const at = flat && [flat, operator.gathers ? [entries] : [entries, operator.flat ? 1 : w.tuple ?? 1], 'int32'];
  if (operator.counts) return [[index, [entries], 'int32'], [new (dtype === 'int32' ? Int32Array : Float32Array)(0), [0], dtype]];
  if (operator.source) return [at, [src, operator.source, dtype]];
  return [at, undefined];
}

const flatNote = 'on flat indices, made outside the timing';

/**
 * How TensorFlow.js does a workload, or a text that says what it lacks: { run, source, x, flat, gathers, counts, ids, note }. `run(x, index, source)`
 * returns the result. `source` is that operand's shape, and `x` that of x where it is not the workload's own. The others are true where
 * - `flat`: the index names elements of the flattened table;
 * - `gathers`: it is a list of numbers, and not of tuples;
 * - `counts`: it is counted, with an empty tensor for the weights;
 * - `ids`: it is the number of each element's segment.
 */
function operatorFor(w) {
  if (w.op === 'pair') {
    const source = [...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)];
    const combine = tf[w.combine === 'multiply' ? 'mul' : w.combine];
    return { run: (x, _, y) => combine(x, y), source };
  }
  if (w.op === 'activate') return { run: tf[w.act] };
  if (w.op === 'dims') {
    const reduce = tf[{ amax: 'max', amin: 'min', argmax: 'argMax', argmin: 'argMin' }[w.how] ?? w.how];
    return { run: (x) => reduce(x, w.dim) };
  }
  if (w.reduce === 'multiply') return 'no scatter that multiplies';
  if (w.reduce === 'maximum') return 'no scatter that takes the maximum';
  if (w.op === 'histogram') return 'no histogram';
  if (w.op === 'bincount') return { run: (_, index, none) => tf.denseBincount(index, none, w.size), counts: true, note: 'denseBincount' };
  if (w.op === 'segments') {
    return { run: (x, ids) => tf.unsortedSegmentSum(x, ids, w.segments), ids: true, note: 'unsortedSegmentSum, with numbers of segments made outside the timing' };
  }
  if (w.op === 'gather') return { run: (x, index) => tf.gather(x, index), x: [w.elements], flat: true, gathers: true, note: `gather ${flatNote}` };
  if (w.op === 'rows') {
    const source = [w.count, ...w.shape.slice(w.tuple)];
    return { run: (x, index, src) => tf.add(x, tf.scatterND(index, src, w.shape)), source, note: 'scatterND into zeros, then add' };
  }
  if (w.scalar !== undefined) {
    return { run: (x, index, none) => tf.add(x, tf.denseBincount(index, none, w.size)), counts: true, note: 'denseBincount, then add' };
  }
  const flat = w.shape.length > 1;
  const source = [w.updates];
  if (w.reduce === 'add') {
    return { run: (x, index, src) => tf.add(x, tf.scatterND(index, src, [w.elements])), flat, source, note: 'scatterND into zeros, then add' };
  }
  return { run: (x, index, src) => tf.tensorScatterUpdate(x, index, src), x: [w.elements], flat, source,
    note: flat ? `tensorScatterUpdate ${flatNote}` : 'tensorScatterUpdate' };
}

/** For each element the number of its segment, from the offsets of the segments. */
function segmentNumbers(offsets, elements) {
  const ids = new Int32Array(elements);
  for (let s = 0; s + 1 < offsets.length; s++) ids.fill(s, offsets[s], offsets[s + 1]);
  return ids;
}

/** For each index entry of a scatter or gather the number of the table's element that it names. */
function flatten(w, index) {
  return index.map((at, k) => (Math.floor(k / w.post / w.count) * w.size + at) * w.post + (k % w.post));
}
