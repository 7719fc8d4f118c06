// Libraries of Rust behind the plain exports of benches/browser/candle and benches/browser/burn: tensors by number.

import { serveBench } from '../harness.js';
import { outArray } from '../workloads.js';
import { prepareGroup } from './groups/crate.js';

// How two tensors are combined, and how dimensions are reduced, in the order of the modules' numbers; and the numbers of activations.
export const pairs = ['multiply', 'add', 'sub', 'div', 'maximum', 'minimum'];
export const activations = { relu: 0, exp: 1, log: 2 };
const reductions = ['sum', 'mean', 'amax', 'amin', 'argmax', 'argmin'];

/** The operator of a workload that both modules do in the same way, as `operatorFor` of `serveCrate` returns it; else undefined. */
export function sharedOperator(w, wasm) {
  if (w.op === 'pair') {
    // y with ones where x has dimensions that y lacks: Burn broadcasts operands of equal rank.
    const source = [...Array(w.axis).fill(1), ...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)];
    const how = pairs.indexOf(w.combine);
    const { pair, pair_in_place } = wasm;
    return { source, run: (x, _, y) => pair(x, y, how), inPlace: pair_in_place && ((x, _, y) => pair_in_place(x, y, how)) };
  }
  if (w.op === 'activate') return { run: (x) => wasm.activate(x, activations[w.act]) };
  if (w.op === 'dims') return { run: (x) => wasm.reduce(x, reductions.indexOf(w.how), w.dim ?? -1) };
}

/**
 * Serves the benchmark from a module: `file` is its address, and `indexKind` the dtype of its indices ('i32' or 'u32').
 * `operatorFor(w, wasm)` returns how the module does a workload, or a text that says what it lacks: { index, source, run, inPlace, note }.
 * `index` and `source` are the shapes of these operands. `run(x, index, source)` takes tensors by number and returns the number of a
 * new one; `inPlace`, where there is such an operator, writes to x. `note` is the harness's. `groupFor(w, wasm)` returns how the module alone does a workload of
 * groups.js, as `sharedCall` of groups/crate.js does, or what it lacks.
 */
export function serveCrate({ file, indexKind, operatorFor, groupFor }) {
  let wasm;

  /** Loads the module. */
  async function start() {
    // A dependency imports functions for random numbers. Nothing here calls them, so any function will do.
    const nothing = new Proxy({}, { get: () => () => 0 });
    const imports = new Proxy({}, { get: () => nothing });
    ({ instance: { exports: wasm } } = await WebAssembly.instantiateStreaming(fetch(file), imports));
    return {};
  }

  /** The number of a new tensor of such values; `kind` is its dtype ('f32', 'i32' or 'u32'). */
  function tensor(array, shape, kind) {
    const pointer = wasm.room(array.length);
    new array.constructor(wasm.memory.buffer, pointer, array.length).set(array);
    const dims = wasm.room(shape.length);
    new Uint32Array(wasm.memory.buffer, dims, shape.length).set(shape);
    return checked(wasm[`tensor_${kind}`](pointer, array.length, dims, shape.length));
  }

  /** See harness.js. */
  function prepare(w, inputs, dtype) {
    if (w.group) return prepareGroup(wasm, { tensor, indexKind, groupFor }, w, inputs, dtype);
    const { x, index, src, unit } = inputs;
    const operator = operatorFor(w, wasm);
    if (typeof operator === 'string') return operator;
    const kind = dtype === 'float32' ? 'f32' : 'i32';
    // In the place of a scalar source there is an array: none of these operators takes a scalar.
    const ones = w.scalar !== undefined ? new x.constructor(w.updates).fill(w.scalar) : undefined;
    const make = (source = src ?? ones) => [tensor(x, w.shape, kind), index && tensor(index, operator.index, indexKind), source && tensor(source, operator.source, kind)];
    const held = make();
    // Operands of their own for calls in place, which change x.
    const table = operator.inPlace ? make(unit ?? ones) : [];
    // A copy of a tensor's elements, because memory may grow or be reused.
    const values = (number) => new (outArray(w, x))(wasm.memory.buffer, wasm.data(number), w.out_elements).slice();
    const drop = (numbers) => numbers.forEach((number) => number !== undefined && wasm.release(number));
    const resident = () => checked(operator.run(...held));
    /** From arrays to an array. In place, where there is such an operator, because the tensor was made for this call. */
    const whole = () => {
      const made = make();
      const result = operator.inPlace ? (checked(operator.inPlace(...made)), made[0]) : checked(operator.run(...made));
      const out = values(result);
      drop(new Set([...made, result]));
      return out;
    };
    const modes = {
      resident: { run: () => wasm.release(resident()), result() {
        const result = resident();
        const out = values(result);
        wasm.release(result);
        return out;
      } },
      'end to end': { run: whole, result: whole },
    };
    if (operator.inPlace) {
      const call = () => checked(operator.inPlace(...table));
      modes['in place'] = { run: call, result: () => (call(), values(table[0])) };
    }
    return { note: operator.note, modes, dispose: () => drop([...held, ...table]) };
  }

  serveBench({ start, prepare });
}

/** Returns the number that a function of the module has returned; throws where it is negative, which stands for an error. */
const checked = (number) => {
  if (number < 0) throw new Error('refused');
  return number;
};
