// The table of operators: a row for each. The methods of a tensor, the functions on rows, `trace`, `vjp`, `warm_up`, `verify`, the fuzzer, the
// tests and the site's forms are made of it or read it. tests/js/package/operators.test.mjs finds every place that lacks an operator.
//
// A row is data: it says how an operator is called. Scatters, gathers and operations on two tensors have readers by name (readers.js); the
// arguments of all others are read and passed to Rust in the order of the row (kinds.js).
//
// `run`: 'scatter' for a method that writes by an index, 'gather' for one that reads by an index, 'rows' for a function that updates rows in
//   place, 'pair' for an operation on two tensors, 'dims' for a method that reduces dimensions. scatter.js, elementwise.js and
//   dims.js make these.
//   'own' for any other operator.
//   A method that scatters or combines two tensors has an in-place variant, whose name ends with an underscore.
// `form`: how an index addresses: ALONG a dim, by TUPLES, or SLICES along a dim.
// `args`: the names of the arguments before the options; those of a function begin with its tensor. `options`: the names of the options.
// `kinds`: the kinds of arguments whose names do not say them (kinds.js).
// `tuples`: the names of two arguments that may stand in the place of `args`, which address by tuples.
// `words`: the words of `reduce` with their numbers, where that is an option or an argument. `update`: the one word, where it is neither; that of
//   an operation on two tensors says how the second one is combined with the first.
// `hasGradient`: whether `vjp` knows it. `trace` knows what has `run` 'scatter', 'gather' or 'rows'.
// `alias`: the name by which `trace` and `vjp` know it, where it is another.
// `work`: what `warm_up` compiles for it (warm_up.js), where `words` and `update` do not say it.
// `family`: its family, if some entry lacks that family (tools/entries.mjs). Left out if every entry has the operator.

import { ALONG, REDUCES, REDUCTIONS, SLICES, TUPLES } from '../engine/wire.js';

/** Words of REDUCES with their numbers. */
const numbered = (words) => words.map((word) => [word, REDUCES.indexOf(word)]);
/** The words of `scatter_nd`: all but replacement, the first one, for which the option is left out. */
const ndWords = numbered(REDUCES.slice(1));
const outside = ['mode', 'ignore_index', 'fill_value'];
const binning = ['add', 'count', 'bins'];

/** A method that combines two tensors, as NumPy broadcasts them. */
const pair = (update, more) => ({ run: 'pair', args: ['other'], options: [], update, hasGradient: true, work: [`pair ${update}`], ...more });
const aligned = (update) => pair(update, { args: ['x', 'y'], options: ['axis', 'act', 'name'] });

/** A method that reduces dimensions. `takesOne`: whether it takes one dimension or all, not several. */
const dims = (more) => ({ run: 'dims', family: 'dims', args: ['dim'], options: ['keepdim'], kinds: { dim: 'dims' }, work: ['dims'], hasGradient: true, ...more });

/** A mask: true or false for each element. */
const mask = (kind, work) => ({ run: 'own', family: 'masks', args: kind ? ['other'] : [], options: [], kinds: { other: kind }, work: [work] });

const position = dims({ takesOne: true, hasGradient: false, options: ['keepdim', 'dtype'], kinds: { dim: 'oneDim', dtype: 'positions' } });

