// The workloads of sorts and groups. Their operands have names, and their results are lists of arrays; otherwise they are as in workloads.js.

import { generator, zipf } from './random.js';

const million = { full: { count: 1 << 20 }, small: { count: 1 << 14 } };
const edges = { full: { count: 1_000_000, nodes: 50_000, length: 16 }, small: { count: 15_625, nodes: 781, length: 16 } };
const grouped = { full: { count: 1 << 20, size: 1 << 16 }, small: { count: 1 << 14, size: 1 << 10 } };
const binned = { full: { count: 1 << 20, bins: 512 }, small: { count: 1 << 14, bins: 64 } };

/**
 * Each has `count` elements, entries or points. Without `dtypes` it is measured with float32 and int32.
 * - argsort, sort, unique: of x. `values`: all different, most of them; sorted before; 256 different ones, by Zipf's law; as many as there are
 *   elements, so that a third is equal to another.
 * - search: the place of each of x in `edges` sorted numbers.
 * - winners: the maxima of `size` groups, and where they were. segment-winners: those of `segments` neighbours.
 * - softmax, logsumexp: within `size` groups.
 * - spmm: a graph of `count` edges, and a row of `length` numbers for each of `nodes` nodes. `plan`: by an index that was prepared once.
 * - binned: a statistic of a value for each point of two numbers, in `bins` × `bins` bins; 'weights' is a histogram with the values as weights.
 *   `cancels`: the values are ±2^60 or small, so that sums in order lose the small ones.
 * - bincount-mask: how often each number below `size` occurs where a mask is true.
 * - ignore: sums by an index. A quarter of its values is −1, which is left out.
 * With `hot` a few groups, rows or numbers have most entries, by Zipf's law. `sum: 'exact'`: the sums are rounded once; those of loops are in order.
 */
export const groups = [
  ...['argsort', 'sort'].flatMap((op) => ['random', 'sorted', 'few'].map((values) => (
    { id: `${op}-${values}`, title: `${op}, ${{ random: 'random', sorted: 'sorted before', few: '256 values, Zipf' }[values]}`, op, values, ...million }
  ))),
  { id: 'unique-many', title: 'unique, as many values as elements', op: 'unique', values: 'many', ...million },
  { id: 'unique-few', title: 'unique, 256 values, Zipf', op: 'unique', values: 'few', ...million },
  { id: 'searchsorted', title: 'searchsorted, 65,536 edges', op: 'search', dtypes: ['float32'],
    full: { count: 1 << 20, edges: 1 << 16 }, small: { count: 1 << 14, edges: 1 << 10 } },
  { id: 'winners', title: 'winners of 65,536 groups', op: 'winners', dtypes: ['float32'], ...grouped },
  { id: 'winners-hot', title: 'winners of 65,536 groups, Zipf', op: 'winners', hot: true, dtypes: ['float32'], ...grouped },
  { id: 'winners-segments', title: 'winners of segments', op: 'segment-winners', dtypes: ['float32'],
    full: { count: 1 << 20, segments: 10_000 }, small: { count: 1 << 14, segments: 156 } },
  { id: 'softmax', title: 'softmax in 65,536 groups', op: 'softmax', sum: 'exact', dtypes: ['float32'], ...grouped },
  { id: 'softmax-hot', title: 'softmax in 65,536 groups, Zipf', op: 'softmax', hot: true, sum: 'exact', dtypes: ['float32'], ...grouped },
  { id: 'logsumexp-hot', title: 'logsumexp in 65,536 groups, Zipf', op: 'logsumexp', hot: true, sum: 'exact', dtypes: ['float32'], ...grouped },
  { id: 'spmm', title: 'spmm', op: 'spmm', dtypes: ['float32'], ...edges },
  { id: 'spmm-plan', title: 'spmm, with plans', op: 'spmm', plan: true, dtypes: ['float32'], ...edges },
  { id: 'spmm-plan-hot', title: 'spmm, with plans, Zipf', op: 'spmm', plan: true, hot: true, dtypes: ['float32'], ...edges },
  ...['mean', 'count', 'sum'].map((statistic) => (
    { id: `binned-${statistic}`, title: `binned_statistic, ${statistic}`, op: 'binned', statistic, sum: 'exact', dtypes: ['float32'], ...binned }
  )),
  { id: 'binned-cancel', title: 'binned_statistic, sum that cancels', op: 'binned', statistic: 'sum', cancels: true, sum: 'exact', dtypes: ['float32'], ...binned },
  { id: 'histogram-weights', title: 'histogramdd, weights', op: 'binned', statistic: 'weights', dtypes: ['float32'], ...binned },
  { id: 'bincount-mask', title: 'bincount, 256 bins, Zipf, with a mask', op: 'bincount-mask', dtypes: ['int32'],
    full: { count: 1 << 22, size: 256 }, small: { count: 1 << 16, size: 256 } },
  { id: 'add-ignore', title: 'add, a quarter ignored', op: 'ignore', ...grouped },
].map((workload) => ({ ...workload, group: true }));

