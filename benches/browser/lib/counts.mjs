// The part that counts what calls record on a GPU: it needs an adapter, which may be a software one, and no browser. The counts are the same on each.

import { ask, run, Trouble } from '../../../tools/shell.mjs';
import { table, writePage, writeResult } from './report.mjs';

const command = ['bench', '--package', 'scatterwise-bench', '--bench', 'counts', '--profile', 'dev'];

/** The most dispatches of a call. */
const dispatches = {
  'add, as many slots as updates': 8,
  'add by a plan, as many slots as updates': 3,
  'add into 16 slots': 60,
  'spmm, with plans': 6,
  'argmax along 1': 1,
  'argmin along 1': 1,
  'argmax along 0': 2,
  'argmin along 0': 2,
  'amax along 1': 1,
  'amin along 1': 1,
  'sum along 1': 1,
  'sum of all': 3,
};

/** The most operations of a shader's text for an element. */
const instructions = { 'activate, relu': 12, 'add, same shape': 20, 'sub, same shape': 20, 'maximum, same shape': 20, 'minimum, same shape': 20, 'div, same shape': 60 };

const isElementwise = ({ name }) => /same shape|at axis|by a row|^activate/.test(name);
const isReduction = ({ name }) => /along [01]$|of all$/.test(name) && !/^(replace|gather|scatter)/.test(name);

/** The bars that a case misses, as text. `cases` are all, because binned sums are held against a count. */
export function missed(one, cases) {
  const found = [];
  const most = (title, value, bar) => value > bar && found.push(`${title} ${value.toLocaleString('en')}, at most ${bar.toLocaleString('en')}`);
  const [widest, narrowest] = one.threads;
  const of = (name) => cases.find((other) => other.name === name && other.dtype === one.dtype)?.dispatches ?? Infinity;
  most('dispatches', one.dispatches, dispatches[one.name] ?? Infinity);
  if (one.name.startsWith('binned sums')) most('dispatches', one.dispatches, of('histogramdd, 512 × 512 bins') + 2);
  if (one.name.endsWith('with weights')) most('dispatches', one.dispatches, of('add, 1 Mi into 262,144 slots'));
  most('instructions', one.instructions ?? 0, instructions[one.name] ?? Infinity);
  most('dispatches before a submission', one.first, 8);
  most('dispatches between two', one.between ?? 0, 32);
  if (isElementwise(one)) {
    if (widest < 1 << 18) found.push(`threads ${widest.toLocaleString('en')}, at least 262,144`);
    most('rounds', one.rounds[0], 4);
  }
  if (isReduction(one) && narrowest < 1 << 14) most(`rounds of ${narrowest.toLocaleString('en')} threads`, one.rounds[1], 8);
  return found;
}

/** Counts the calls, and writes their page and JSON; a quick run prints the page. */
export async function benchCounts({ quick }) {
  await run('cargo', [...command, '--no-run']);
  const text = ask('cargo', ...command);
  if (!text) throw new Trouble(`cargo ${command.join(' ')} failed.`);
  const { cases, steps } = JSON.parse(text);
  const commit = ask('git', 'rev-parse', '--short=8', 'HEAD');
  const calls = ['float32', 'int32'].map((dtype) => `## ${dtype}\n\n${countTable(cases.filter((one) => one.dtype === dtype), [...columns, instructionsOf])}`);
  const blocks = [`Counted at ${commit ?? 'an unknown commit'}.`, how, ...calls, `## Steps of whole programs\n\n${ofSteps}\n\n${countTable(steps, columns)}`, bars(cases)];
  if (quick) return console.log(blocks.join('\n\n'));
  await writeResult('counts.json', text.endsWith('\n') ? text : `${text}\n`);
  await writePage('counts', { title: 'What calls record on a GPU', part: 'counts' }, blocks);
}

const how = `What does not depend on the adapter: each call once, at the full size of the benchmark, after three that compiled its shaders and tested
them. The library takes the constants of a physical GPU, and the limit of work that an adapter's first submission has. *Dispatches* leave out markers, clears and copies. *Submissions* are those of the call and of the \`sync()\` behind it, *first* the
dispatches before the first of them, *between* the most between two of them. *Widest* and *narrowest* are the passes with the most and the fewest threads: threads ×
rounds of a loop for each thread, as the pass declares them: a round of a long division counts too. *Bytes* is what dispatches bind and copies move, each buffer counted whole, over the least:
each operand read once, and the result written once.

*Instructions* are those of all threads for an element of the largest tensor: arithmetic, comparisons, selections and conversions in the text of the shaders,
each component of a vector for itself, the numbers of threads and elements included, with both sides of each branch. The products and sums of float32 are the adapter's. Shaders with loops have none, because their rounds are not in
the text; of a quotient of float32 the adapter's guess and its check count, and not the integers behind the few that fail it.`;

const ofSteps = `One step of each of the [eight programs](../../benches/programs) at its large size; the picture is half as large, because software adapters bind 128 MiB. A step has the calls of the
JavaScript, made in Rust, where the counters are, and begins with data on the GPU; a chunk comes from host memory. It includes what the program reads to go on (the counts of the picture, how many
rows are left), but not the read of its results. Nothing is submitted early while two submissions are in flight, so *submissions* and *between* of a long step depend on how soon they end: here on
an adapter that computes on the CPU. *Bytes* are held against what the step begins with and what it leaves.`;

const pass = ({ threads, rounds }, at) => `${threads[at].toLocaleString('en')} × ${rounds[at].toLocaleString('en')}`;
/** The title of a column, and its cell for a case. */
const columns = [
  ['dispatches', ({ dispatches: all }) => all],
  ['submissions', ({ submissions }) => submissions],
  ['first', ({ first }) => first],
  ['between', ({ between }) => between ?? '–'],
  ['widest', (one) => pass(one, 0)],
  ['narrowest', (one) => pass(one, 1)],
  ['bytes', ({ bytes, least }) => (bytes / least).toFixed(2)],
];
const instructionsOf = ['instructions', ({ instructions: all }) => all ?? '–'];

function countTable(cases, shown) {
  return table(['', ...shown.map(([title]) => title)], cases.map((one) => [one.name, ...shown.map(([, cell]) => String(cell(one)))]));
}

/** The bars, and where they are missed. */
function bars(cases) {
  const found = cases.flatMap((one) => missed(one, cases).map((text) => `- bar missed: ${one.name}, ${one.dtype}: ${text}`));
  return `## Bars\n\n${found.length > 0 ? `${found.join('\n')}\n\n${why}` : 'All bars hold.'}`;
}

const why = `A histogram has more dispatches than a scatter into as many slots: one turns its edges, which may be on the device, into the *limits* that samples are compared
with, and with float weights one more finds the bins of the samples. Integer weights are added by the pass that finds them.`;
