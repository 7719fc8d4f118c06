// Exact sums by group of data in chunks. Two parts add chunks, as two workers would. One of them is saved and resumed. Then both are merged.

import { floats, integers, random } from './random.js';

export const title = 'Exact sums in chunks';
export const sizes = { small: { chunks: 6, rows: 500, groups: 16 }, large: { chunks: 20, rows: 100_000, groups: 64 } };
/** Sums are equal; a mean of the plain loop is rounded twice. */
export const bounds = { mean: 1e-7 };

/** Large values that cancel, in other chunks, and small ones that remain. */
export function make({ chunks, rows, groups }, seed) {
  const next = random(seed);
  const chunk = (number) => {
    const sign = number % 2 === 0 ? 1e8 : -1e8;
    return { group: integers(rows, (k) => (k < groups ? k : groups * next())), value: floats(rows, (k) => (k < groups ? sign : next() - 0.25)) };
  };
  return { chunks: Array.from({ length: chunks }, (_, number) => chunk(number)), groups };
}

export async function library({ ExactSum, open_scope, Tensor }, { chunks, groups }) {
  const s = open_scope();
  const add = (sums, { group, value }) => sums.add(0, new Tensor(group), new Tensor(value));
  const half = chunks.length >> 1;
  let one = new ExactSum([groups]);
  for (let k = 0; k < half; k++) {
    add(one, chunks[k]);
    if (k === half >> 1) one = ExactSum.from_bytes(await one.to_bytes()); // saved, and resumed
  }
  const other = new ExactSum([groups]);
  for (let k = half; k < chunks.length; k++) add(other, chunks[k]);
  one.merge(ExactSum.from_bytes(await other.to_bytes())); // the bytes come from a worker
  const results = { sum: await one.sum().data(), mean: await one.mean().data(), count: await one.count().astype('int32').data() };
  s.dispose();
  return results;
}

/** Neumaier's sums: the part of each term that a sum loses is summed beside it. */
export function plain({ chunks, groups }) {
  const sum = new Float64Array(groups);
  const lost = new Float64Array(groups);
  const count = new Int32Array(groups);
  for (const { group, value } of chunks) {
    for (let k = 0; k < group.length; k++) {
      const g = group[k];
      const term = value[k];
      const before = sum[g];
      const after = before + term;
      lost[g] += Math.abs(before) >= Math.abs(term) ? before - after + term : term - after + before;
      sum[g] = after;
      count[g]++;
    }
  }
  const [rounded, mean] = [new Float32Array(groups), new Float32Array(groups)];
  for (let g = 0; g < groups; g++) {
    rounded[g] = sum[g] + lost[g];
    mean[g] = (sum[g] + lost[g]) / count[g];
  }
  return { sum: rounded, mean, count };
}
