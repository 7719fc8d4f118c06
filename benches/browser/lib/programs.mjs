// The part that measures whole programs: those of benches/programs in Node, each in a process of its own beside its plain loop and its
// peer.

import { loadavg } from 'node:os';
import { programs } from '../../programs/index.js';
import { lacks } from '../../programs/peers/index.js';
import { installPackages } from '../../../tools/setup.mjs';
import { ask, Trouble } from '../../../tools/shell.mjs';
import { machine, measuredHere } from './parts.mjs';
import { milliseconds, ratio, table, writePage } from './report.mjs';

/** Measures the programs, or those with `only` in their names, and writes their page; a quick run prints it. */
export async function benchPrograms({ quick, only }) {
  await installPackages('benches/programs'); // the peers
  const measured = [];
  const before = loadavg()[0];
  for (const name of Object.keys(programs).filter((one) => !only || one.includes(only))) {
    const text = ask(process.execPath, 'benches/node/programs.mjs', name, quick ? '3' : '11');
    if (!text) throw new Trouble(`node benches/node/programs.mjs ${name} failed.`);
    const one = JSON.parse(text);
    if (one.wrong.length > 0) throw new Trouble(`${one.title}: ${one.wrong.join('; ')}`);
    measured.push(one);
    const beside = one.peer ? `${ratio(one.library.least / one.peer.least)} of ${one.rival}` : 'no peer';
    console.log(`  ${one.title}: ${ratio(one.library.least / one.plain.least)} of the loop, ${beside}`);
  }
  const loads = [before, ...measured.map(({ load }) => load), loadavg()[0]].map((load) => load.toFixed(1));
  const here = machine({});
  const busy = `While it ran, the load average over a minute was ${loads.join(', ')}; above ${here.cores} the machine was busy.`;
  const where = `${measuredHere(here)}, Node ${process.versions.node}, ${measured[0]?.rounds} rounds. ${busy}`;
  const blocks = [where, how, programTable(measured), peerTable(measured), sizes(measured)];
  if (quick) return console.log(blocks.join('\n\n'));
  await writePage('programs', { title: 'Whole programs', part: 'programs' }, blocks);
}

const how = `Each program of \`benches/programs\` is a function that uses the library, as its documents teach to write it, without a plan, and a plain
loop in JavaScript with the same results. The library with one thread, with two, the loop and a peer take turns in one process. *Least* is the least
processor time of a run in milliseconds, of the whole process; for two threads it is the least time by the clock, beside that of one. *Median* is by
the clock, which includes what the machine did meanwhile. *First* is the first run, by the clock: code that is not optimised yet, and memory that
is new. All start from typed arrays and end with typed arrays. The bits of one thread and of two are the same.`;

/** Two tables with a row for each program. */
function programTable(measured) {
  const pair = ({ library, plain }, key) => [milliseconds(library[key]), milliseconds(plain[key])];
  const beside = table(['', 'least', 'plain loop, least', 'least, by the loop’s', 'median', 'plain loop, median', 'lines', 'plain loop, lines'], measured.map((one) => [
    one.title, ...pair(one, 'least'), ratio(one.library.least / one.plain.least), ...pair(one, 'median'), String(one.library.lines), String(one.plain.lines),
  ]));
  const others = table(['', 'first', 'plain loop, first', 'one thread, least by the clock', 'two threads, least by the clock', 'two, by the loop’s'], measured.map((one) => [
    one.title, ...pair(one, 'first'), milliseconds(one.library.leastByClock), one.count === 2 ? milliseconds(one.threads.leastByClock) : '–',
    one.count === 2 ? ratio(one.threads.leastByClock / one.plain.leastByClock) : '–',
  ]));
  return `${beside}\n\n## Cold, and with two threads\n\n${others}`;
}

/** A row for each program beside its peer; without one, what every peer lacks. */
function peerTable(measured) {
  const rows = measured.map(({ name, title, library, peer, rival }) => {
    const theirs = (text) => (peer ? text(peer) : '–');
    return [
      title, rival ?? `none: no peer has ${lacks[name]}`, milliseconds(library.least), theirs(({ least }) => milliseconds(least)),
      theirs(({ least }) => ratio(library.least / least)), milliseconds(library.median), theirs(({ median }) => milliseconds(median)),
      theirs(({ first }) => milliseconds(first)), String(library.lines), theirs(({ lines }) => String(lines)),
    ];
  });
  const head = ['', 'peer', 'least', 'peer, least', 'least, by the peer’s', 'median', 'peer, median', 'peer, first', 'lines', 'peer, lines'];
  return `## Beside the best peer\n\n${peers}\n\n${table(head, rows)}`;
}

const peers = `For each program one library from npm that can do it, on one thread in Node: Arquero for tables, and tfjs for arrays, whose operators took less time
there than those of numpy-ts. It is written as its user would write it, in \`benches/programs/peers\`, and takes its turns with the others. Its results
are compared with the plain loop’s, within the same bounds as the library’s.`;

/** What each program worked on. */
function sizes(measured) {
  const text = (size) => Object.entries(size).map(([what, count]) => `${what} ${count.toLocaleString('en')}`).join(', ');
  return `## Sizes\n\n${measured.map(({ name, title, size }) => `- ${title} (\`benches/programs/${name}.js\`): ${text(size)}`).join('\n')}`;
}
