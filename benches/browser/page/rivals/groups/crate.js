// What the crates of crate.js have of the workloads of groups.js. Tensors are their numbers.

import { groupOutputs } from '../../groups.js';
import { groupModes } from './modes.js';

/** See harness.js. `tensor` makes a tensor of an array, a shape and a dtype; `indexKind` and `groupFor` are those of `serveCrate`. */
export function prepareGroup(wasm, { tensor, indexKind, groupFor }, w, inputs, dtype) {
  const call = sharedCall(wasm, w) ?? groupFor(w, wasm);
  if (typeof call === 'string') return call;
  const kind = (name) => (['rows', 'columns', 'index'].includes(name) ? indexKind : dtype === 'float32' ? 'f32' : 'i32');
  const shapes = { ...w.shapes, ...call.shapes };
  const operands = Object.entries({ ...inputs, ...call.more });
  const classes = groupOutputs(w, dtype === 'float32' ? Float32Array : Int32Array);
  // A result goes with its class and its length.
  const typed = (numbers) => numbers.map((number, at) => ({ number, Type: classes[at], length: call.length ?? w.count }));
  return groupModes({
    note: call.note,
    make: () => Object.fromEntries(operands.map(([name, array]) => [name, tensor(array, shapes[name] ?? [array.length], kind(name))])),
    run: (operands) => typed(call.run(operands)),
    read: ({ number, Type, length }) => new Type(wasm.memory.buffer, wasm.data(number), length).slice(),
    free: (all) => all.forEach((one) => wasm.release(one.number ?? one)),
  });
}

/**
 * How all of these crates do a workload, { run, note, more, shapes, length }, or undefined. `run` returns the results of the operands, both by number. `more` are
 * operands that are not those of the workload, as arrays; `shapes` are those that differ from the workload's. `length` is that of a result, if not `w.count`.
 */
function sharedCall(wasm, w) {
  switch (w.op) {
    case 'argsort': return { run: ({ x }) => [wasm.argsort(x)] };
    case 'sort': return { note: 'argsort, then gather', run({ x }) {
      const order = wasm.argsort(x);
      return [wasm.gather(x, order, 0), order];
    } };
    case 'spmm': return {
      note: 'the rows of an index, a product, then sums of rows',
      more: { table: new Float32Array(w.nodes * w.length) },
      shapes: { values: [w.count, 1], table: [w.nodes, w.length] },
      length: w.nodes * w.length,
      run: ({ rows, columns, values, dense, table }) => [wasm.spmm(table, rows, columns, values, dense)],
    };
  }
}
