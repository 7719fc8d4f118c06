import { FUNCTIONS, METHODS, twinOf } from '../../../src/js/arguments/operators.js';
import { ALONG, SLICES, TUPLES } from '../../../src/js/engine/wire.js';

/**
 * The calls that a lab can show, made of the library's table of operators: how each is written, what its arguments are, and which operator
 * `trace` knows it as. Roles are the same for all: `self` is written to or read from, `index` says where, `src` brings values. The steps of
 * one that `reads` are reads of self, each into a place of the result. One that `writes` changes self in place. `names` is how the
 * operator's documentation calls the operands. `words` are those that `reduce` may be: an option, or with `isWord` an argument of its own,
 * behind the others. `rule` is how shapes have to fit: see shapes.js. `trace` is null where there are no steps.
 * @typedef {{ call: 'method' | 'function', args: ('dim' | 'index' | 'src')[], options: string[], trace: string | null,
 *   reads: boolean, names: Record<string, string>, writes: boolean, words?: string[], isWord: boolean, sign: string | null,
 *   rule: 'axis' | 'tuples' | 'rows' | 'slices' | 'paddle' | 'numpy' }} Form
 */

const likeRows = 'the lab of scatter_mul shows the same places';
const readsWholeDims = 'each result reads whole dimensions: there is no order of writes to step through, and no index to move';
/** Why an operator has no lab. Every other one has a lab, unless its row has `run: 'own'`: `trace` has no steps of those. */
export const WITHOUT_LAB = {
  METHODS: {
    index_fill: 'the lab of index_copy shows the same places',
    sum: readsWholeDims, prod: readsWholeDims, mean: readsWholeDims, amax: readsWholeDims, amin: readsWholeDims, argmax: readsWholeDims, argmin: readsWholeDims,
  },
  FUNCTIONS: {
    scatter_update: likeRows, scatter_add: likeRows, scatter_sub: likeRows, scatter_div: likeRows, scatter_max: likeRows, scatter_min: likeRows,
  },
};

/** The roles of arguments, by their names. */
const roles = { dim: 'dim', index: 'index', indices: 'index', src: 'src', updates: 'src', other: 'src', y: 'src' };
/** The options that a lab shows. */
const shown = ['reduce', 'alpha', 'axis', 'act', 'sum', 'rounding'];
/** The signs of words. `sub` shows +: its operands in the trace are already negated; an operation on two tensors is not traced. */
const signs = { add: '+', sum: '+', sub: '+', multiply: '×', prod: '×', div: '÷', amax: 'max', amin: 'min' };
/** The rules of shapes, by the form of the row. */
const rules = { [ALONG]: 'axis', [TUPLES]: 'tuples', [SLICES]: 'slices' };

/** The form of a row with the arguments `args`, the first of which is self for a function. @returns {Form} */
function formFor(name, row, isMethod, args, writes) {
  const { run, form, options, words, update, alias } = row;
  const [self, operands] = isMethod ? ['t', args] : [args[0], args.slice(1)];
  const named = operands.filter((argument) => argument in roles);
  return {
    call: isMethod ? 'method' : 'function',
    args: named.map((argument) => roles[argument]),
    options: options.filter((option) => shown.includes(option)),
    trace: run === 'pair' ? null : (alias ?? name),
    reads: run === 'gather',
    names: { self, ...Object.fromEntries(named.filter((argument) => argument !== 'dim').map((argument) => [roles[argument], argument])) },
    writes,
    words: words?.map(([word]) => word).filter((word) => word !== 'mean'), // its final division is not in the trace
    isWord: operands.includes('reduce'),
    sign: (run === 'pair' && update === 'sub' ? '−' : signs[update]) ?? null,
    rule: run === 'rows' ? 'rows' : run === 'pair' ? (isMethod ? 'numpy' : 'paddle') : args === row.tuples ? 'tuples' : rules[form],
  };
}

/** @type {Record<string, Form>} */
const forms = {};
for (const [table, rows] of Object.entries({ METHODS, FUNCTIONS })) {
  for (const [name, row] of Object.entries(rows)) {
    if (row.run === 'own' || name in WITHOUT_LAB[table]) continue;
    const isMethod = table === 'METHODS';
    const op = isMethod ? `Tensor.${name}` : name;
    for (const each of twinOf(op) ? [name, `${name}_`] : [name]) {
      const writes = each !== name || row.run === 'rows';
      forms[each] = formFor(name, row, isMethod, row.args, writes);
      if (row.tuples) forms[`${each} at tuples`] = formFor(name, row, isMethod, row.tuples, writes);
    }
  }
}

/** The operators by name; two forms share `scatter_add`, and two `scatter_add_`. */
export const operators = Object.keys(forms).filter((name) => !name.includes(' '));

/** The operators that share a page with another, but for those whose page `pageOf` finds by the ends of their names. */
const sharedPages = {
  scatter: 'scatter_', scatter_add_: 'scatter_add', gather_nd: 'gather', mul_: 'mul', index_select: 'index_add',
  ...Object.fromEntries(['add_', 'sub', 'sub_', 'div', 'div_', 'maximum', 'maximum_', 'minimum', 'minimum_'].map((op) => [op, 'add'])),
  ...Object.fromEntries(['sub', 'div', 'max', 'min'].map((op) => [`elementwise_${op}`, 'elementwise_add'])),
};

/** The address of the page of the documentation that the operator of a call is on, from a page in the same language. */
export const pageOf = ({ op }) => `./${sharedPages[op] ?? op.replace(/^index_copy_?$/, 'index_add').replace(/(reduce|nd|index_add)_$/, '$1')}.html`;

/** The form of a call. `scatter_add` has two: with a dim along it, without one at index tuples. @returns {Form} */
export const formOf = ({ op, dim }) => (dim === undefined && forms[`${op} at tuples`]) || forms[op];

/** The sign that views show between the value that is there and that of the source; null where a call replaces or only reads. */
export const signOf = ({ op, reduce }) => forms[op].sign ?? signs[reduce] ?? null;
