// Softmax and logsumexp of groups on the CPU against the calls that they are made of.
//
//   npm run package && node benches/node/groups.mjs     (PACKAGE=<folder>: another package)
//
// A million float32 entries in 100, 10,000 and 100,000 groups. Rounds are interleaved. A time is the processor's, so that other programs
// take less part in it. Printed are the smallest times, and the median of the rounds' own ratios.

import { join } from 'node:path';
import { root } from '../../tools/shell.mjs';

const library = await import(join(process.env.PACKAGE ?? join(root, 'target', 'npm', 'scatterwise'), 'node.js'));
const { activate, elementwise_sub, init, scatter_logsumexp, scatter_softmax, scope, Tensor } = library;
await init({ device: 'cpu' });

const M = 1_000_000;
const ROUNDS = 100;
const src = new Tensor(Float32Array.from({ length: M }, () => 4 * Math.random() - 2));
const median = (list) => list.sort((one, two) => one - two)[list.length >> 1];

/** The processor's milliseconds for one call. */
function time(run) {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  result.dispose();
  return (user + system) / 1000;
}

/** The maxima of the groups, the exponentials, and their exact sums. */
function parts(index, groups) {
  const maxima = Tensor.full([groups], -Infinity).scatter_reduce_(0, index, src, 'amax');
  const exponentials = elementwise_sub(src, maxima.gather(0, index), { act: 'exp' });
  return { maxima, exponentials, sums: Tensor.zeros([groups]).scatter_add_(0, index, exponentials, { sum: 'exact' }) };
}

console.log('| 1M float32 entries | calls, ms | operator, ms | ratio |\n| --- | --: | --: | --: |');
for (const groups of [100, 10_000, 100_000]) {
  const index = new Tensor(Int32Array.from({ length: M }, () => Math.floor(Math.random() * groups)));
  const operators = {
    softmax: [
      () => {
        const { exponentials, sums } = parts(index, groups);
        return exponentials.div(sums.gather(0, index));
      },
      () => scatter_softmax(src, index, 0),
    ],
    logsumexp: [
      () => {
        const { maxima, sums } = parts(index, groups);
        return maxima.add(activate(sums, 'log'));
      },
      () => scatter_logsumexp(src, index, 0, { size: groups }),
    ],
  };
  for (const [name, [calls, operator]] of Object.entries(operators)) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const taken = [() => scope(calls), operator].map(time);
      if (round > 5) rounds.push(taken);
    }
    const least = [0, 1].map((at) => Math.min(...rounds.map((taken) => taken[at])).toFixed(2));
    console.log(`| ${name}, ${groups} groups | ${least.join(' | ')} | ${median(rounds.map(([one, two]) => two / one)).toFixed(2)} |`);
  }
  index.dispose();
}
