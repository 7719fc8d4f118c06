// numpy-ts. It has no ufunc.at, so no scatter that adds or multiplies.

import * as np from 'numpy-ts';
import { serveBench } from '../harness.js';
import { range } from '../workloads.js';
import { prepareGroup } from './groups/numpy.js';

/** See harness.js. */
function start() {
  np.configureWasm?.({ maxMemory: 2 ** 30 }); // its own limit of 256 MiB is too little for some workloads
  return { version: np.__version__ };
}

/** See harness.js. */
function prepare(w, inputs, dtype) {
  if (w.group) return prepareGroup(w, inputs, dtype);
  const { x, index, src, unit } = inputs;
  const operator = operatorFor(w, dtype);
  if (typeof operator === 'string') return operator;
  // A reshaped array shares its memory with the one before, so both are disposed of. `type` is a dtype.
  const from = (data, shape, type) => {
    const flat = np.array(data, type);
    const shaped = flat.reshape(shape);
    return { array: shaped, dispose: () => [shaped, flat].forEach((one) => one.dispose()) };
  };
  const make = () => [from(x, w.shape, dtype), index && from(index, w.index ?? [index.length], 'int32'), src && from(src, operator.source, dtype)];
  const held = make();
  const arrays = held.map((one) => one?.array);
  const table = from(x, w.shape, dtype);
  const values = (array) => array.data.slice();
  const resident = () => operator.run(...arrays);
  /** From arrays to an array. */
  const whole = () => {
    const made = make();
    const result = operator.run(...made.map((one) => one?.array));
    const out = values(result);
    result.dispose();
    for (const one of made) one?.dispose();
    return out;
  };
  const modes = {
    resident: { run: () => resident().dispose(), result() {
      const result = resident();
      const out = values(result);
      result.dispose();
      return out;
    } },
    'end to end': { run: whole, result: whole },
  };
  if (operator.inPlace) {
    const call = () => operator.inPlace(table.array, arrays[1], arrays[2]);
    modes['in place'] = { run: call, result: () => (call(), values(table.array)) };
  }
  return { note: operator.note, modes, dispose: () => [...held, table].forEach((one) => one?.dispose()) };
}

/**
 * How numpy-ts does a workload, or a text that says what it lacks: { source, run, inPlace, note }. `source` is that operand's shape.
 * `run(x, index, source)` returns a new array; `inPlace`, where there is such an operator, writes to x.
 */
function operatorFor(w, dtype) {
  if (w.op === 'pair') {
    const combine = np[{ sub: 'subtract', div: 'divide' }[w.combine] ?? w.combine];
    return { source: [...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)], run: (x, _, y) => combine(x, y) };
  }
  if (w.op === 'activate') return w.act === 'relu' ? { run: (x) => np.maximum(x, 0), note: 'maximum with 0' } : { run: (x) => np.exp(x) };
  if (w.op === 'dims' && w.dim === undefined) return { run: (x) => ({ data: [np[w.how](x)], dispose() {} }) }; // it is a number
  if (w.op === 'dims') return { run: (x) => np[w.how](x, w.dim) };
  if (w.op === 'gather') return { run: (x, index) => np.take_along_axis(x, index, w.dim) };
  // The counts of a histogram. Its edges, one array or one for each column, are not wanted.
  const counted = ([counts, edges]) => {
    for (const one of [edges].flat()) one.dispose();
    return counts;
  };
  if (w.op === 'bincount') return { run: (_, index) => np.bincount(index, undefined, w.size) };
  if (w.op === 'histogram' && w.columns === 1) return { run: (x) => counted(np.histogram(x, w.bins, range)) };
  if (w.op === 'histogram') return { run: (x) => counted(np.histogramdd(x, [w.bins, w.bins], [range, range])) };
  if (w.op === 'segments') return 'no reduceat';
  if (w.scalar !== undefined) {
    return { run: (x, index) => {
      const counts = np.bincount(index, undefined, w.size);
      const typed = counts.astype(dtype);
      const result = np.add(x, typed);
      for (const one of [counts, typed]) one.dispose();
      return result;
    }, note: 'bincount, then add' };
  }
  if (w.op === 'scatter' && !w.reduce) {
    const inPlace = (x, index, src) => np.put_along_axis(x, index, src, w.dim);
    return { source: w.index, inPlace, note: 'a copy, then put_along_axis', run(x, index, src) {
      const copy = np.copy(x);
      inPlace(copy, index, src);
      return copy;
    } };
  }
  return 'no scatter that adds or multiplies (ufunc.at)';
}

serveBench({ start, prepare });
