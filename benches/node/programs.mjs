// Times one of the whole programs at its large size beside its plain loop, in turns, on the CPU with one thread, and prints JSON:
//   node benches/node/programs.mjs groups [rounds]
// `npm run bench -- programs` runs each in a process of its own, and writes docs/performance/programs.md.

import { loadavg } from 'node:os';
import * as scatterwise from 'scatterwise';
import { differences, programs } from '../programs/index.js';

const [name, rounds = '11'] = process.argv.slice(2);
const program = programs[name];
if (!program) throw new Error(`The programs are ${Object.keys(programs).join(', ')}.`);

await scatterwise.init({ device: 'cpu' });
const data = program.make(program.sizes.large, 1);
const ways = { library: () => program.library(scatterwise, data), plain: () => program.plain(data) };

/** The milliseconds of one run by the clock, and those of the processor in this process, and the results. */
async function time(way) {
  const [used, start] = [process.cpuUsage(), performance.now()];
  const results = await ways[way]();
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  return { clock, processor: (user + system) / 1000, results };
}

const load = loadavg()[0];
const first = { library: await time('library'), plain: await time('plain') };
const wrong = differences(program, first.library.results, first.plain.results);
const times = { library: [], plain: [] };
for (let round = -2; round < Number(rounds); round++) {
  for (const way of round % 2 === 0 ? ['library', 'plain'] : ['plain', 'library']) {
    const { clock, processor } = await time(way);
    if (round >= 0) times[way].push({ clock, processor }); // the others warm up
  }
}

/** The lines of the function that a user writes. */
const lines = (way) => program[way].toString().split('\n').length;
const summary = (way) => ({
  least: Math.min(...times[way].map(({ processor }) => processor)),
  median: times[way].map(({ clock }) => clock).sort((one, two) => one - two)[times[way].length >> 1],
  first: first[way].clock,
  lines: lines(way),
});
console.log(JSON.stringify({ name, title: program.title, size: program.sizes.large, load, rounds: Number(rounds), wrong, library: summary('library'), plain: summary('plain') }));