/** The methods of a tensor, by their names; of in-place variants by that of the method that leaves the tensor as it is. */
export const METHODS = {
  scatter: { run: 'scatter', form: ALONG, args: ['dim', 'index', 'src'], options: ['reduce', 'sum', 'mode', 'ignore_index'], words: numbered(['add', 'multiply']), hasGradient: true, alias: 'scatter_' },
  scatter_add: { run: 'scatter', form: ALONG, args: ['dim', 'index', 'src'], tuples: ['indices', 'updates'], options: ['sum', 'mode', 'ignore_index'], update: 'add', hasGradient: true },
  scatter_reduce: { run: 'scatter', form: ALONG, args: ['dim', 'index', 'src', 'reduce'], options: ['include_self', 'sum', 'mode', 'ignore_index', 'return_indices'], words: REDUCTIONS, hasGradient: true },
  scatter_nd: { run: 'scatter', form: TUPLES, args: ['indices', 'updates'], options: ['reduce', 'sum', 'mode', 'ignore_index', 'batch_dims'], words: ndWords, hasGradient: true },
  // An alpha multiplies the updates first, by the passes that negate them for 'sub'.
  index_add: { run: 'scatter', form: SLICES, args: ['dim', 'index', 'src'], options: ['alpha', 'sum', 'mode', 'ignore_index'], update: 'add', hasGradient: true, work: ['add', 'sub'] },
  index_copy: { run: 'scatter', form: SLICES, args: ['dim', 'index', 'src'], options: ['mode', 'ignore_index'], update: 'replace' },
  index_fill: { run: 'scatter', form: SLICES, args: ['dim', 'index', 'value'], options: ['mode', 'ignore_index'], update: 'replace' },
  gather: { run: 'gather', form: ALONG, args: ['dim', 'index'], options: outside, hasGradient: true },
  gather_nd: { run: 'gather', form: TUPLES, args: ['indices'], options: ['batch_dims', ...outside], hasGradient: true },
  index_select: { run: 'gather', form: SLICES, args: ['dim', 'index'], options: outside, hasGradient: true },
  take_along_dim: { run: 'own', form: ALONG, args: ['index', 'dim'], options: outside, kinds: { index: 'along', dim: 'flatDim' }, hasGradient: true, work: ['gather'] },
  mul: pair('multiply'),
  add: pair('add'),
  sub: pair('sub'),
  div: pair('div', { options: ['rounding'] }),
  maximum: pair('amax'),
  minimum: pair('amin'),
  sum: dims({ options: ['keepdim', 'dtype'] }),
  // Floats are multiplied by a scatter.
  prod: dims({ options: ['keepdim', 'dtype'], work: ['dims', 'multiply'] }),
  mean: dims({ options: ['keepdim', 'dtype'] }),
  amax: dims(),
  amin: dims(),
  argmax: position,
  argmin: position,
  lt: mask('compared', 'compare'),
  le: mask('compared', 'compare'),
  gt: mask('compared', 'compare'),
  ge: mask('compared', 'compare'),
  eq: mask('compared', 'compare'),
  ne: mask('compared', 'compare'),
  isnan: mask(undefined, 'compare'),
  logical_and: mask('truth', 'logical'),
  logical_or: mask('truth', 'logical'),
  logical_not: mask(undefined, 'compare'),
  astype: { run: 'own', args: ['dtype'], options: [], work: ['convert'] },
  argsort: { run: 'own', family: 'sort', args: ['dim'], options: ['descending', 'dtype'], kinds: { dim: 'lastDim', dtype: 'positions' }, work: ['sort'] },
  sort: { run: 'own', family: 'sort', args: ['dim'], options: ['descending', 'dtype'], kinds: { dim: 'lastDim', dtype: 'positions' }, work: ['sort', 'gather'] },
};

const rows = (update, more) => ({ run: 'rows', form: TUPLES, args: ['x', 'indices', 'updates'], options: ['mode', 'ignore_index'], update, ...more });

