// Candle, in WebAssembly on one thread.

import { serveBench } from '../harness.js';

let wasm;

async function start() {
  // Some crate below it would ask JavaScript for random numbers; nothing here does.
  const nothing = new Proxy({}, { get: () => () => 0 });
  const imports = new Proxy({}, { get: () => nothing });
  ({ instance: { exports: wasm } } = await WebAssembly.instantiateStreaming(fetch('/candle.wasm'), imports));
  return {};
}

const right = (number) => {
  if (number < 0) throw new Error('refused');
  return number;
};

function tensor(array, shape, kind) {
  const pointer = wasm.room(array.length);
  new array.constructor(wasm.memory.buffer, pointer, array.length).set(array);
  const dims = wasm.room(shape.length);
  new Uint32Array(wasm.memory.buffer, dims, shape.length).set(shape);
  return right(wasm[`tensor_${kind}`](pointer, array.length, dims, shape.length));
}

function prepare(w, { x, index, src, unit }, dtype) {
  const operator = operatorFor(w);
  if (typeof operator === 'string') return operator;
  const kind = dtype === 'float32' ? 'f32' : 'i32';
  const source = src ?? (w.scalar !== undefined ? new x.constructor(w.updates).fill(w.scalar) : undefined);
  const make = () => [tensor(x, w.shape, kind), index && tensor(index, operator.index, 'u32'), source && tensor(source, operator.source, kind)];
  const held = make();
  const table = tensor(x, w.shape, kind);
  const values = (number) => new x.constructor(wasm.memory.buffer, wasm.data(number), w.out_elements).slice();
  const drop = (numbers) => numbers.forEach((number) => number !== undefined && wasm.release(number));
  const resident = () => right(operator.run(...held));
  const whole = () => {
    const made = make();
    const result = right(operator.run(...made));
    const out = values(result);
    drop([...made, result]);
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
    const call = () => right(operator.inPlace(table, held[1], held[2]));
    modes['in place'] = { run: call, result: () => (call(), values(table)) };
  }
  return { note: operator.note, modes, dispose: () => drop([...held, table]) };
}

function operatorFor(w) {
  if (w.op === 'multiply') {
    return { source: [...w.other, ...w.shape.slice(w.axis + w.other.length).fill(1)], run: (x, _, y) => wasm.multiply(x, y) };
  }
  if (w.op === 'gather') return { index: w.index, run: (x, i) => wasm.gather(x, i, w.dim) };
  if (w.reduce === 'multiply') return 'no scatter that multiplies';
  if (w.op === 'rows') {
    if (w.tuple === 2) return 'no scatter at pairs';
    return { index: [w.count], source: [w.count, w.length], run: (x, i, s) => wasm.add_rows(x, i, s), note: 'index_add' };
  }
  const [copying, inPlace] = w.reduce ? [wasm.add, wasm.add_in_place] : [wasm.replace, wasm.replace_in_place];
  return {
    index: w.index, source: w.index, note: w.scalar === undefined ? undefined : 'scatter_add with an array of ones',
    run: (x, i, s) => copying(x, i, s, w.dim), inPlace: (x, i, s) => inPlace(x, i, s, w.dim),
  };
}

serveBench({ start, prepare });
