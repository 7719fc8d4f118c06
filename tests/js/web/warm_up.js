// Calls before and after warm_up(), in the page that imports this. Each function resolves to data that can be sent to Node.

import { FUNCTIONS, METHODS, operators as allOperators } from '../../../src/js/arguments/operators.js';
import { ALONG, MODES, REDUCTIONS, SLICES, TUPLES } from '../../../src/js/engine/wire.js';
import { Numbers } from '../../../src/js/verify/numbers.js';
import { shortName } from '../../../src/js/verify/calls.js';
import * as library from '../../../target/npm/scatterwise/index.js';
import { drawnCall, hasDraw } from '../calls/drawn.js';
import { start } from '../calls/make.own.js';

const { Tensor, init, memory, sync, warm_up } = library;

/** How many compute pipelines were compiled since it was set to 0. */
let compiled = 0;
const { createComputePipeline } = GPUDevice.prototype;
GPUDevice.prototype.createComputePipeline = function (...args) {
  compiled += 1;
  return Reflect.apply(createComputePipeline, this, args);
};

/** Rows of a table, entries of an index, and elements of a row: sizes for which a GPU scatters in different ways. */
const sizes = [[1, 1, 1], [3, 7, 1], [5, 40, 4], [300, 2000, 1], [300, 1500, 3], [70, 3000, 16], [2, 5000, 1], [2, 2, 20_000], [40_000, 9000, 1], [100, 64, 1], [100_000, 2000, 1]];

/**
 * The operands of calls of each size, with a source that is a tensor and one that is a number, and with an index of values that are known
 * here, or, for each third size, to the GPU alone; `tuples` is that index as tuples of one. `table()` and `tall()` make tensors to write
 * to, the second one with a row for each entry at least; `keep` has a tensor disposed of in the end (it goes into `made`); `label` names
 * the operands, and `at` is the number of their size.
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
      yield { made, dtype, at, keep, ones, entries, table: () => ones(shape), tall: () => ones([Math.max(rows, entries), ...shape.slice(1)]), index, src, tuples: keep(index.reshape([entries, 1])), label: `${rows} ${entries} ${row} ${isScalar} ${at % 3}` };
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

/** The words that `reduce` may be, and undefined where it may be left out. */
const wordsOf = ({ words, args }) => (words ? [...(args.includes('reduce') ? [] : [undefined]), ...words.map(([word]) => word)] : [undefined]);
/** The options of call number `at` by a row. Other options alternate from call to call. */
const optionsFor = ({ options, args }, reduce, at) => ({
  ...(reduce && !args.includes('reduce') && { reduce }),
  ...(options.includes('include_self') && { include_self: at % 2 === 0 }),
  ...(options.includes('alpha') && { alpha: 1 + (at % 2) }),
  ...(options.includes('return_indices') && ['amax', 'amin'].includes(reduce) && { return_indices: at % 2 === 0 }),
});

/** The calls of an operator that a row makes: of each word, and of each way to address; on operands that `updates` yields. */
const callsOf = (name, row) => (each) => {
  const { table, tall, index, src, tuples } = each;
  if (row.run === 'rows') return library[name](table(), index, src);
  if (row.run === 'gather') return readsOf(name, row, each);
  if (row.form === SLICES && (typeof src === 'number') !== row.args.includes('value')) return undefined;
  const isAlternating = row.options.includes('include_self') || row.options.includes('alpha');
  for (const [at, reduce] of [...wordsOf(row), ...(isAlternating ? wordsOf(row) : [])].entries()) {
    const last = [...(row.args.includes('reduce') ? [reduce] : []), optionsFor(row, reduce, at)];
    if (row.form === TUPLES || row.tuples) table()[`${name}_`](tuples, src, ...last);
    if (row.form === ALONG) along(each, (wide) => (row === METHODS.scatter ? tall() : table())[`${name}_`](0, wide, src, ...last));
    if (row.form === SLICES) table()[`${name}_`](0, index, src, ...last);
  }
};

