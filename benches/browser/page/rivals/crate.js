// Libraries of Rust behind the plain exports of benches/browser/candle and benches/browser/burn: tensors by number.

import { serveBench } from '../harness.js';

/**
 * `file` is the module, `indexKind` names its function for an index. `operatorFor(w, wasm)` says what a workload is: the shapes of
 * its index and source, `run` into a new tensor, `inPlace` where there is such an operator, a `note`; or, as a string, what it lacks.
 */
export function serveCrate({ file, indexKind, operatorFor }) {
  let wasm;

  async function start() {
    // Some crate below it would ask JavaScript for random numbers; nothing here does.
    const nothing = new Proxy({}, { get: () => () => 0 });
    const imports = new Proxy({}, { get: () => nothing });
    ({ instance: { exports: wasm } } = await WebAssembly.instantiateStreaming(fetch(file), imports));
    return {};
  }

  function tensor(array, shape, kind) {
    const pointer = wasm.room(array.length);
    new array.constructor(wasm.memory.buffer, pointer, array.length).set(array);
    const dims = wasm.room(shape.length);
    new Uint32Array(wasm.memory.buffer, dims, shape.length).set(shape);
    return right(wasm[`tensor_${kind}`](pointer, array.length, dims, shape.length));
  }

  function prepare(w, { x, index, src, unit }, dtype) {
    const operator = operatorFor(w, wasm);
    if (typeof operator === 'string') return operator;
    const kind = dtype === 'float32' ? 'f32' : 'i32';
    const ones = w.scalar !== undefined ? new x.constructor(w.updates).fill(w.scalar) : undefined;
    const make = (source = src ?? ones) => [tensor(x, w.shape, kind), index && tensor(index, operator.index, indexKind), source && tensor(source, operator.source, kind)];
    const held = make();
    const table = operator.inPlace ? make(unit ?? ones) : [];
    const values = (number) => new x.constructor(wasm.memory.buffer, wasm.data(number), w.out_elements).slice();
    const drop = (numbers) => numbers.forEach((number) => number !== undefined && wasm.release(number));
    const resident = () => right(operator.run(...held));
    /** In place, where there is such an operator: the tensor was made for this call. */
    const whole = () => {
      const made = make();
      const result = operator.inPlace ? (right(operator.inPlace(...made)), made[0]) : right(operator.run(...made));
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
      const call = () => right(operator.inPlace(...table));
      modes['in place'] = { run: call, result: () => (call(), values(table[0])) };
    }
    return { note: operator.note, modes, dispose: () => drop([...held, ...table]) };
  }

  serveBench({ start, prepare });
}

const right = (number) => {
  if (number < 0) throw new Error('refused');
  return number;
};
