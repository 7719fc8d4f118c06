// Compiles pipelines ahead. wgpu compiles a pipeline in the call that first needs it, and offers no other way. So this makes such calls,
// on at most tens of thousands of elements. The key of a pipeline has no shape, so these pipelines serve calls of every size. Nothing is
// called at the top of this file, so that bundlers can omit it. tools/package.mjs defines HAS: for each family whether the entry has it. An
// entry without GPU code has nothing of this but the checks of arguments.
//
// "Work" is a set of such calls, known by a word: the reduction of a scatter, or a key of `work` below. Work uses these tools for tensors
// of one dtype: `ones` and `index` make a tensor of a shape on the GPU, filled with 1, or with 0 as int32. `unknown(entries, row)` makes
// ones that only the GPU knows. `isInteger` says whether the dtype has integers. `bytes` is the size of an element. `keep` and the others put every tensor into a list, to be freed at the
// end.

import * as gpu from '#gpu';
import { readOptions, text } from '../arguments/arguments.js';
import { FUNCTIONS, isHere, METHODS } from '../arguments/operators.js';
import { arrays } from '../engine/arrays.js';
import { DTYPE_OF, requireStart } from '../engine/engine.js';
import { readable, unknownWord, ValueError, wrongKind } from '../engine/errors.js';
import { resolved } from '../engine/task.js';
import { DTYPES, REDUCES, ROUNDINGS, STATISTICS } from '../engine/wire.js';
import { defaultDevice } from '../start/session.js';
import { scatter_logsumexp, scatter_softmax, spmm } from './groups.js';
import { bin_codes, bincount, binned_statistic, histogram, histogramdd } from './histogram.js';
import { IndexPlan } from './index_plan.js';
import { flatnonzero, where } from './masks.js';
import { searchsorted, unique } from './sort.js';
import { Tensor } from './tensor.js';

/** The words of the work that the operator of a row needs. The operator in place needs the same work. */
function workOf({ work, words, options, update = 'gather' }) {
  if (work) return work;
  if (!words) return [update];
  const replaces = options.includes('reduce') ? ['replace'] : []; // for a missing option
  const winners = HAS.groups && options.includes('return_indices') ? ['winners'] : [];
  return [...replaces, ...winners, ...words.map(([, number]) => REDUCES[number] ?? 'mean')]; // REDUCES has no word for the mean
}

/** A number of entries that is too large for `Strategy::Small`, also with rows of one element (SMALL_ENTRIES in strategy.rs). */
const MANY = 4160;
/** Rows of a table, entries of an index, elements of a row. With these sizes scatters run the passes of every way in strategy.rs. */
const scatterSizes = [[1, 1, 1], [8, 16, 1], [64, MANY, 5], [8, 64, 16], [4, MANY, 1]];

/** A size for `Strategy::Lists`. */
const listSize = [2000, MANY, 1];
/** And for maxima and products that need no order: rows of 16 with many updates, and a table of so many rows for each entry that it needs one (REPEAT_ROWS). */
const largeSizes = [[8, 2080, 16], [20_000, 1040, 1], listSize];

/**
 * The work of scatters with the reduction `reduce`, a word of scatter_nd. Replacement moves rows of 4 and 16 bytes as a whole, so smaller
 * elements are also scattered in such rows.
 */
function scatterAll({ index, ones, unknown, bytes, keep }, reduce) {
  const isMove = reduce === 'replace';
  const wide = [4, 16].filter((size) => isMove && size > bytes).map((size) => [4, MANY, size / bytes]);
  const options = isMove ? undefined : { reduce };
  for (const [rows, entries, row] of [...scatterSizes, ...largeSizes, ...wide]) {
    // Divisors come from the GPU, so that the pass that looks for zeros among them is compiled.
    const updates = reduce === 'div' ? unknown(entries, row) : ones(entries, row);
    ones(rows, row).scatter_nd_(index(entries, 1), updates, options);
  }
  // Pairs are decoded one by one, and other entries four at a time.
  ones(8, 8).scatter_nd_(index(MANY, 2), reduce === 'div' ? keep(unknown(MANY, 1).reshape([MANY])) : ones(MANY), options);
  ones(8, 8).scatter_nd_(index(MANY, 2), 1, options);
  // One number for all entries takes other ways, but never that of the last size.
  for (const [rows, entries, row] of scatterSizes.slice(0, 4)) ones(rows, row).scatter_nd_(index(entries, 1), 1, options);
}

function reduceAll({ index, ones }) {
  // Rows of three entries are counted one by one, and other entries four at a time.
  for (const [rows, entries, row] of [...scatterSizes.slice(0, 2), [8, 16, 3]]) {
    ones(rows, row).scatter_reduce_(0, index(entries, row), ones(entries, row), 'mean', { include_self: false });
  }
}

/** The beginning of the words of `pairAll`; the `update` of a row follows. */
const PAIR = 'pair ';

