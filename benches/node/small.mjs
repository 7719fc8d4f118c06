// Small calls: what a 3×5 `scatter_` costs from JavaScript, and where the time goes.
//
//   npm run package && node benches/node/small.mjs
//   OLD=<folder of another package> node benches/node/small.mjs
//
// Rounds of all rows are interleaved, and those of both packages; a row is the median of its rounds, in nanoseconds of CPU time a call.
// With OLD, the last column is the median of the quotients of the rounds. PACKAGE is the folder of the package itself, where it is another.

import { join, resolve } from 'node:path';
import { root } from '../../tools/shell.mjs';

const folders = [process.env.OLD, process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise')].filter(Boolean);

const N = 20000;
/** Nanoseconds of CPU time for a call, from N calls. */
const time = (call) => {
  const start = process.cpuUsage().user; // not the clock: it runs on while others have the core
  for (let i = 0; i < N; i++) call();
  return ((process.cpuUsage().user - start) * 1e3) / N;
};
const median = (list) => list.toSorted((one, two) => one - two)[list.length >> 1];

const packages = [];
for (const folder of folders) packages.push(await callsOf(folder));
const names = Object.keys(packages[0]);
const times = packages.map(() => Object.fromEntries(names.map((name) => [name, []])));
for (let round = 0; round < 15; round++) {
  for (const name of names) packages.forEach((calls, at) => times[at][name].push(time(calls[name])));
}
const [first, second] = times;
console.log(second ? '| call | old | ns | of the old |\n| --- | --- | --- | --- |' : '| call | ns |\n| --- | --- |');
for (const name of names) {
  const cells = times.map((each) => median(each[name]).toFixed(0));
  if (second) cells.push(median(second[name].map((one, at) => one / first[name][at])).toFixed(2));
  console.log(`| \`${name}\` | ${cells.join(' | ')} |`);
}

/** The calls that are measured, by name, of the package in that folder. Their operands are made once, and each call works on the same. */
async function callsOf(folder) {
  const { Parameter, Tensor, elementwise_mul, init, scatter_mul } = await import(join(resolve(folder), 'node.js'));
  await init({ device: 'cpu' });

  const t = new Tensor(new Float32Array(15), { shape: [3, 5] });
  const index = new Tensor(Int32Array.of(0, 1, 2, 0, 1, 2), { shape: [2, 3] });
  const wide = new Tensor(BigInt64Array.of(0n, 1n, 2n, 0n, 1n, 2n), { shape: [2, 3] });
  const src = new Tensor(new Float32Array(6).fill(1), { shape: [2, 3] });
  const rows = new Tensor(Int32Array.of(0, 2), {});
  const updates = new Tensor(new Float32Array(10).fill(1), { shape: [2, 5] });
  const table = new Parameter(new Float32Array(15), { shape: [3, 5] });
  const y = new Tensor(new Float32Array(5).fill(1), {});
  const out = new Float32Array(15);
  const into = { out };
  const typed = new Float32Array(15);
  const nested = [[0, 1, 2], [0, 1, 2]];
  const values = [[1, 1, 1], [1, 1, 1]];
  const list = Array.from({ length: 15 }, (_, at) => at + 1);

  return {
    'a getter (rank): the crossing alone': () => t.rank,
    'scatter_(1, index, src)': () => t.scatter_(1, index, src),
    "scatter_(1, index, src, { reduce: 'add' })": () => t.scatter_(1, index, src, { reduce: 'add' }),
    "scatter_(1, index int64, src, { reduce: 'add' })": () => t.scatter_(1, wide, src, { reduce: 'add' }),
    "scatter_(1, index, 2, { reduce: 'add' })": () => t.scatter_(1, index, 2, { reduce: 'add' }),
    'scatter_(1, nested arrays, 2)': () => t.scatter_(1, nested, 2),
    "scatter_(1, nested arrays, nested arrays, { reduce: 'add' })": () => t.scatter_(1, nested, values, { reduce: 'add' }),
    'scatter_add_(1, index, src)': () => t.scatter_add_(1, index, src),
    'scatter_mul(table, indices, updates)': () => scatter_mul(table, rows, updates),
    'mul_(row)': () => t.mul_(y),
    'data_sync({ out })': () => t.data_sync(into),
    'data_sync()': () => t.data_sync(),
    'new Tensor([15 numbers]).dispose()': () => new Tensor(list).dispose(),
    'new Tensor(typed, { shape: [3, 5] }).dispose()': () => new Tensor(typed, { shape: [3, 5] }).dispose(),
    'gather(1, index).dispose()': () => t.gather(1, index).dispose(),
    'elementwise_mul(x, row).dispose()': () => elementwise_mul(t, y).dispose(),
    'scatter_add(1, index, src).dispose()': () => t.scatter_add(1, index, src).dispose(),
  };
}
