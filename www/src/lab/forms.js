/**
 * The calls that a lab can show: how each is written, what its arguments are, and which operator `trace` knows it as.
 * Roles are the same for all: `self` is written to or read from, `index` says where, `src` brings values. The steps of one that
 * `reads` are reads of self, each into a place of the result.
 * @typedef {{ call: 'method' | 'function', args: ('dim' | 'index' | 'src')[], options: string[], trace: string | null,
 *   reads?: boolean, names: Record<string, string>, writes: boolean, rule: 'axis' | 'tuples' | 'rows' | 'paddle' | 'numpy' }} Form
 */

const axis = { self: 't', index: 'index', src: 'src' };
const tuples = { self: 't', index: 'indices', src: 'updates' };
const rows = { self: 'input_x', index: 'indices', src: 'updates' };
const factors = { self: 'x', src: 'y' };

const scatter = {
  call: 'method',
  args: ['dim', 'index', 'src'],
  options: ['reduce'],
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

/** The operators by name; two forms share `scatter_add`. */
export const operators = Object.keys(forms).filter((name) => !name.includes(' '));

/** The page of the documentation that an operator is on. */
export const pageOf = ({ op }) =>
  `./${{ scatter: 'scatter_', scatter_add_: 'scatter_add', gather_nd: 'gather', mul_: 'mul' }[op] ?? op}.html`;

export const formOf = ({ op, dim }) => (dim === undefined && forms[`${op} at tuples`]) || forms[op];

/** The sign of arithmetic of a call, for words. */
export function signOf({ op, reduce }) {
  if (op.startsWith('scatter_add') || reduce === 'add') return '+';
  if (op === 'scatter_mul' || reduce === 'multiply' || op.includes('mul')) return '×';
  return null;
}
