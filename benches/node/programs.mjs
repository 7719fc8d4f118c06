// Times one of the whole programs at its large size, with one thread and with two, beside its plain loop, in turns, and prints JSON:
//   node benches/node/programs.mjs groups [rounds]
// `npm run bench -- programs` runs each in a process of its own, and writes docs/performance/programs.md.

import { loadavg } from 'node:os';
import * as scatterwise from 'scatterwise';
import * as threaded from 'scatterwise/threads';
import { differences, programs } from '../programs/index.js';

const [name, rounds = '11'] = process.argv.slice(2);
const program = programs[name];
if (!program) throw new Error(`The programs are ${Object.keys(programs).join(', ')}.`);

await scatterwise.init({ device: 'cpu' });
await threaded.init({ device: 'cpu', threads: 2 });
const data = program.make(program.sizes.large, 1);
const ways = { library: () => program.library(scatterwise, data), threads: () => program.library(threaded, data), plain: () => program.plain(data) };

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
wrong.push(...differences({ bounds: {} }, (await time('threads')).results, first.library.results)); // the same bits
const names = Object.keys(ways);
const times = Object.fromEntries(names.map((way) => [way, []]));
for (let round = -2; round < Number(rounds); round++) {
  for (const way of round % 2 === 0 ? names : names.toReversed()) {
    const { clock, processor } = await time(way);
    if (round >= 0) times[way].push({ clock, processor }); // the others warm up
  }
}

/** The lines of the function that a user writes. */
const lines = (way) => program[way].toString().split('\n').length;
const summary = (way) => ({
  least: Math.min(...times[way].map(({ processor }) => processor)),
  leastByClock: Math.min(...times[way].map(({ clock }) => clock)),
  median: times[way].map(({ clock }) => clock).sort((one, two) => one - two)[times[way].length >> 1],
  first: first[way]?.clock,
  lines: program[way] && lines(way),
});
const { count } = threaded.backend().threads;
console.log(JSON.stringify({ name, title: program.title, size: program.sizes.large, load, rounds: Number(rounds), wrong, count, ...Object.fromEntries(names.map((way) => [way, summary(way)])) }));
process.exit(); // the other thread would keep the process alive
