/**
 * The calls that a lab can show: how each is written, what its arguments are, and which operator `trace` knows it as.
 * Roles are the same for all: `self` is written to or read from, `index` says where, `src` brings values. The steps of one that
 * `reads` are reads of self, each into a place of the result. One that `writes` changes self in place. `names` is how the operator's
 * documentation calls the operands. `words` are those that `reduce` may be: an option, or with `isWord` an argument of its own, behind the
 * others. `rule` is how shapes have to fit: see shapes.js. `trace` is null where there are no steps.
 * @typedef {{ call: 'method' | 'function', args: ('dim' | 'index' | 'src')[], options: string[], trace: string | null,
 *   reads?: boolean, names: Record<string, string>, writes: boolean, words?: string[], isWord?: boolean,
 *   rule: 'axis' | 'tuples' | 'rows' | 'slices' | 'paddle' | 'numpy' }} Form
 */

const axis = { self: 't', index: 'index', src: 'src' };
const tuples = { self: 't', index: 'indices', src: 'updates' };
const rows = { self: 'input_x', index: 'indices', src: 'updates' };
const factors = { self: 'x', src: 'y' };

const scatter = {
  call: 'method',
  args: ['dim', 'index', 'src'],
  options: ['reduce'],
  words: ['add', 'multiply'],
  trace: 'scatter_',
  names: axis,
  rule: 'axis',
};
const add = {
  call: 'method',
  args: ['dim', 'index', 'src'],
  options: [],
  trace: 'scatter_add',
  names: axis,
  rule: 'axis',
};
const addAt = {
  call: 'method',
  args: ['index', 'src'],
  options: [],
  trace: 'scatter_add',
  names: tuples,
  rule: 'tuples',
};
/** 'mean' is left out: its final division is not in the trace. */
const reduction = { ...add, trace: 'scatter_reduce', words: ['sum', 'prod', 'amax', 'amin'], isWord: true };
const nd = { ...addAt, options: ['reduce'], words: ['add', 'sub', 'multiply', 'div', 'amax', 'amin'], trace: 'scatter_nd' };
const addSlices = { ...add, options: ['alpha'], trace: 'index_add', rule: 'slices' };
const copySlices = { ...add, trace: 'index_copy', rule: 'slices' };
const none = { options: [], trace: null, writes: false };
const read = { options: [], reads: true, writes: false };

/** @type {Record<string, Form>} */
const forms = {
  scatter_: { ...scatter, writes: true },
  scatter: { ...scatter, writes: false },
  scatter_add: { ...add, writes: false },
  scatter_add_: { ...add, writes: true },
  'scatter_add at tuples': { ...addAt, writes: false },
  'scatter_add_ at tuples': { ...addAt, writes: true },
  scatter_reduce: { ...reduction, writes: false },
  scatter_reduce_: { ...reduction, writes: true },
  scatter_nd: { ...nd, writes: false },
  scatter_nd_: { ...nd, writes: true },
  index_add: { ...addSlices, writes: false },
  index_add_: { ...addSlices, writes: true },
  index_copy: { ...copySlices, writes: false },
  index_copy_: { ...copySlices, writes: true },
  scatter_mul: {
    call: 'function',
    args: ['index', 'src'],
    options: [],
    trace: 'scatter_mul',
    names: rows,
    rule: 'rows',
    writes: true,
  },
  gather: { ...read, call: 'method', args: ['dim', 'index'], trace: 'gather', names: axis, rule: 'axis' },
  index_select: { ...read, call: 'method', args: ['dim', 'index'], trace: 'index_select', names: axis, rule: 'slices' },
  gather_nd: { ...read, call: 'method', args: ['index'], trace: 'gather_nd', names: tuples, rule: 'tuples' },
  mul: { ...none, call: 'method', args: ['src'], names: { self: 't', src: 'other' }, rule: 'numpy' },
  mul_: { ...none, call: 'method', args: ['src'], names: { self: 't', src: 'other' }, rule: 'numpy', writes: true },
  elementwise_mul: {
    ...none,
    call: 'function',
    args: ['src'],
    options: ['axis', 'act'],
    names: factors,
    rule: 'paddle',
  },
};

/** The operators by name; two forms share `scatter_add`, and two `scatter_add_`. */
export const operators = Object.keys(forms).filter((name) => !name.includes(' '));

/** The operators that share a page with another, but for those whose page `pageOf` finds by the ends of their names. */
const sharedPages = { scatter: 'scatter_', scatter_add_: 'scatter_add', gather_nd: 'gather', mul_: 'mul', index_select: 'index_add' };

/** The address of the page of the documentation that the operator of a call is on, from a page in the same language. */
export const pageOf = ({ op }) => `./${sharedPages[op] ?? op.replace(/^index_copy_?$/, 'index_add').replace(/(reduce|nd|index_add)_$/, '$1')}.html`;

/** The form of a call. `scatter_add` has two: with a dim along it, without one at index tuples. @returns {Form} */
export const formOf = ({ op, dim }) => (dim === undefined && forms[`${op} at tuples`]) || forms[op];

/** `sub` shows +: its operands in the trace are already negated. */
const signs = { add: '+', sum: '+', sub: '+', multiply: '×', prod: '×', div: '÷', amax: 'max', amin: 'min' };

/** The sign that views show between the value that is there and that of the source; null where a call replaces or only reads. */
export function signOf({ op, reduce }) {
  if (op.startsWith('scatter_add') || op.startsWith('index_add')) return '+';
  if (op.includes('mul')) return '×';
  return signs[reduce] ?? null;
}
