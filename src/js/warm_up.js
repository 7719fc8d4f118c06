// Compiling ahead. wgpu makes pipelines in the call that first needs them, and knows no other way: so each is needed here, by calls
// on a few thousand elements at most. No shape is in the key of a pipeline, so that these serve calls of every size. Nothing is called
// at the top of this file, so that bundlers leave it out where it is not used.

import * as gpu from '#gpu';
import { readOptions, text } from './arguments.js';
import { arrays } from './arrays.js';
import { DTYPE_OF, requireStart } from './engine.js';
import { readable, unknownWord, ValueError, wrongKind } from './errors.js';
import { bincount, histogram } from './histogram.js';
import { defaultDevice } from './session.js';
import { Tensor } from './tensor.js';
import { DTYPES, REDUCES, REDUCTIONS } from './wire.js';

/** What the reductions do with each update; the mean is work of its own. */
const reductions = REDUCTIONS.map(([, number]) => REDUCES[number] ?? 'mean');
const gathers = ['gather'];

/** What each operator needs: work below. A name with an underscore at its end is the same operator. */
const needs = {
  scatter: ['replace', 'add', 'multiply'],
  scatter_add: ['add'],
  scatter_reduce: reductions,
  scatter_nd: REDUCES,
  scatter_update: ['replace'],
  scatter_sub: ['sub'],
  scatter_mul: ['multiply'],
  scatter_div: ['div'],
  scatter_max: ['amax'],
  scatter_min: ['amin'],
  index_add: ['add', 'sub'],
  index_copy: ['replace'],
  index_fill: ['replace'],
  segment_reduce: reductions,
  gather: gathers,
  gather_nd: gathers,
  index_select: gathers,
  take_along_dim: gathers,
  mul: ['product', 'product in place'],
  elementwise_mul: ['product'],
  astype: ['convert'],
  bincount: ['count'],
  histogram: ['add', 'count', 'bins'],
  histogramdd: ['add', 'count', 'bins'],
};

/** Rows of a table, entries of an index, and elements of a row: of each of these sizes a scatter goes another way. See strategy.rs. */
const sizes = [[1, 1, 1], [8, 16, 1], [64, 1024, 5], [8, 64, 16], [4, 4160, 1]];
/** Entries that are too many for the way of few. */
const MANY = 4160;

/** The work of a scatter; rows of 4 and 16 bytes are moved as a whole. */
function scatterAll({ index, ones, unknown, bytes }, reduce) {
  const isMove = reduce === 'replace';
  const wide = [4, 16].filter((size) => isMove && size > bytes).map((size) => [4, MANY, size / bytes]);
  const options = isMove ? undefined : { reduce };
  for (const [rows, entries, row] of [...sizes, ...wide]) {
    const updates = reduce === 'div' ? unknown(entries, row) : ones(entries, row);
    ones(rows, row).scatter_nd_(index(entries, 1), updates, options);
  }
  for (const [rows, entries, row] of sizes.slice(0, 4)) ones(rows, row).scatter_nd_(index(entries, 1), 1, options);
}

/** Means in which self does not count: the passes that divide, and those that replace self first. */
function reduceAll({ index, ones }) {
  for (const [rows, entries] of sizes.slice(0, 2)) ones(rows, 1).scatter_reduce_(0, index(entries, 1), ones(entries, 1), 'mean', { include_self: false });
}

/** The work that is no scatter by a word of scatter_nd's. */
const work = {
  mean: reduceAll,
  gather({ index, unknown, ones, bytes, keep }) {
    for (const size of new Set([bytes, 3 * bytes, 4, 16])) keep(ones(4, Math.max(size / bytes, 1)).index_select(0, index(4)));
    // Indices that only the GPU knows are checked there, or made to fit.
    const places = keep(index(4).index_select(0, index(4)));
    for (const mode of ['raise', 'clip']) keep(ones(4, 1).index_select(0, places, { mode }));
  },
  product({ ones, keep }) {
    const whole = ones(2, 64);
    for (const other of [whole, ones(64), 1]) keep(whole.mul(other));
    keep(ones(2, 3).mul(ones(3)));
  },
  'product in place'({ ones }) {
    for (const other of [ones(2, 64), ones(64), 1]) ones(2, 64).mul_(other);
    ones(2, 3).mul_(ones(3));
  },
  convert: ({ ones, keep }) => keep(keep(ones(4).astype('float32')).astype('int32')),
  count({ index, ones, keep }) {
    for (const [rows, entries, row] of sizes) {
      for (const weights of [undefined, ones(entries * row)]) keep(bincount(index(entries * row), { weights, minlength: rows * row }));
    }
  },
  bins({ ones, keep }) {
    const { hist, edges } = histogram(ones(4), { bins: 2, density: true });
    keep(hist, edges);
  },
};

/** What work is done with, on tensors of a dtype; all of them end up in `made`. */
function toolsFor(dtype, made) {
  const keep = (...tensors) => {
    made.push(...tensors);
    return tensors[0];
  };
  const filled = (value, shape, type) => keep(Tensor.full(shape, value, { dtype: type, device: 'webgpu' }));
  const ones = (...shape) => filled(1, shape, dtype);
  const index = (...shape) => filled(0, shape, 'int32');
  const unknown = (entries, row) => keep(ones(1, row).index_select(0, index(entries)));
  return { keep, ones, index, unknown, bytes: arrays[DTYPE_OF[dtype]].BYTES_PER_ELEMENT };
}

/** Does work, and waits until the GPU has done it. */
async function complete(word, dtype) {
  const made = [];
  try {
    (work[word] ?? scatterAll)(toolsFor(dtype, made), word);
  } catch (error) {
    // There is nothing to compile for what a dtype cannot do.
    if (!['dtype-mismatch', 'unsupported-dtype'].includes(error.code)) throw error;
  } finally {
    for (const tensor of made) tensor.dispose();
  }
  await gpu.sync();
}

/** The words of a list that are among those allowed. */
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

export function warm_up(what) {
  const op = 'warm_up';
  requireStart(op);
  const names = Object.keys(needs);
  const { ops = names, dtypes = ['float32'] } = readOptions(op, what, ['ops', 'dtypes']);
  const wanted = readWords(op, 'ops', ops, names, 'invalid-argument', (name) => name.replace(/_$/, ''));
  const types = readWords(op, 'dtypes', dtypes, DTYPES, 'unknown-dtype', (name) => name);
  const words = defaultDevice() === 'cpu' ? [] : wanted.flatMap((name) => needs[name]);
  return completeAll(new Set(words), new Set(types));
}

/** One after the other, so that the page has its turns on the GPU in between. */
async function completeAll(words, dtypes) {
  for (const dtype of dtypes) for (const word of words) await complete(word, dtype);
}
