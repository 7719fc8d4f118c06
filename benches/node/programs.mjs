// Times one of the whole programs at its large size, with one thread and with two, beside its plain loop and its peer, in turns, and
// prints JSON:
//   node benches/node/programs.mjs groups [rounds]
// `npm run bench -- programs` installs the peers, runs each program in a process of its own, and writes docs/performance/programs.md.

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import * as scatterwise from 'scatterwise';
import * as threaded from 'scatterwise/threads';
import { differences, programs } from '../programs/index.js';
import { lacks, load as loadPeer } from '../programs/peers/index.js';

const [name, rounds = '11'] = process.argv.slice(2);
const program = programs[name];
if (!program) throw new Error(`The programs are ${Object.keys(programs).join(', ')}.`);

await scatterwise.init({ device: 'cpu' });
await threaded.init({ device: 'cpu', threads: 2 });
const other = lacks[name] ? undefined : await loadPeer(name);
const data = program.make(program.sizes.large, 1);
const ways = { library: () => program.library(scatterwise, data), threads: () => program.library(threaded, data), plain: () => program.plain(data) };
if (other) ways.peer = () => other.peer(data);

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
if (other) {
  first.peer = await time('peer');
  wrong.push(...differences(program, first.peer.results, first.plain.results).map((text) => `${other.library}: ${text}`));
}
const names = Object.keys(ways);
const times = Object.fromEntries(names.map((way) => [way, []]));
for (let round = -2; round < Number(rounds); round++) {
  for (const way of round % 2 === 0 ? names : names.toReversed()) {
    const { clock, processor } = await time(way);
    if (round >= 0) times[way].push({ clock, processor }); // the others warm up
  }
}

/** The lines of the function that a user writes; undefined for threads, which need no other. */
const lines = (way) => (way === 'peer' ? other.peer : program[way])?.toString().split('\n').length;
const summary = (way) => ({
  least: Math.min(...times[way].map(({ processor }) => processor)),
  leastByClock: Math.min(...times[way].map(({ clock }) => clock)),
  median: times[way].map(({ clock }) => clock).sort((one, two) => one - two)[times[way].length >> 1],
  first: first[way]?.clock,
  lines: lines(way),
});
const { count } = threaded.backend().threads;
const version = other && JSON.parse(readFileSync(new URL(`../programs/node_modules/${other.library}/package.json`, import.meta.url))).version;
const rival = other && `${other.library} ${version}`;
const figures = Object.fromEntries(names.map((way) => [way, summary(way)]));
console.log(JSON.stringify({ name, title: program.title, size: program.sizes.large, load, rounds: Number(rounds), wrong, count, rival, ...figures }));
process.exit(); // the other thread would keep the process alive
