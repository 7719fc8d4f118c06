// Calls before and after warm_up(), in the page that imports this. Each function resolves to what can be sent to Node.

import { REDUCES, REDUCTIONS } from '../../../src/js/engine/wire.js';
import * as library from '../../../target/npm/scatterwise/index.js';

const { Tensor, init, memory, sync, warm_up } = library;

/** How many compute pipelines were compiled since it was set to 0. */
let compiled = 0;
const { createComputePipeline } = GPUDevice.prototype;
GPUDevice.prototype.createComputePipeline = function (...args) {
  compiled += 1;
  return Reflect.apply(createComputePipeline, this, args);
};

/** Rows of a table, entries of an index, and elements of a row: sizes for which a GPU scatters in different ways. */
const sizes = [[1, 1, 1], [3, 7, 1], [5, 40, 4], [300, 2000, 1], [300, 1500, 3], [70, 3000, 16], [2, 5000, 1], [2, 2, 20_000], [40_000, 9000, 1], [100, 64, 1]];

/**
 * The operands of calls of each size, with a source that is a tensor and one that is a number, and with an index of values that are known
 * here, or, for each third size, to the GPU alone; `tuples` is that index as tuples of one. `table()` and `tall()` make tensors to write
 * to, the second one with a row for each entry at least; `keep` has a tensor disposed of in the end (it goes into `made`); `label` names
 * the operands.
 */
function* updates(dtype, made) {
  const keep = (t) => (made.push(t), t);
  const ones = (shape, type = dtype) => keep(Tensor.ones(shape, { dtype: type }));
  for (const [at, [rows, entries, row]] of sizes.entries()) {
    const numbers = Int32Array.from({ length: entries }, (_, k) => (k * 7) % rows);
    const known = keep(new Tensor(numbers));
    const index = at % 3 === 1 ? keep(known.index_select(0, keep(Tensor.arange(0, entries, 1, { dtype: 'int32' })))) : known;
    const shape = row === 1 ? [rows] : [rows, row];
    for (const isScalar of [false, true]) {
      const src = isScalar ? 1 : ones(row === 1 ? [entries] : [entries, row]);
      yield { keep, ones, entries, table: () => ones(shape), tall: () => ones([Math.max(rows, entries), ...shape.slice(1)]), index, src, tuples: keep(index.reshape([entries, 1])), label: `${rows} ${entries} ${row} ${isScalar} ${at % 3}` };
    }
  }
}

/** Calls `run` with the index that a call along dimension 0 of the table needs, which has as many dimensions as that. */
function along(each, run) {
  const { keep, table, index, entries } = each;
  const { shape } = table();
  const wide = shape.length === 1 ? index : keep(keep(index.reshape([entries, 1])).index_select(1, keep(Tensor.zeros([shape[1]], { dtype: 'int32' }))));
  run(wide);
}
/** A call of an operator that updates rows. */
const rowsBy = (name) => (each) => library[name](each.table(), each.index, each.src);

/**
 * The calls of each operator that `warm_up` knows. Each gets the operands that `updates` yields; it may leave out those that it does not
 * take.
 */