/** The calls of an operator that reads, with each mode. */
function readsOf(name, { form }, each) {
  const { keep, table, index, tuples } = each;
  for (const mode of MODES.filter((mode) => mode !== 'wrap')) {
    if (form === TUPLES) keep(table()[name](tuples, { mode }));
    if (form === ALONG) along(each, (wide) => keep(table()[name](0, wide, { mode })));
    if (form === SLICES) keep(table()[name](0, index, { mode }));
  }
}

/** The calls of an operation on two tensors, with each rounding that it has; a method in place too. */
const pairsOf = (name, { args, options }) => ({ keep, ones }) => {
  const x = ones([30, 48]);
  if (args[0] === 'x') return keep(library[name](ones([6, 10, 4]), ones([10]), 1));
  const isFloat = /float/.test(x.dtype);
  const choices = options.length === 0 ? [undefined] : [...(isFloat ? [undefined] : []), { rounding: 'trunc' }, { rounding: 'floor' }];
  for (const choice of choices) {
    for (const y of [x, ones([48]), ones([30, 1]), ones([1]), 2]) keep(x[name](y, choice));
    for (const [a, b] of [[[7, 5], [5]], [[5], [7, 5]], [[48], [30, 48]], [[1], [30, 48]], [[4, 1], [3]], [[3, 1, 5], [1, 2, 1]]]) keep(ones(a)[name](ones(b), choice));
    for (const y of [ones(x.shape), ones([48]), ones([30, 1]), 2]) x[`${name}_`](y, choice);
    keep(ones([7, 5]))[`${name}_`](ones([5]), choice);
  }
};

/** Calls `run` with a dim and an index of eight groups, on sources that have groups: tensors of floats but float64. */
function ofGroups(src, run) {
  if (typeof src === 'number' || !/float(16|32)/.test(src.dtype)) return;
  run(0, Int32Array.from({ length: src.shape[0] }, (_, at) => at % 8));
}

/** Calls of an operator as drawn.js draws them, another one for each size: what such an operator is made of has calls of every size. */
const drawnOf = (op) => ({ made, dtype, at }) => {
  const result = start(library, drawnCall(op, dtype, new Numbers(at)), 'webgpu', made, []);
  for (const each of result instanceof Tensor ? [result] : Object.values(result).flat()) if (!made.includes(each)) made.push(each);
};

/**
 * The calls of each operator that `warm_up` knows. Each gets the operands that `updates` yields; it may leave out those that it does not
 * take.
 */
