// Compiling ahead. wgpu makes a pipeline in the call that first needs it, and knows no other way: so this makes calls that need each, on
// tens of thousands of elements at most. No shape is in the key of a pipeline, so these serve calls of every size. Nothing is called at the
// top of this file, so that bundlers leave it out where it is not used.
//
// "Work" is a set of such calls, known by a word: what a scatter does with its updates, or a key of `work` below. It gets tools for tensors
// of a dtype: `ones` and `index`, which fill a shape on the GPU with 1, and with 0 as int32; `unknown(entries, row)`, ones that only the
// GPU knows; `bytes`, the size of an element; and `keep`. All of these put every tensor into a list, so that it can be freed at the end.

import * as gpu from '#gpu';
import { readOptions, text } from '../arguments/arguments.js';
import { FUNCTIONS, METHODS } from '../arguments/operators.js';
import { arrays } from '../engine/arrays.js';
import { DTYPE_OF, requireStart } from '../engine/engine.js';
import { readable, unknownWord, ValueError, wrongKind } from '../engine/errors.js';
import { DTYPES, REDUCES } from '../engine/wire.js';
import { defaultDevice } from '../start/session.js';
import { bincount, histogram } from './histogram.js';
import { Tensor } from './tensor.js';

/** The words of the work that the operator of a row needs. One in place needs the same. */
function workOf({ work, words, options, update = 'gather' }) {
  if (work) return work;
  if (!words) return [update];
  const replaces = options.includes('reduce') ? ['replace'] : []; // where the option is left out
  return [...replaces, ...words.map(([, number]) => REDUCES[number] ?? 'mean')]; // the mean is no word of REDUCES
}

/** A number of entries that is too large for `Strategy::Small` (SMALL_WORK in strategy.rs). */
const MANY = 4160;
/** Rows of a table, entries of an index, elements of a row: sizes with which scatters run the passes of every way in strategy.rs. */
const scatterSizes = [[1, 1, 1], [8, 16, 1], [64, 1024, 5], [8, 64, 16], [4, MANY, 1]];

/**
 * The work of scatters that do `reduce`, a word of scatter_nd's, with their updates. Replacement moves rows of 4 and 16 bytes as a whole, so it
 * gets such rows where elements are smaller.
 */
function scatterAll({ index, ones, unknown, bytes }, reduce) {
  const isMove = reduce === 'replace';
  const wide = [4, 16].filter((size) => isMove && size > bytes).map((size) => [4, MANY, size / bytes]);
  const options = isMove ? undefined : { reduce };
  for (const [rows, entries, row] of [...scatterSizes, ...wide]) {
    // Divisors come from the GPU, so that the pass is compiled that looks for zeros among them there.
    const updates = reduce === 'div' ? unknown(entries, row) : ones(entries, row);
    ones(rows, row).scatter_nd_(index(entries, 1), updates, options);
  }
  // One number for all entries takes other ways, but never that of the last size.
  for (const [rows, entries, row] of scatterSizes.slice(0, 4)) ones(rows, row).scatter_nd_(index(entries, 1), 1, options);
}

/** The work of means, which also leave self out: for that its values are replaced first. */
function reduceAll({ index, ones }) {
  for (const [rows, entries] of scatterSizes.slice(0, 2)) ones(rows, 1).scatter_reduce_(0, index(entries, 1), ones(entries, 1), 'mean', { include_self: false });
}

/** The work of every word that is none of scatter_nd's; for those it is `scatterAll`. */
const work = {
  mean: reduceAll,
  gather({ index, ones, bytes, keep }) {
    // Rows of one element, of three, and of the units in which rows are moved.
    for (const size of new Set([bytes, 3 * bytes, 4, 16])) keep(ones(4, Math.max(size / bytes, 1)).index_select(0, index(4)));
    // An index that only the GPU knows is checked there, or clipped.
    const places = keep(index(4).index_select(0, index(4)));
    for (const mode of ['raise', 'clip']) keep(ones(4, 1).index_select(0, places, { mode }));
  },
  product({ ones, keep }) {
    const whole = ones(2, 64);
    for (const other of [whole, ones(64), 1]) keep(whole.mul(other));
    keep(ones(2, 3).mul(ones(3))); // rows whose length is no multiple of four
  },
  'product in place'({ ones }) {
    for (const other of [ones(2, 64), ones(64), 1]) ones(2, 64).mul_(other);
    ones(2, 3).mul_(ones(3));
  },
  convert: ({ ones, keep }) => keep(keep(ones(4).astype('float32')).astype('int32')),
  count({ index, ones, keep }) {
    for (const [rows, entries, row] of scatterSizes) {
      for (const weights of [undefined, ones(entries * row)]) keep(bincount(index(entries * row), { weights, minlength: rows * row }));
    }
  },
  bins({ ones, keep }) {
    const { hist, edges } = histogram(ones(4), { bins: 2, density: true });
    keep(hist, edges);
  },
};

/** The tools of work, which put every tensor into the list `made` and return it; `keep` returns the first of several. */
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

/** Does the work of a word for a dtype, and waits until the GPU has done it. Does nothing for what the dtype cannot do. */
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

/**
 * Reads a list of words; `nameOf` turns each into one of `allowed`. Throws an error with `code` for another word, and a TypeError for a value that is
 * no list of strings. Errors call the list `argument`.
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

/** types.d.ts says what it does. Where new tensors go to the CPU there is nothing to compile. */
export function warm_up(what) {
  const op = 'warm_up';
  requireStart(op);
  const rows = { ...METHODS, ...FUNCTIONS };
  const names = Object.keys(rows);
  const { ops = names, dtypes = ['float32'] } = readOptions(op, what, ['ops', 'dtypes']);
  const wanted = readWords(op, 'ops', ops, names, 'invalid-argument', (name) => name.replace(/_$/, '')); // in place or not
  const types = readWords(op, 'dtypes', dtypes, DTYPES, 'unknown-dtype', (name) => name);
  const words = defaultDevice() === 'cpu' ? [] : wanted.flatMap((name) => workOf(rows[name]));
  return completeAll(new Set(words), new Set(types));
}

/** Does all work, one after the other, so that the page has its turns on the GPU in between. */
async function completeAll(words, dtypes) {
  for (const dtype of dtypes) for (const word of words) await complete(word, dtype);
}
