// Puts one thing wrong with a small call, and says which error it has to be refused with.

import { METHODS, rowOf } from '../../../src/js/arguments/operators.js';
import { isReading, sizeOf } from '../calls/oracle.js';

/**
 * Whether docs/operators has the operator refuse dims, ranks, sizes and dtypes as RuntimeError; the others do it as ValueError or
 * TypeError, and so does an IndexPlan, which checks dim and index itself.
 */
const isRuntime = (op) => rowOf(op) === METHODS.scatter;

/**
 * Each changes the call, and returns the code, the class (`type`) and some facts of the error that it has to be refused with. Where it does
 * not apply, it changes nothing and returns undefined: often with an empty index, at which scatter_ and scatter end their checks.
 */
const faults = {
  'a bad index'(call, numbers) {
    const { index, self, form, op } = call;
    if (call.mode || call.ignore_index !== undefined || !index || index.data.length === 0 || (!isRuntime(op) && sizeOf(self.shape) === 0)) return undefined;
    const k = numbers.below(index.data.length);
    // The dimension of self that entry k is a position in.
    const at = form === 'along' || form === 'slices' ? (call.dim < 0 ? call.dim + self.shape.length : call.dim) : form === 'rows' ? 0 : k % index.shape.at(-1);
    const size = self.shape[at];
    const bad = numbers.pick([size, -size - 1, 2 ** 31 - 1, -(2 ** 31), ...(index.dtype === 'int64' ? [2 ** 32, -(2 ** 40), 2 ** 53] : [])]);
    index.data[k] = index.dtype === 'int64' ? BigInt(bad) : bad;
    const position = [];
    for (let d = index.shape.length - 1, rest = k; d >= 0; d--) {
      position[d] = rest % index.shape[d];
      rest = Math.floor(rest / index.shape[d]);
    }
    // A plan is made of rows as tuples of one: its index has one more dimension.
    if (call.planned && form === 'rows') position.push(0);
    return { code: 'index-out-of-range', type: 'IndexError', position, value: bad, allowed: [-size, size - 1] };
  },
  'a bad dim'(call, numbers) {
    if (call.dim === undefined || sizeOf(call.index.shape) === 0 || call.op === 'Tensor.take_along_dim') return undefined;
    const rank = call.self.shape.length;
    call.dim = numbers.pick([rank, -rank - 1, 2 ** 31 - 1, -(2 ** 31)]);
    return { code: 'dim-out-of-range', type: isRuntime(call.op) && !call.planned ? 'RuntimeError' : 'ValueError', value: call.dim, allowed: [-rank, rank - 1] };
  },
  'a fraction as dim'(call) {
    if (call.dim === undefined) return undefined;
    call.dim += 0.5;
    return { code: 'invalid-argument', type: 'TypeError' };
  },
  'an unknown word'(call, numbers) {
    if (!isRuntime(call.op) || call.planned) return undefined;
    call.how = numbers.pick(['sum', 'Add', '', 'constructor', '__proto__']);
    return { code: 'unknown-reduce', type: 'ValueError' };
  },
  'an unknown option'(call) {
    if (!isRuntime(call.op) || call.planned) return undefined;
    call.more = { reduc: 'add' }; // added to the options, see calls/make.js
    return { code: 'unknown-option', type: 'TypeError' };
  },
  'an index of another dtype'(call, numbers) {
    if (!call.index || call.given !== 'tensors') return undefined;
    call.index = { ...call.index, dtype: 'float32', data: Float32Array.from(call.index.data, Number) };
    return { code: 'index-dtype', type: 'TypeError' };
  },
  'a source of another dtype'(call) {
    const { self, source, given, index } = call;
    if (!source?.shape || given !== 'tensors' || call.form === 'rows' || isReading(call.op)) return undefined;
    if (index && sizeOf(index.shape) === 0) return undefined;
    const [dtype, data] = self.dtype === 'float32' ? ['float64', Float64Array.from(source.data)] : ['float32', Float32Array.from(source.data, Number)];
    call.source = { ...source, dtype, data };
    return { code: 'dtype-mismatch', type: isRuntime(call.op) ? 'RuntimeError' : 'TypeError' };
  },
  'a source that is too short'(call) {
    const { source, index, form } = call;
    if (form === 'pair' || !source?.shape || sizeOf(index.shape) === 0 || isReading(call.op) || form === 'slices') return undefined;
    const shape = source.shape.map((size, d) => (d === 0 ? (form === 'along' ? index.shape[0] - 1 : size - 1) : size));
    if (shape[0] < 0) return undefined;
    call.source = { ...source, shape, data: source.data.slice(0, sizeOf(shape)) };
    if (call.given === 'arrays') call.given = 'tensors';
    return { code: 'shape-mismatch', type: isRuntime(call.op) ? 'RuntimeError' : 'ValueError' };
  },
  'too many dimensions'(call) {
    if (call.form !== 'along' || sizeOf(call.index.shape) === 0 || call.op === 'Tensor.take_along_dim') return undefined;
    call.index = { ...call.index, shape: [1, ...call.index.shape] };
    return { code: 'rank-mismatch', type: isRuntime(call.op) && !call.planned ? 'RuntimeError' : 'ValueError' };
  },
};

/**
 * Spoils a call by one fault, drawn at random. Returns its name, the required error, and `wrong(error)`, which says what is wrong
 * with an error, or null. Returns null, with the call as it was, where the fault does not apply.
 */
export function spoil(call, numbers) {
  const name = numbers.pick(Object.keys(faults));
  const fault = faults[name](call, numbers);
  return fault ? { name, ...fault, wrong: (error) => wrong(fault, error) } : null;
}

/** The broken promise of an error; null if it is right. */
function wrong({ code, type, position, value, allowed }, error) {
  if (error.code !== code || error.name !== type) return `was refused with ${error.name} ${error.code}, not ${type} ${code}: ${error.message}`;
  const facts = { position, value, allowed };
  for (const [name, fact] of Object.entries(facts)) {
    if (fact !== undefined && String(error[name]) !== String(fact)) return `${code}: ${name} is ${error[name]}, not ${fact}`;
  }
  return null;
}