/** One workload at one size, with the shapes of its operands by their names. */
export function sizedGroup(workload, size) {
  const at = { ...workload, ...workload[size], size_name: size };
  const { count: n, op } = at;
  const shapes = {
    search: { edges: [at.edges], x: [n] }, winners: { index: [n], src: [n] }, softmax: { index: [n], src: [n] }, logsumexp: { index: [n], src: [n] },
    'segment-winners': { offsets: [at.segments + 1], src: [n] },
    spmm: { rows: [n], columns: [n], values: [n], dense: [at.nodes, at.length] },
    binned: { sample: [n, 2], values: [n] }, 'bincount-mask': { index: [n], mask: [n] }, ignore: { table: [at.size], index: [n], src: [n] },
  }[op] ?? { x: [n] };
  return { ...at, shapes };
}

/** The operands of a sized workload, as arrays by their names. A mask is an array of bytes. */
export function groupInputs(w, dtype) {
  const random = generator(0x9e3779b9); // any seed would do
  const Type = dtype === 'float32' ? Float32Array : Int32Array;
  const unit = () => random() * 2 - 1;
  const fill = (Type, length, next) => {
    const array = new Type(length);
    for (let k = 0; k < length; k++) array[k] = next();
    return array;
  };
  const numbers = (length) => fill(Type, length, dtype === 'float32' ? unit : () => Math.floor(random() * 17) - 8);
  const places = (length, size, hot = w.hot) => fill(Int32Array, length, hot ? zipf(random, size) : () => Math.floor(random() * size));
  const n = w.count;
  switch (w.op) {
    case 'search': return { edges: fill(Type, w.edges, unit).sort(), x: fill(Type, n, unit) };
    case 'segment-winners': return { offsets: Int32Array.from({ length: w.segments + 1 }, (_, at) => Math.round((at * n) / w.segments)), src: numbers(n) };
    case 'winners': case 'softmax': case 'logsumexp': return { index: places(n, w.size), src: numbers(n) };
    case 'spmm': return { rows: places(n, w.nodes), columns: places(n, w.nodes, false), values: numbers(n), dense: numbers(w.nodes * w.length) };
    case 'binned': return { sample: fill(Type, 2 * n, unit), values: w.cancels ? fill(Type, n, cancelling(random)) : numbers(n) };
    case 'bincount-mask': return { index: places(n, w.size, true), mask: fill(Uint8Array, n, () => random() * 2) };
    case 'ignore': return { table: numbers(w.size), index: places(n, w.size).map((at) => (random() < 0.25 ? -1 : at)), src: numbers(n) };
    default: return { x: sortable(w, Type, random, fill) };
  }
}

/** What is sorted: see `groups`. Random integers have all bits. */
function sortable({ values, count }, Type, random, fill) {
  const any = Type === Float32Array ? () => random() * 2 - 1 : () => random() * 2 ** 32;
  if (values === 'few') {
    const few = fill(Type, 256, any);
    const next = zipf(random, 256);
    return fill(Type, count, () => few[next()]);
  }
  const x = fill(Type, count, values === 'many' ? () => Math.floor(random() * count) : any);
  return values === 'sorted' ? x.sort() : x;
}

/** One number in three is small, and the others are 2^60 or −2^60. */
const cancelling = (random) => () => [2 ** 60, -(2 ** 60), random()][Math.floor(random() * 3)];

/** The classes of the arrays of a result. Positions and counts are int32 here; a rival may give them in another dtype. */
export function groupOutputs(w, Type) {
  switch (w.op) {
    case 'argsort': case 'search': case 'bincount-mask': return [Int32Array];
    case 'sort': case 'winners': case 'segment-winners': return [Type, Int32Array];
    case 'unique': return [Type, Int32Array, Int32Array, Int32Array];
    default: return [Type];
  }
}
