// Exact sums (`sum: 'exact'`) on the CPU against ordered sums and against a loop in JavaScript, which adds in the same order.
//
//   npm run package && node benches/node/exact.mjs [words of names]     (PACKAGE=<folder>: another package)
//
// A million float32 updates of 16, 65,536 and 1 Mi places. Rounds are interleaved: the loop, ordered, exact. Printed are the smallest times and
// their ratios: other programs only add to a time.

import { join } from 'node:path';
import { root } from '../../tools/shell.mjs';
import { time } from './rounds.mjs';

const library = await import(join(process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise'), 'node.js'));
const { init, Tensor } = library;
await init({ device: 'cpu' });

const M = 1 << 20;
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
const fill = (value) => Float32Array.from({ length: M }, value);
const sign = () => (Math.random() < 0.5 ? -1 : 1);

/** Usual data, and data whose sums float64 cannot hold: exponents that are far apart, and large numbers that cancel each other. */
const kinds = {
  uniform: () => fill(() => Math.random()),
  normal: () => fill(normal),
  'log-normal': () => fill(() => normal() * Math.exp(3 * normal())),
  '60 binades': () => fill(() => sign() * (1 + Math.random()) * 2 ** Math.floor(60 * Math.random() - 30)),
  cancelling: () => {
    const half = Float32Array.from({ length: M / 2 }, () => sign() * (1 + Math.random()) * 2 ** 60);
    return fill((_, k) => (k % 3 === 0 ? Math.random() * 2 ** -30 : k % 3 === 1 ? half[k >> 1] : -half[(k - 1) >> 1]));
  },
  'all exponents': () => {
    const bits = new Uint32Array(M).map(() => Math.floor(Math.random() * 2 ** 32)).map((each) => ((each >>> 23) & 255) === 255 ? each & 0xbfffffff : each);
    return new Float32Array(bits.buffer);
  },
};

const least = (list) => Math.min(...list);

/** The loop, compiled again for each table. */
const loop = () => new Function('table', 'index', 'src', 'for (let i = 0; i < index.length; i++) table[index[i]] += src[i];');

const words = process.argv.slice(2);
console.log('| 1M float32 updates | loop, ms | ordered, ms | exact, ms | by the loop | by ordered |\n| --- | --: | --: | --: | --: | --: |');
for (const [kind, make] of Object.entries(kinds)) {
  for (const places of [16, 65_536, M]) {
    const name = `${kind}, ${places} places`;
    if (!words.every((word) => name.includes(word))) continue;
    const src = make();
    const index = Int32Array.from({ length: M }, () => Math.floor(Math.random() * places));
    const [table, values, entries, theirs, run] = [Tensor.zeros([places]), new Tensor(src), new Tensor(index), new Float32Array(places), loop()];
    const calls = [
      () => run(theirs.fill(0), index, src),
      () => table.scatter_add(0, entries, values).dispose(), // a copy: the table stays zeros
      () => table.scatter_add(0, entries, values, { sum: 'exact' }).dispose(),
    ];
    const rounds = [];
    for (let round = 0; round < 20; round++) {
      const taken = calls.map(time);
      if (round > 2) rounds.push(taken);
    }
    const [plain, ordered, exact] = [0, 1, 2].map((way) => least(rounds.map((taken) => taken[way])));
    console.log(`| ${name} | ${plain.toFixed(2)} | ${ordered.toFixed(2)} | ${exact.toFixed(2)} | ${(exact / plain).toFixed(1)} | ${(exact / ordered).toFixed(1)} |`);
    for (const tensor of [table, values, entries]) tensor.dispose();
  }
}
