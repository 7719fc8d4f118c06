// The part that measures whole programs: those of benches/programs in Node, each in a process of its own beside its plain loop.

import { loadavg } from 'node:os';
import { programs } from '../../programs/index.js';
import { ask, Trouble } from '../../../tools/shell.mjs';
import { machine, measuredHere } from './parts.mjs';
import { milliseconds, ratio, table, writePage } from './report.mjs';

/** Measures the programs, or those with `only` in their names, and writes their page; a quick run prints it. */
export async function benchPrograms({ quick, only }) {
  const measured = [];
  const before = loadavg()[0];
  for (const name of Object.keys(programs).filter((one) => !only || one.includes(only))) {
    const text = ask(process.execPath, 'benches/node/programs.mjs', name, quick ? '3' : '11');
    if (!text) throw new Trouble(`node benches/node/programs.mjs ${name} failed.`);
    const one = JSON.parse(text);
    if (one.wrong.length > 0) throw new Trouble(`${one.title}: ${one.wrong.join('; ')}`);
    measured.push(one);
    console.log(`  ${one.title}: ${ratio(one.library.least / one.plain.least)}`);
  }
  const loads = [before, ...measured.map(({ load }) => load), loadavg()[0]].map((load) => load.toFixed(1));
  const here = machine({});
  const busy = `While it ran, the load average over a minute was ${loads.join(', ')}; above ${here.cores} the machine was busy.`;
  const blocks = [`${measuredHere(here)}, Node ${process.versions.node}, ${measured[0]?.rounds} rounds. ${busy}`, how, programTable(measured), sizes(measured)];
  if (quick) return console.log(blocks.join('\n\n'));
  await writePage('programs', { title: 'Whole programs', part: 'programs' }, blocks);
}

const how = `Each program of \`benches/programs\` is a function that uses the library, as its documents teach to write it, without a plan and on one
thread, and a plain loop in JavaScript with the same results. Both take turns in one process. *Least* is the least processor time of a run in
milliseconds, of the whole process; *median* is by the clock, which includes what the machine did meanwhile. *First* is the first run, by the clock:
code that is not optimised yet, and memory that is new. All start from typed arrays and end with typed arrays.`;

/** A row for each program. */
function programTable(measured) {
  const head = ['', 'least', 'plain loop, least', 'least, by the loop’s', 'median', 'plain loop, median', 'first', 'plain loop, first', 'lines', 'plain loop, lines'];
  const rows = measured.map(({ title, library, plain }) => {
    const pair = (key) => [milliseconds(library[key]), milliseconds(plain[key])];
    return [title, ...pair('least'), ratio(library.least / plain.least), ...pair('median'), ...pair('first'), String(library.lines), String(plain.lines)];
  });
  return table(head, rows);
}

/** What each program worked on. */
function sizes(measured) {
  const text = (size) => Object.entries(size).map(([what, count]) => `${what} ${count.toLocaleString('en')}`).join(', ');
  return `## Sizes\n\n${measured.map(({ name, title, size }) => `- ${title} (\`benches/programs/${name}.js\`): ${text(size)}`).join('\n')}`;
}
