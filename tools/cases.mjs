// The recorded calls that `verify()` carries, what PyTorch, MindSpore, NumPy and Paddle did, and this project decided. They are chosen from
// tests/vectors: those in which order, rounding or a special value decides about bits. `npm run package` writes them to target/pkg.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from '../src/js/arguments/operators.js';
import { REDUCES } from '../src/js/engine/wire.js';
import { operatorOf } from '../tests/js/vectors.js';
import { root, Trouble } from './shell.mjs';

/** For each file, the cases that are taken: a pattern for the id of a case, without the part up to the first slash. */
const chosen = {
  scatter_: /^(dtype\/(bool-add|int8-multiply|int16-add|uint16-multiply|uint32-add|float16|float32-neg|float64-multiply)|special\/.*|wrap\/(int8-add|int64-multiply|uint8-multiply|uint64-add|int32-multiply)|order\/float(32|64)-.*|value\/nan-to-f32)$/,
  scatter_duplicates: /^(rank1-0\/dim0|rank2-1\/dim1|rank3-2\/dim1)$/,
  scatter_add_axis: /^(dtype\/(bool|int16|float32)-dup|special\/.*|wrap\/(int8|int64)|order\/float(32|64))$/,
  scatter_add_nd: /^(special\/float(16|32)|wrap\/(int16|uint32|uint64)|order\/float(16|32|64))$/,
  scatter_mul: /^(special\/.*|wrap\/.*)$/,
  scatter_reduce: /^(hot\/(float|int8).*|order\/.*|special\/(negative-zero|zeros|overflow|snan).*|special\/float32-(sum|prod)-pairs|wrap\/(int8-mean|int64-mean|uint8-sum)|dtype\/(bfloat16|bool|uint16|uint32).*)$/,
  scatter_nd: /^(order\/.*|duplicates\/.*|divide\/subnormal|special\/(replace-bits|float32-div-pairs)|wrap\/.*|dtype\/(uint32-div|bfloat16-add|bool-multiply))$/,
  scatter_family: /^((order|special|wrap|duplicates).*)$/,
  index_ops: /^(hot\/(float|bfloat)\d+-rank1-alpha|special\/.*|wrap\/.*|duplicates\/.*)$/,
  gather: /^(special|dtype\/(bool|int8|uint16|int32|uint64|bfloat16|float64))$/,
  out_of_range: /^mode\/(wrap|clip|drop)\/edges$/,
  segment: /^(hot\/(sum|prod|mean|amin)|special\/.*|wrap\/.*|dtype\/(float16|bfloat16)-(mean|prod))$/,
  histogram: /^(edges\/float32-(7|6|13)-.*|weights\/(special|order|float32-order|nan-outside)|special\/.*|dtype\/int32|edges-float32)$/,
  elementwise_mul: /^(special\/.*|wrap\/.*|table\/bc-axis1-float(32|64))$/,
  elementwise: /^3\/elementwise\/(axis\/2x3x4-2x3-0|special\/(float16|float32)|ties\/(bfloat16|float64)|ends\/int8.*|float-floor\/float32|dtype\/bool|broadcast\/rank2)$/,
  reduce_dim: /^3\/reduce_dim\/(special\/float32|exact\/float(16|32)|spread\/(bfloat16|float64)|wrap\/(int8|uint16)|ties\/dim--1|dims\/2x2x3--1,0|minus-zero|empty-dim\/float32|dtype\/bool)$/,
  masks: /^4\/masks\/(prod\/(order\/(float32|bfloat16)|order-dims\/float32|wrap-dtype\/int8)|inside\/(gather|scatter_add_axis)-float32)$/,
};

/**
 * A run may have no time for all of them: where shaders compile slowly, each kind of element takes seconds. First comes what adapters
 * compute by themselves, and what most people use.
 */
const dtypes = ['float32', 'int32', 'float16', 'uint32', 'float64', 'int64', 'bfloat16', 'int8', 'uint8', 'int16', 'uint16', 'uint64', 'bool'];

/** Calls that share their shaders come one after the other: sums first. */
const kinds = ['add', 'multiply', 'product', 'gather', 'replace', 'amax', 'amin', 'mean', 'sub', 'div', 'others'];

/** Which of `kinds` a case is of. One with an option beside its operator's usual ones, or of segment_reduce, is one of the 'others'. */
function kindOf({ op, kwargs: { reduce, include_self, alpha, initial } }) {
  if (include_self === false || alpha !== undefined || initial !== undefined || op === 'segment_reduce') return 'others';
  const { run, words, update = run } = rowOf(operatorOf(op));
  const kind = words ? wordOf(words, reduce) : update;
  return kinds.includes(kind) ? kind : 'others';
}

/** The word of `scatter_nd` for the word `reduce` of an operator, whose words with their numbers are `words`; 'mean' has none but itself. */
const wordOf = (words, reduce) => (reduce === undefined ? 'replace' : (REDUCES[words.find(([word]) => word === reduce)[1]] ?? 'mean'));

/** The data of a tensor: base64, or of int64 whose numbers are small a list of them, which is a fifth as long. */
function dataOf({ dtype, data }) {
  if (dtype !== 'int64') return data;
  const { buffer, byteOffset, length } = Buffer.from(data, 'base64');
  const numbers = Array.from(new BigInt64Array(buffer.slice(byteOffset, byteOffset + length)), Number);
  return numbers.every((number) => Math.abs(number) < 1e6) ? numbers : data;
}

/** A recorded value as the file has it: of a tensor only what is needed, and -0 as text, which JSON lacks; any other as it is. */
function kept(value) {
  if (Array.isArray(value)) return value.map(kept);
  if (value?.dtype) return { dtype: value.dtype, shape: value.shape, data: dataOf(value) };
  if (Object.is(value?.value, -0)) return { ...value, value: '-0' };
  return value;
}
/** The same for each value of an object. */
const keptIn = (record = {}) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, kept(value)]));

/** The chosen cases of a file whose result is recorded in full and is the only right one. */
function readCases(file) {
  const { cases } = JSON.parse(readFileSync(join(root, 'tests', 'vectors', `${file}.json`), 'utf8'));
  const isJudged = ({ required, compare, also_accept, expect }) => required && compare === 'exact' && !also_accept && (expect.data !== undefined || expect.outputs);
  return cases.filter((row) => isJudged(row) && chosen[file].test(row.id.slice(row.id.indexOf('/') + 1)));
}

/** The recorded calls, in the order in which they run. */
export function recordedCases() {
  const all = Object.keys(chosen).flatMap((file) => readCases(file));
  const sorted = dtypes.flatMap((dtype) => kinds.flatMap((kind) => all.filter((row) => row.self.dtype === dtype && kindOf(row) === kind)));
  if (sorted.length !== all.length) throw new Trouble('a dtype has no place in the order');
  return sorted.map(({ id, op, self, args, kwargs, expect }) => {
    const results = expect.outputs ? [expect.outputs.hist, expect.outputs.edges].flat() : [expect]; // a histogram has several
    return { id, op: operatorOf(op), self: kept(self), args: keptIn(args), options: keptIn(kwargs), results: results.map(kept) };
  });
}
