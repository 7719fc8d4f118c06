// What the crates of crate.js have of the workloads of groups.js. Tensors are their numbers.

import { groupOutputs } from '../../groups.js';
import { groupModes } from './modes.js';

/** See harness.js; the other arguments are those of `serveCrate`, and `tensor` makes a tensor of an array, a shape and a dtype. */
export function prepareGroup(wasm, tensor, indexKind, w, inputs, dtype) {
  const call = callFor(wasm, w);
  if (typeof call === 'string') return call;
  const kind = (name) => (['rows', 'columns'].includes(name) ? indexKind : dtype === 'float32' ? 'f32' : 'i32');
  const shapes = { ...w.shapes, values: [w.count, 1], table: [w.nodes, w.length] };
  const classes = groupOutputs(w, dtype === 'float32' ? Float32Array : Int32Array);
  // A result goes with its class and its length.
  const typed = (numbers) => numbers.map((number, at) => ({ number, Type: classes[at], length: w.op === 'spmm' ? w.nodes * w.length : w.count }));
  return groupModes({
    note: call.note,
    make: () => Object.fromEntries([...Object.entries(inputs), ...(w.op === 'spmm' ? [['table', new Float32Array(w.nodes * w.length)]] : [])].map(
      ([name, array]) => [name, tensor(array, shapes[name], kind(name))],
    )),
    run: (operands) => typed(call.run(operands)),
    read: ({ number, Type, length }) => new Type(wasm.memory.buffer, wasm.data(number), length).slice(),
    free: (all) => all.forEach((one) => wasm.release(one.number ?? one)),
  });
}

/** How the crate does a workload, { run, note }, or a text that says what it lacks. */
function callFor(wasm, w) {
  switch (w.op) {
    case 'argsort': return { run: ({ x }) => [wasm.argsort(x)] };
    case 'sort': return { note: 'argsort, then gather', run({ x }) {
      const order = wasm.argsort(x);
      return [wasm.gather(x, order, 0), order];
    } };
    case 'spmm': return { note: 'the rows of an index, a product, then sums of rows', run: ({ rows, columns, values, dense, table }) => [wasm.spmm(table, rows, columns, values, dense)] };
    case 'search': return 'no searchsorted';
    case 'unique': return 'no unique';
    case 'binned': return 'no histogram';
    case 'bincount-mask': return 'no bincount';
    case 'ignore': return 'no value that an index leaves out';
    default: return 'no softmax, maximum or position within groups';
  }
}