/**
 * The work of operations on two tensors with the word `update`: of the method that has it, in each order of a larger and a smaller tensor,
 * and with each rounding of a quotient.
 */
function pairAll({ ones, keep, isInteger }, update) {
  const [name, { options }] = Object.entries(METHODS).find(([, row]) => row.run === 'pair' && row.update === update);
  const roundings = ROUNDINGS.map((rounding) => ({ rounding }));
  const choices = options.length === 0 ? [undefined] : isInteger ? roundings : [undefined, ...roundings];
  for (const choice of choices) {
    // The last rows have a length that is no multiple of four.
    for (const [shape, other] of [[[2, 64], [2, 64]], [[2, 64], [64]], [[2, 64], []], [[2, 3], [3]]]) {
      keep(ones(...shape)[name](ones(...other), choice), ones(...other)[name](ones(...shape), choice));
      ones(...shape)[`${name}_`](ones(...other), choice);
    }
  }
}

function groupsAll({ index, ones, keep, bytes }) {
  if (bytes === 8) return; // WebGPU refuses float64
  // One element, few and many entries, and rows that are moved in several units.
  for (const [entries, row] of [[1, 1], [16, 1], [16, 3], [16, 16], [2000, 1], [2000, 16]]) {
    const src = ones(entries, row);
    keep(scatter_softmax(src, index(entries), 0), scatter_softmax(src, index(entries), 0, { ignore_index: -1 }));
    keep(scatter_logsumexp(src, index(entries), 0, { size: 2 }));
  }
}

function argmaxAll({ index, ones, keep }) {
  const { values, indices } = ones(4, 2).scatter_reduce(0, index(4, 2), ones(4, 2), 'amax', { return_indices: true });
  keep(values, indices);
}

function gatherAll({ index, ones, bytes, keep }) {
  // Rows of one element, of three, and of the units in which rows are moved.
  for (const size of new Set([bytes, 3 * bytes, 4, 16])) keep(ones(4, Math.max(size / bytes, 1)).index_select(0, index(4)));
  // An index that only the GPU knows is checked or clipped on the GPU.
  const places = keep(index(4).index_select(0, index(4)));
  for (const mode of ['raise', 'clip']) keep(ones(4, 1).index_select(0, places, { mode }));
}

function dimsAll({ ones, keep }) {
  for (const [rows, row] of [[3, 5], [70, 90]]) {
    const t = ones(rows, row);
    for (const dim of [0, 1]) for (const name of ['sum', 'amax', 'amin', 'argmax', 'argmin']) keep(t[name](dim));
  }
}

function spmmAll({ index, ones, keep }) {
  // Few entries go by the calls that the operator is made of. More of them, with not too many for a row, go by its own passes.
  const { words } = FUNCTIONS.spmm;
  for (const [entries, size] of [[64, 8], [1088, 300]]) {
    const plan = keep(IndexPlan.select([size], 0, new Int32Array(entries)));
    const [places, weights] = [index(entries), ones(entries)];
    for (const row of [1, 5, 16]) {
      for (const [reduce] of words) for (const rows of [places, plan]) for (const values of [undefined, weights]) keep(spmm(rows, places, values, ones(4, row), { size, reduce }));
    }
  }
  for (const row of [1, 5, 16]) keep(spmm(index(64), index(64), ones(64), ones(4, row), { size: 8, sum: 'exact' }));
}

/** The work of conversions: each pair of dtypes may have a pass of its own. */
const convertAll = ({ ones, keep }) => DTYPES.forEach((dtype) => keep(keep(ones(4).astype(dtype)).astype('float32')));

function countAll({ index, ones, keep }) {
  for (const [rows, entries, row] of [...scatterSizes, listSize]) {
    const mask = keep(index(entries * row).astype('bool'));
    for (const weights of [undefined, ones(entries * row)]) {
      const x = index(entries * row);
      keep(bincount(x, { weights, minlength: rows * row }), bincount(x, { weights, length: rows * row, mask }));
    }
  }
}

const sortAll = ({ ones, keep }) => keep(ones(3, 5).argsort(0));
/** The work of distinct elements, which reads how many groups there are. */
const distinctAll = async ({ ones, keep }) => keep(...Object.values(await unique(ones(4))));
/** The work of comparisons: one pass serves all of them, and all dtypes. */
const compareAll = ({ ones, keep }) => keep(ones(4).lt(ones(4)));
const chooseAll = ({ ones, keep }) => keep(where(keep(ones(4).astype('bool')), ones(4), ones(4)));
const positionsAll = async ({ ones, keep }) => keep(await flatnonzero(ones(4)));
const logicalAll = (tools) => ['multiply', 'add'].forEach((update) => pairAll({ ...tools, ones: (...shape) => tools.keep(tools.ones(...shape).astype('bool')) }, update));
/** The work of searches: with few edges for an element, and with many. */
const searchAll = ({ ones, keep }) => keep(searchsorted(ones(4), ones(2)), searchsorted(ones(20), ones(2)));

