// The part `threads` of a run: one, two and all threads, of this library and of those that have threads too, in isolated pages.
//
// A second thread gains only where a second processor is free, so a round counts only if two loops that run together take hardly longer than
// one. All numbers of threads take turns in a round, so each ratio is of one run.

import os from 'node:os';
import { planned, workloads } from '../page/workloads.js';
import { openPages, openProbe } from './driver.mjs';
import { facts, machine, runAll, save } from './parts.mjs';
import { drawScaling } from './plot.mjs';
import { median, milliseconds, modeTable, ratio, rawResults, remarks, table, writePage, writeResult } from './report.mjs';
import { threadRivals } from './rivals.mjs';

/** One, two, and as many as there are processors; the library has at most 16. */
const counts = [...new Set([1, 2, Math.min(os.cpus().length, 16)])].sort((a, b) => a - b);
export const rivalsWithThreads = threadRivals(counts);
const ids = ['multiply-same', 'multiply-axis1', 'multiply-row', 'gather-axis1', 'replace-axis1', 'multiply-axis0', 'add-spread', 'exact-spread', 'exact-65536', 'exact-16', 'segments', 'bincount', 'histogram'];
const compared = [...ids.map((wanted) => workloads.find(({ id }) => id === wanted)), ...planned];
const modes = ['resident', 'resident, after 3 ms'];
/** With fewer rounds that counted, a row has no time. */
const leastRounds = 5;
/** Loops that must run together at full speed: more would never be free where a browser and a driver run as well. */
const loops = 2;

/** Measures threads, and writes their page; a quick run prints it. */
export async function benchThreads({ quick, only, rivals: given, versions }) {
  const rivals = given.filter((one) => rivalsWithThreads.includes(one));
  const pages = await openPages(rivals);
  const { isFree, seen } = await openProbe(pages.browser, loops);
  const cases = [];
  const effort = { rounds: quick ? 5 : 11, tries: quick ? 40 : 300, sample_ms: quick ? 10 : 14, isFree, only, modes, seen: (one) => cases.push(one) };
  const isOfFloats = ({ dtypes }) => !dtypes || dtypes.includes('float32');
  await runAll(pages, ['full'], { ...effort, dtypes: ['float32'] }, compared.filter(isOfFloats));
  await runAll(pages, ['full'], { ...effort, dtypes: ['int32'] }, compared.filter((one) => !isOfFloats(one)));
  await pages.close();
  const asked = `Two loops that ran together took at most 1.15 of one in ${seen.free} of ${seen.asked} looks; rounds beside the others do not count.`;
  const blocks = [
    facts(pages, versions, rivals), asked,
    '![How many times as fast with more threads](browser-threads-scaling.svg)',
    '## More threads', 'The time of one thread, and how many times as fast more are: back to back, and each call after a pause of 3 ms, which lets threads sleep.', scalingTable(cases),
    '## Resident, beside other libraries', 'The first column is scatterwise with one thread; the others are multiples of it.', resident(cases, rivals),
    '## With the same number of threads', sameNumber(cases, rivals),
    '## What the other libraries lack or do differently', remarks(cases, rivals),
  ];
  if (quick) return console.log(blocks.join('\n\n'));
  const { cores } = machine(pages);
  await writeResult('browser-threads-scaling.svg', drawScaling(scaling(cases), { title: 'scatterwise, resident, float32', cores }));
  await save('browser-threads', { ...machine(pages), versions, looks: seen, cases: rawResults(cases) });
  await writePage('threads', { title: 'Threads, in Chromium', part: 'threads' }, blocks);
}

/** The tables of the mode *resident*: of floats, and of integers, where only those count. */
function resident(cases, rivals) {
  const measured = cases.filter((one) => timeOf(one, 'scatterwise', 'resident'));
  const left_out = cases.filter((one) => !measured.includes(one)).map(({ title }) => title);
  const tables = ['float32', 'int32'].map((dtype) => modeTable(measured, rivals, { mode: 'resident', dtype, size: 'full' }, [])).filter(Boolean);
  return [...tables, left_out.length > 0 ? `Fewer than ${leastRounds} rounds counted: ${left_out.join(', ')}.` : ''].filter(Boolean).join('\n\n');
}

const idOf = (threads) => (threads === 1 ? 'scatterwise' : `scatterwise-${threads}`);
/** The median of a rival in a mode; undefined without a right result or enough rounds that counted. */
function timeOf({ rows }, rival, mode) {
  const row = rows.find((one) => one.rival === rival && one.mode === mode);
  const least = rival.startsWith('scatterwise') ? leastRounds : 1; // a library that is far slower has fewer rounds
  return row?.times?.length >= least && !row.failed && ['exact', 'rounded'].includes(row.verdict) ? median(row.times) : undefined;
}

/** A row for each case: the time of one thread, how many times as fast more are, and of how many rounds. */
function scalingTable(cases) {
  const head = ['', ...modes.flatMap((mode) => [`${mode}: 1 thread, ms`, ...counts.slice(1).map((threads) => `${threads} threads`), 'rounds'])];
  const roundsOf = ({ rows }, mode) => String(rows.find((row) => row.rival === 'scatterwise' && row.mode === mode)?.times?.length ?? 0);
  const times = (one, mode, threads) => timeOf(one, idOf(threads), mode);
  const gain = (one, mode, threads) => (times(one, mode, 1) && times(one, mode, threads) ? ratio(times(one, mode, 1) / times(one, mode, threads)) : '–');
  const cells = (one) => modes.flatMap((mode) => [times(one, mode, 1) ? milliseconds(times(one, mode, 1)) : '–', ...counts.slice(1).map((threads) => gain(one, mode, threads)), roundsOf(one, mode)]);
  return table(head, cases.map((one) => [one.title, ...cells(one)]));
}

/** The lines of the plot. */
const scaling = (cases) => cases.map((one) => {
  const alone = timeOf(one, 'scatterwise', 'resident');
  const points = counts.flatMap((threads) => {
    const time = timeOf(one, idOf(threads), 'resident');
    return alone && time ? [[threads, alone / time]] : [];
  });
  return { title: one.title, points };
}).filter(({ points }) => points.length > 1);

/** Where another library is more than 5 % faster with as many threads: a list. */
function sameNumber(cases, rivals) {
  let count = 0;
  const behind = [];
  for (const one of cases) {
    for (const { id, threads, name } of rivals.filter(({ base }) => base !== 'scatterwise')) {
      const [ours, theirs] = [timeOf(one, idOf(threads), 'resident'), timeOf(one, id, 'resident')];
      if (!ours || !theirs) continue;
      count++;
      if (ours > 1.05 * theirs) behind.push(`- ${one.title}: ${name} ${ratio(theirs / ours)}`);
    }
  }
  return [`Another library is more than 5 % faster with as many threads in ${behind.length} of ${count} comparisons.`, ...behind].join('\n');
}