const calls = {
  ...Object.fromEntries(allOperators().filter(hasDraw).map((op) => [shortName(op), drawnOf(op)])),
  ...Object.fromEntries(Object.entries({ ...METHODS, ...FUNCTIONS }).filter(([, { run }]) => run === 'pair').map(([name, row]) => [name, pairsOf(name, row)])),
  ...Object.fromEntries(Object.entries({ ...METHODS, ...FUNCTIONS }).filter(([, { run }]) => ['scatter', 'gather', 'rows'].includes(run)).map(([name, row]) => [name, callsOf(name, METHODS[name] ?? row)])),
  scatter_softmax: ({ keep, src }) => ofGroups(src, (dim, index) => {
    keep(library.scatter_softmax(src, index, dim));
    keep(library.scatter_softmax(src, index, dim, { ignore_index: 1 }));
  }),
  scatter_logsumexp: ({ keep, src }) => ofGroups(src, (dim, index) => keep(library.scatter_logsumexp(src, index, dim, { size: 8 }))),
  segment_reduce({ keep, src }) {
    if (typeof src === 'number') return;
    const [size] = src.shape;
    const lengths = [Math.floor(size / 2), size - Math.floor(size / 2)];
    for (const [reduce] of REDUCTIONS) for (const initial of [undefined, 1]) keep(library.segment_reduce(src, reduce, initial === undefined ? { lengths } : { lengths, initial }));
  },
  ...Object.fromEntries(Object.keys(METHODS).filter((name) => METHODS[name].run === 'dims').map((name) => [name, ({ keep, ones }) => {
    for (const shape of [[100], [3, 50], [50, 3], [1000, 40]]) for (const dim of [0, undefined]) keep(ones(shape)[name](dim));
  }])),
  take_along_dim: (each) => along(each, (wide) => each.keep(each.table().take_along_dim(wide, 0))),
  activate: ({ keep, ones }) => keep(library.activate(ones([30, 48]), 'assign')),
  astype: ({ ones, keep }) => ['int8', 'float64', 'bool', 'uint64'].forEach((dtype) => keep(ones([100]).astype(dtype))),
  spmm({ keep, ones, entries }) {
    const places = keep(new Tensor(Int32Array.from({ length: entries }, (_, k) => k % 30)));
    const plan = keep(library.IndexPlan.select([30], 0, Int32Array.from({ length: entries }, (_, k) => k % 30)));
    for (const [reduce] of FUNCTIONS.spmm.words) {
      for (const values of [undefined, ones([entries])]) for (const shape of [[30], [30, 3], [30, 8]]) for (const rows of [places, plan]) keep(library.spmm(rows, places, values, ones(shape), { reduce }));
    }
  },
  argsort: ({ keep, ones, entries }) => keep(ones([entries]).argsort()),
  sort: ({ keep, ones, entries }) => Object.values(ones([2, entries]).sort(1)).forEach(keep),
  // Its promise resolves after the count, by when all pipelines are compiled.
  unique: ({ ones, entries }) => library.unique(ones([entries])).then((all) => Object.values(all).forEach((each) => each.dispose())),
  compress: ({ keep, ones, entries }) => library.compress(keep(ones([entries]).astype('bool')), ones([entries, 3])).then((all) => all.dispose()),
  searchsorted: ({ keep, ones, entries }) => keep(library.searchsorted(ones([entries]), ones([3]))),
  bincount({ keep, ones, entries }) {
    const x = keep(new Tensor(Int32Array.from({ length: entries }, (_, k) => k % 50)));
    const mask = keep(ones([entries]).astype('bool'));
    for (const weights of [undefined, ones([entries])]) keep(library.bincount(x, { weights }), library.bincount(x, { weights, mask, length: 50 }), library.bincount(x, { weights, minlength: 3000 }));
  },
  histogram({ keep, ones, entries }) {
    const x = ones([entries]);
    const all = [{ bins: 10 }, { bins: 10, range: [0, 5], density: true }, { bins: [0, 1, 2, 5] }, { bins: 3, weights: ones([entries]) }];
    const mask = keep(x.astype('bool'));
    for (const options of all) for (const more of [{}, { mask, dim: 0 }]) Object.values(library.histogram(x, { ...options, ...more })).forEach(keep);
  },
  histogramdd({ keep, ones, entries }) {
    const { hist, edges } = library.histogramdd(ones([entries, 2]), { bins: [3, 4] });
    [hist, ...edges].forEach(keep);
  },
  bin_codes({ keep, ones, entries }) {
    const { codes, edges } = library.bin_codes(ones([entries, 2]), { bins: [3, 4] });
    [codes, ...edges].forEach(keep);
  },
  binned_statistic({ keep, ones, entries }) {
    const sample = ones([entries, 2]);
    for (const which of ['count', 'sum', 'mean', 'min', 'max']) {
      for (const values of [ones([entries]), ones([3, entries])]) {
        const { statistic, edges } = library.binned_statistic(sample, values, which, { bins: [3, 4] });
        [statistic, ...edges].forEach(keep);
      }
    }
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
        await calls[name](each);
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

/** `compileAhead` for one operator; and for `astype`, which makes operands. */
export async function compileAlone(name) {
  await init({ device: 'webgpu' });
  return compileAhead({ dtype: 'float32', names: ['astype', name] });
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

/** The error of a call as data; empty without an error. */
function refusal(call) {
  try {
    call();
    return {};
  } catch ({ name, code, op, argument, allowed }) {
    return { name, code, op, argument, allowed };
  }
}