const calls = {
  scatter: (each) => along(each, (wide) => [undefined, 'add', 'multiply'].forEach((reduce) => each.tall().scatter_(0, wide, each.src, reduce && { reduce }))),
  scatter_add(each) {
    along(each, (wide) => each.table().scatter_add_(0, wide, each.src));
    each.table().scatter_add_(each.tuples, each.src);
  },
  scatter_reduce: (each) => along(each, (wide) => REDUCTIONS.forEach(([reduce], at) => each.table().scatter_reduce_(0, wide, each.src, reduce, { include_self: at % 2 === 0 }))),
  scatter_nd: (each) => REDUCES.forEach((reduce) => each.table().scatter_nd_(each.tuples, each.src, reduce === 'replace' ? undefined : { reduce })),
  scatter_update: rowsBy('scatter_update'),
  scatter_sub: rowsBy('scatter_sub'),
  scatter_mul: rowsBy('scatter_mul'),
  scatter_div: rowsBy('scatter_div'),
  scatter_max: rowsBy('scatter_max'),
  scatter_min: rowsBy('scatter_min'),
  index_add({ table, index, src }) {
    if (typeof src === 'number') return;
    for (const alpha of [1, 2]) table().index_add_(0, index, src, { alpha });
  },
  index_copy: ({ table, index, src }) => typeof src === 'number' || table().index_copy_(0, index, src),
  index_fill: ({ table, index }) => table().index_fill_(0, index, 3),
  segment_reduce({ keep, src }) {
    if (typeof src === 'number') return;
    const [size] = src.shape;
    const lengths = [Math.floor(size / 2), size - Math.floor(size / 2)];
    for (const [reduce] of REDUCTIONS) for (const initial of [undefined, 1]) keep(library.segment_reduce(src, reduce, initial === undefined ? { lengths } : { lengths, initial }));
  },
  gather: (each) => along(each, (wide) => each.keep(each.table().gather(0, wide))),
  gather_nd: ({ keep, table, tuples }) => keep(table().gather_nd(tuples)),
  index_select: ({ keep, table, index }) => ['raise', 'clip', 'drop'].forEach((mode) => keep(table().index_select(0, index, { mode }))),
  take_along_dim: (each) => along(each, (wide) => each.keep(each.table().take_along_dim(wide, 0))),
  mul: ({ keep, ones }) => {
    const x = ones([30, 48]);
    for (const y of [x, ones([48]), ones([30, 1]), ones([1]), 2]) keep(x.mul(y));
    for (const [a, b] of [[[7, 5], [5]], [[4, 1], [3]], [[3, 1, 5], [1, 2, 1]]]) keep(ones(a).mul(ones(b)));
    for (const y of [ones(x.shape), ones([48]), ones([30, 1]), 2]) x.mul_(y);
    keep(ones([7, 5])).mul_(ones([5]));
  },
  elementwise_mul: ({ keep, ones }) => keep(library.elementwise_mul(ones([6, 10, 4]), ones([10]), 1)),
  astype: ({ ones, keep }) => ['int8', 'float64', 'bool', 'uint64'].forEach((dtype) => keep(ones([100]).astype(dtype))),
  bincount({ keep, ones, entries }) {
    const x = keep(new Tensor(Int32Array.from({ length: entries }, (_, k) => k % 50)));
    for (const weights of [undefined, ones([entries])]) keep(library.bincount(x, { weights }));
  },
  histogram({ keep, ones, entries }) {
    const x = ones([entries]);
    const all = [{ bins: 10 }, { bins: 10, range: [0, 5], density: true }, { bins: [0, 1, 2, 5] }, { bins: 3, weights: ones([entries]) }];
    for (const options of all) Object.values(library.histogram(x, options)).forEach(keep);
  },
  histogramdd({ keep, ones, entries }) {
    const { hist, edges } = library.histogramdd(ones([entries, 2]), { bins: [3, 4] });
    [hist, ...edges].forEach(keep);
  },
};

/** The operators that warm_up knows (`names`), and those of them that have no call here (`unknown`). */
export async function operators() {
  await init({ device: 'webgpu' });
  const { allowed: names } = refusal(() => warm_up({ ops: ['?'] }));
  return { names, unknown: names.filter((name) => !calls[name]) };
}

/**
 * Compiles ahead for one dtype, then makes all calls. Resolves to how many pipelines were `compiled` ahead, how many tensors that `left`,
 * how many `calls` there were, and which of them compiled something `later`.
 */
export async function compileAhead({ dtype, names }) {
  const before = memory().tensors;
  compiled = 0;
  await warm_up({ dtypes: [dtype], ops: names });
  const left = memory().tensors - before;
  const outcome = { compiled, left, later: [], calls: 0 };
  // Some operands are made on the GPU by operators of int32, whose pipelines are not those that the calls need: they are compiled now.
  const made = [];
  const helpers = [Tensor.zeros([4], { dtype: 'int32' })];
  helpers.push(helpers[0].index_select(0, helpers[0]));
  for (const name of names) {
    for (const each of updates(dtype, made)) {
      const then = compiled;
      try {
        calls[name](each);
      } catch (error) {
        if (!['dtype-mismatch', 'unsupported-dtype'].includes(error.code)) throw new Error(`${name} ${each.label}: ${error.message}`, { cause: error });
      }
      outcome.calls += 1;
      if (compiled > then) outcome.later.push(`${name} ${each.label}: ${compiled - then}`);
    }
    await sync();
    made.splice(0).forEach((t) => t.dispose());
  }
  return outcome;
}

/** How many pipelines are compiled for one operator, for it and another one that needs the same (`again`), and for a third one (`more`). */
export async function compileSome() {
  await init({ device: 'webgpu' });
  const count = async (what) => {
    compiled = 0;
    await warm_up(what);
    return compiled;
  };
  const one = await count({ ops: ['gather'] });
  const again = await count({ ops: ['gather', 'take_along_dim'], dtypes: ['float32', 'float32'] });
  return { one, again, more: await count({ ops: ['scatter_'], dtypes: ['float32'] }) };
}

/** The errors of wrong calls on a device; and how many pipelines were `compiled`, on the CPU after a right call as well. */
export async function refusals(device) {
  await init({ device });
  compiled = 0;
  if (device === 'cpu') await warm_up();
  const wrong = [{ ops: ['scatter', 'scatter_all'] }, { dtypes: ['float'] }, { ops: 'scatter' }, { ops: [1] }, { dtypes: {} }, { op: [] }, 'scatter'];
  return { compiled, refused: wrong.map((what) => refusal(() => warm_up(what))) };
}

/** The error of a call as data; empty where there is none. */
function refusal(call) {
  try {
    call();
    return {};
  } catch ({ name, code, op, argument, allowed }) {
    return { name, code, op, argument, allowed };
  }
}