function binsAll({ ones, keep }) {
  const one = histogram(ones(4), { bins: 2, density: true });
  const two = histogramdd(ones(4, 2), { bins: [2, 2] });
  const both = bin_codes(ones(4, 2), { bins: [2, 2] });
  keep(one.hist, one.edges, two.hist, ...two.edges, both.codes, ...both.edges);
}

function statisticAll({ ones, keep }) {
  for (const [rows, entries, row] of scatterSizes) {
    const sample = keep(ones(entries).reshape([entries]));
    for (const which of STATISTICS) {
      for (const values of [ones(entries), ones(row, entries)]) {
        const { statistic, edges } = binned_statistic(sample, values, which, { bins: rows });
        keep(statistic, ...edges);
      }
    }
  }
}

/** The work of every word except those of scatter_nd, which `scatterAll` handles, and those of `pairAll`. That of an absent family is undefined. */
const work = {
  mean: reduceAll,
  gather: gatherAll,
  convert: convertAll,
  count: countAll,
  groups: HAS.groups ? groupsAll : undefined,
  winners: HAS.groups ? argmaxAll : undefined,
  spmm: HAS.groups ? spmmAll : undefined,
  dims: HAS.dims ? dimsAll : undefined,
  sort: HAS.sort ? sortAll : undefined,
  distinct: HAS.sort ? distinctAll : undefined,
  search: HAS.sort ? searchAll : undefined,
  compare: HAS.masks ? compareAll : undefined,
  choose: HAS.masks ? chooseAll : undefined,
  positions: HAS.masks ? positionsAll : undefined,
  logical: HAS.masks ? logicalAll : undefined,
  bins: HAS.histograms ? binsAll : undefined,
  statistic: HAS.histograms ? statisticAll : undefined,
};

/** The tools of work. They put every tensor into the list `made` and return it; `keep` returns the first of several. */
function toolsFor(dtype, made) {
  const keep = (...tensors) => {
    made.push(...tensors);
    return tensors[0];
  };
  const filled = (value, shape, type) => keep(Tensor.full(shape, value, { dtype: type, device: 'webgpu' }));
  const ones = (...shape) => filled(1, shape, dtype);
  const index = (...shape) => filled(0, shape, 'int32');
  const unknown = (entries, row) => keep(ones(1, row).index_select(0, index(entries)));
  const isInteger = !/bool|float/.test(dtype);
  return { keep, ones, index, unknown, isInteger, bytes: arrays[DTYPE_OF[dtype]].BYTES_PER_ELEMENT };
}

/** Does the work of a word for a dtype, and waits until the GPU has finished. Skips what the dtype cannot do. */
async function complete(word, dtype) {
  const made = [];
  try {
    const tools = toolsFor(dtype, made);
    if (word.startsWith(PAIR)) pairAll(tools, word.slice(PAIR.length));
    else if (word in work) await work[word]?.(tools);
    else scatterAll(tools, word);
  } catch (error) {
    // An unsupported dtype has nothing to compile.
    if (!['dtype-mismatch', 'unsupported-dtype'].includes(error.code)) throw error;
  } finally {
    for (const tensor of made) tensor.dispose();
  }
  await gpu.sync();
}

/**
 * Reads a list of words; `nameOf` maps each to one of `allowed`. Throws an error with `code` for another word, and a TypeError if the
 * value is no list of strings. Errors call the list `argument`.
 */
function readWords(op, argument, list, allowed, code, nameOf) {
  return readable(op, argument, () => {
    if (!Array.isArray(list)) throw wrongKind(op, argument, 'an array of strings', list);
    return Array.from(list, (each) => {
      const name = nameOf(text(op, argument, each, 'an array of strings'));
      if (allowed.includes(name)) return name;
      throw unknownWord(ValueError, code, op, argument, each, `there is ${allowed.join(', ')}`, allowed);
    });
  });
}

/** types.d.ts describes it. If new tensors go to the CPU, it compiles nothing. */
export function warm_up(what) {
  const op = 'warm_up';
  requireStart(op);
  const rows = { ...METHODS, ...FUNCTIONS };
  const names = Object.keys(rows).filter((name) => isHere(rows[name]));
  const { ops = names, dtypes = ['float32'] } = readOptions(op, what, ['ops', 'dtypes']);
  const wanted = readWords(op, 'ops', ops, names, 'invalid-argument', (name) => name.replace(/_$/, '')); // in place or not
  const types = readWords(op, 'dtypes', dtypes, DTYPES, 'unknown-dtype', (name) => name);
  if (HAS.webgpu && defaultDevice() === 'webgpu') return completeAll(new Set(wanted.flatMap((name) => workOf(rows[name]))), new Set(types));
  return resolved();
}

/** Does all work, one after the other, so that the page can use the GPU in between. */
async function completeAll(words, dtypes) {
  for (const dtype of dtypes) for (const word of words) await complete(word, dtype);
  return resolved();
}