/** The functions, by their names. tools/package.mjs leaves out what is between `// #if NAME` and `// #end` where that family is absent. */
export const FUNCTIONS = {
  scatter_mul: rows('multiply', { args: ['input_x', 'indices', 'updates'], hasGradient: true }),
  scatter_update: rows('replace'),
  scatter_add: rows('add', { options: ['sum', 'mode', 'ignore_index'] }),
  scatter_sub: rows('sub', { options: ['sum', 'mode', 'ignore_index'] }),
  scatter_div: rows('div'),
  scatter_max: rows('amax'),
  scatter_min: rows('amin'),
  // #if masks
  where: { run: 'own', family: 'masks', args: ['mask', 'x', 'y'], options: [], kinds: { mask: 'truth', x: 'chosen', y: 'rejected' }, hasGradient: true, work: ['choose'] },
  flatnonzero: { run: 'own', family: 'masks', args: ['x'], options: ['size', 'fill', 'dtype'], kinds: { dtype: 'positions' }, work: ['positions'] },
  compress: { run: 'own', family: 'masks', args: ['mask', 'x'], options: ['dim'], kinds: { mask: 'truth', x: 'selected', dim: 'firstDim' }, hasGradient: true, work: ['positions', 'gather'] },
  // #end
  // #if segments
  segment_reduce: { run: 'own', family: 'segments', args: ['data', 'reduce'], options: ['offsets', 'lengths', 'initial', 'sum', 'return_indices'], words: REDUCTIONS, hasGradient: true },
  // #end
  // #if groups
  scatter_softmax: { run: 'own', family: 'groups', args: ['src', 'index', 'dim'], options: ['size', 'ignore_index'], kinds: { dim: 'lastDim', ignore_index: 'mode' }, hasGradient: true, work: ['groups'] },
  scatter_logsumexp: { run: 'own', family: 'groups', args: ['src', 'index', 'dim'], options: ['size', 'ignore_index'], kinds: { dim: 'lastDim', ignore_index: 'mode' }, hasGradient: true, work: ['groups'] },
  spmm: { run: 'own', family: 'groups', args: ['rows', 'columns', 'values', 'dense'], options: ['size', 'reduce', 'sum', 'mode', 'ignore_index'], kinds: { values: 'factors', dense: 'table' }, words: REDUCTIONS.filter(([word]) => word !== 'prod'), hasGradient: true, work: ['spmm'] },
  // #end
  elementwise_mul: aligned('multiply'),
  elementwise_add: aligned('add'),
  elementwise_sub: aligned('sub'),
  elementwise_div: aligned('div'),
  elementwise_max: aligned('amax'),
  elementwise_min: aligned('amin'),
  activate: { run: 'own', args: ['x', 'act'], options: [], hasGradient: true, work: ['pair multiply'] },
  bincount: { run: 'own', args: ['x'], options: ['weights', 'minlength', 'length', 'mask', 'dim', 'dtype', 'sum', 'ignore_index'], kinds: { x: 'integers', ignore_index: 'ignored' }, work: ['count'] },
  // #if histograms
  histogram: { run: 'own', family: 'histograms', args: ['x'], options: ['bins', 'range', 'weights', 'density', 'mask', 'dim', 'dtype', 'sum'], work: binning },
  histogramdd: { run: 'own', family: 'histograms', args: ['sample'], options: ['bins', 'range', 'weights', 'mask', 'dtype', 'sum'], kinds: { bins: 'columnBins', range: 'columnRanges' }, work: binning },
  bin_codes: { run: 'own', family: 'histograms', args: ['sample'], options: ['bins', 'range'], kinds: { bins: 'columnBins', range: 'columnRanges' }, work: ['bins'] },
  binned_statistic: { run: 'own', family: 'histograms', args: ['sample', 'values', 'statistic'], options: ['bins', 'range', 'mask'], kinds: { values: 'counted', bins: 'statisticBins', range: 'columnRanges' }, work: [...binning, 'mean', 'amax', 'amin', 'dims', 'statistic'] },
  // #end
  // #if sort
  unique: { run: 'own', family: 'sort', args: ['x'], options: ['dtype'], kinds: { dtype: 'positions' }, work: ['sort', 'distinct', 'gather'] },
  searchsorted: { run: 'own', family: 'sort', args: ['edges', 'x'], options: ['right', 'dtype'], work: ['search'] },
  // #end
};

/**
 * The operators whose rows `isKnown` accepts, by the names that `trace` and `vjp` take: `{ op, name, row }`, where `op` is the name that errors
 * begin with, and `name` that in METHODS or FUNCTIONS. `scatter_add` is the method.
 */
export function operatorsWhere(isKnown) {
  const known = {};
  for (const [name, row] of Object.entries(METHODS)) {
    const alias = row.alias ?? name;
    if (isKnown(row)) known[alias] = { op: `Tensor.${alias}`, name, row };
  }
  for (const [name, row] of Object.entries(FUNCTIONS)) if (isKnown(row)) known[name] ??= { op: name, name, row };
  return known;
}

/** The row of an operator by the name that errors begin with, such as `Tensor.scatter_`; undefined for any other name. */
export function rowOf(op) {
  if (!op.startsWith('Tensor.')) return FUNCTIONS[op];
  const name = op.slice('Tensor.'.length);
  return METHODS[name] ?? METHODS[name.replace(/_$/, '')];
}

/**
 * Whether this entry has the operator of a row. tools/package.mjs defines HAS: for each family whether the entry has it, and `all` for all of
 * them.
 */
export const isHere = ({ family }) => HAS.all || family === undefined || HAS[family];

/** Whether the method of a row has an in-place variant. */
export const hasTwin = ({ run }) => /scatter|pair/.test(run);

/** The name of an operator's in-place variant; undefined where it has none. */
export function twinOf(op) {
  return op.startsWith('Tensor.') && hasTwin(rowOf(op)) ? `${op}_` : undefined;
}

/** All operators, by the names that errors begin with; of in-place variants the one that leaves the tensor as it is. */
export const operators = () => [...Object.keys(METHODS).map((name) => `Tensor.${name}`), ...Object.keys(FUNCTIONS)];
