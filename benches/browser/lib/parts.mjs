// The parts of a run: what they measure, in which order, and what they write where.
//
// A part takes the options of bench.mjs: its flags, the `rivals` and `starts` that were built, and the `versions` of the compared libraries. A *case*
// is a workload at one size and dtype, { id, title, dtype, size, rows }, with the rows of `runCase` in driver.mjs. `pages` is what
// `openPages` resolves to. An *effort* is how much is measured: { rounds, sample_ms, warm, … } for `runCase`, and what `runAll` reads.

import os from 'node:os';
import { ask, run, Trouble } from '../../../tools/shell.mjs';
import { groups } from '../page/groups.js';
import { contended, workloads } from '../page/workloads.js';
import { measureColdStarts } from './cold.mjs';
import { openPages, runCase } from './driver.mjs';
import { drawPlot } from './plot.mjs';
import {
  median, missedGoals, modeTable, rawResults, remarks, replaceSection, summaryTable, table, timeCell, writePage, writeResult,
} from './report.mjs';
import { cpuRivals, cpuStarts, gpuRivals, gpuStarts } from './rivals.mjs';

/** The GPU's part: minutes after which no case is begun, and milliseconds that a call may take. */
const gpu_minutes = 13;
const patience = 1000;
const modes = ['resident', 'in place', 'end to end', 'end to end, out', 'end to end, with_data'];
const sizes = { full: 'full size', small: '1/64 of the size' };
/** Those of `all` that are among the `given` ones, in the order of `all`. */
const chosen = (all, given) => all.filter((one) => given.includes(one));

/** Measures the CPU in the browser. Writes its pages and the summary, unless it is a quick run, which prints tables, or a smoke test. */
export async function benchCpu({ quick, smoke, only, rivals: given, starts, versions }) {
  const rivals = chosen(cpuRivals, given);
  const pages = await openPages(rivals);
  const effort = smoke ? { rounds: 1, sample_ms: 1, warm: 0, dtypes: ['float32'] } : quick ? { rounds: 3, sample_ms: 10 } : { rounds: 7, sample_ms: 14 };
  effort.only = only;
  const cases = [];
  effort.seen = (one) => cases.push(one);
  await runAll(pages, smoke ? ['small'] : quick ? ['full'] : ['full', 'small'], effort, smoke ? [...workloads, ...groups] : workloads);
  const contention = smoke ? [] : await runContended(pages, effort);
  await pages.close();
  if (smoke) return checkSmoke(cases, (await measureColdStarts(chosen(cpuStarts, starts), { rounds: 1 })).rows);

  const missed = missedGoals(cases, rivals);
  printMissed(missed);
  const limits = ['memory.copy', 'TypedArray.set'];
  if (quick) return printTables(cases, rivals, limits);
  await save('browser-cpu', { ...machine(pages), versions, cases: rawResults([...cases, ...contention]) });
  await savePlots('cpu', cases, rivals, 'CPU');
  await writePage('cpu', { title: 'CPU, in Chromium', part: 'cpu' }, [
    facts(pages, versions, rivals),
    ...plots('cpu'),
    tables(cases, rivals, limits),
    '## What the other libraries lack or do differently', remarks(cases, rivals),
    '## Against the goals', missedText(missed),
  ]);
  const blocks = [facts(pages, versions, rivals), contentionTable(contention, rivals)];
  await writePage('contention', { title: 'One slot against many slots', part: 'cpu' }, blocks);
  const summary = summaryTable(cases, rivals, { mode: 'resident', dtype: 'float32', size: 'full' });
  await replaceSection('summary', `${facts(pages, versions, rivals)}\n\n${summary}`);
}

/** Measures WebGPU in the browser, and writes its page; a quick run prints tables. */
export async function benchGpu({ quick, only, size, minutes = gpu_minutes, rivals: given, versions }) {
  const rivals = chosen(gpuRivals, given);
  const pages = await openPages(rivals, { webgpu: true });
  const effort = quick ? { rounds: 2, sample_ms: 10, warm: 20 } : { rounds: 5, sample_ms: 15, warm: 40 };
  // A software adapter can take minutes for a call. Such calls are left out and named in the page. The small sizes come first, to estimate
  // the full ones.
  const estimates = new Map();
  const cases = [];
  const until = Date.now() + Number(minutes) * 60_000;
  const seen = (one) => {
    cases.push(one);
    if (one.size === 'small') keepEstimates(estimates, one);
  };
  const tooSlow = (rival, { id, dtype, size }) => size === 'full' && judgeBySmall(estimates.get(`${rival} ${id} ${dtype}`));
  const left_out = await runAll(pages, quick ? [size ?? 'small'] : ['small', 'full'], { ...effort, only, patience, until, seen, tooSlow });
  await pages.close();
  const limits = ['copy kernel', 'copyBufferToBuffer'];
  console.log(adapterText(pages));
  if (quick) return printTables(cases, rivals, limits);
  await save('browser-webgpu', { ...machine(pages), versions, adapter: adapterFacts(pages), cases: rawResults(cases) });
  await savePlots('webgpu', cases, rivals, 'WebGPU');
  await writePage('webgpu', { title: 'WebGPU, in Chromium', part: 'gpu' }, [
    facts(pages, versions, rivals), adapterText(pages),
    ...plots('webgpu'),
    tables(cases, rivals, limits, ['full'], ['resident']), // browser-webgpu.json has all
    '## What the other libraries lack or do differently', remarks(cases, rivals),
    left_out.length > 0 ? `Not started within ${minutes} minutes: ${left_out.join('; ')}.` : '',
  ]);
}

/** Adds to `estimates`, for each rival, the milliseconds of its slowest mode in a case; infinity where one is too slow or fails. */
function keepEstimates(estimates, { id, dtype, rows }) {
  for (const row of rows) {
    const key = `${row.rival} ${id} ${dtype}`;
    const time = row.slow || row.failed ? Infinity : (row.estimate ?? 0);
    estimates.set(key, Math.max(estimates.get(key) ?? 0, time));
  }
}

/** Why a case of 64 times the size is not tried, by the milliseconds of the small one; false where it is. */
function judgeBySmall(time = 0) {
  if (time === Infinity) return 'too slow, or failing, at 1/64 of the size already';
  return 64 * time > patience && `some ${((64 * time) / 1000).toFixed(0)} s for a call, judged by 1/64 of the size`;
}

/** Measures cold starts on both devices, and writes a page for each. This part is short, and wants a quiet machine more than all others. */
export async function benchCold({ quick, starts }) {
  for (const [device, wanted, webgpu] of [['CPU', cpuStarts, false], ['WebGPU', gpuStarts, true]]) {
    const rounds = quick ? 3 : webgpu ? 15 : 31;
    const measured = await measureColdStarts(chosen(wanted, starts), { rounds, webgpu });
    const blocks = [`${measuredOn(machine({ version: measured.browser }))}, ${rounds} rounds.`, coldTable(measured.rows)];
    console.log(blocks.join('\n\n'));
    if (!quick) await writePage(`cold-start-${device.toLowerCase()}`, { title: `Cold start, ${device}`, part: 'cold' }, blocks);
  }
}

/** Runs three of cargo's benchmarks, benches/native/cpu.rs, groups.rs and gpu/main.rs. Each prints Markdown, which becomes its page; of the GPU's, the summary. */
export async function benchNative({ quick }) {
  const bench = (name, ...more) => ['bench', '--package', 'scatterwise-bench', '--bench', name, ...more];
  const flags = quick ? ['--', '--quick'] : [];
  for (const [name, title] of [['cpu', 'Native CPU kernels'], ['groups', 'Native sorts and groups'], ['gpu', 'Native GPU']]) {
    await run('cargo', bench(name, '--no-run')); // with its output; what follows prints tables alone
    const text = ask('cargo', ...bench(name, ...flags));
    if (!text) throw new Trouble(`cargo ${bench(name, ...flags).join(' ')} failed.`);
    console.log(text);
    if (!quick) await writePage(`native-${name}`, { title, part: 'native' }, [`${measuredHere(machine({}))}.`, name === 'gpu' ? gpuSummary(text) : text]);
  }
}

/** What the GPU benchmark prints, without the tables of single workloads. */
const gpuSummary = (text) => text.split(/^(?=## )/m).filter((part) => !/^## .* \((full|1\/64)\)$/m.test(part)).join('');

/**
 * Runs every workload, or `all` of another list, at the wanted sizes. Each case goes to `effort.seen`. Resolves to the names of those that were
 * not begun before `effort.until`, where there is such a time. `effort.only` restricts workloads by id, `effort.dtypes` the dtypes, and
 * `effort.modes` the modes.
 */
export async function runAll({ browser, pages }, wanted, effort, all = workloads) {
  const left_out = [];
  for (const size of wanted) {
    for (const dtype of effort.dtypes ?? ['float32', 'int32']) {
      for (const { id, title, dtypes = [dtype] } of all) {
        if ((effort.only && !id.includes(effort.only)) || !dtypes.includes(dtype)) continue;
        if (!browser.isConnected()) throw new Trouble('The browser is gone.');
        const begin = Date.now();
        if (begin > effort.until) {
          left_out.push(`${title}, ${dtype}, ${sizes[size]}`);
          continue;
        }
        effort.seen({ id, title, dtype, size, rows: await runCase(pages, { id, size, dtype, warm: effort.warm, modes: effort.modes }, effort) });
        console.log(`  ${title}, ${dtype}, ${size}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
      }
    }
  }
  return left_out;
}

/** Resolves to the contention cases: each with its updates spread over the table, and with all of them into one slot (`one_slot`). */
async function runContended({ pages }, effort) {
  const cases = [];
  for (const { id, title } of contended) {
    if (effort.only && !id.includes(effort.only)) continue;
    for (const one_slot of [false, true]) {
      const rows = await runCase(pages, { id, size: 'full', dtype: 'float32', oneSlot: one_slot, modes: ['resident', 'in place'] }, effort);
      cases.push({ id, title, dtype: 'float32', size: 'full', one_slot, rows });
    }
  }
  return cases;
}

/**
 * Throws if any mode of the cases, or any cold start, fails or has not exactly the right result. A plain loop adds in order, and a composition may,
 * so where sums are exact its result is only close to the right one, and wrong where the terms cancel.
 */
function checkSmoke(cases, cold) {
  const all = new Map([...workloads, ...groups].map((one) => [one.id, one]));
  const isRight = ({ rival, mode, verdict }, id) => {
    const isLoop = rival === 'javascript' || mode.includes(':'); // or a composition
    return ['exact', 'limit'].includes(verdict) || (isLoop && all.get(id).sum === 'exact' && (verdict === 'rounded' || all.get(id).cancels));
  };
  const rows = cases.flatMap((one) => one.rows);
  const bad = cases.flatMap(({ id, rows }) => rows.filter((row) => row.failed || row.lacks || !isRight(row, id)).map((row) => ({ id, ...row })));
  const broken = cold.filter((row) => row.failed);
  if (bad.length + broken.length > 0) throw new Trouble(`The benchmark does not run: ${JSON.stringify([...bad, ...broken], null, 1)}`);
  console.log(`${rows.length} modes of ${cases.length} cases run, with the right results`);
}

/** What results say of this machine and the browser, whose version is `version`. */
export const machine = ({ version }) => ({ date: new Date().toISOString().slice(0, 10), cpu: os.cpus()[0].model, cores: os.cpus().length, browser: `Chromium ${version}` });

// The machine and the date as the beginning of a sentence, natively and in the browser, of what `machine` returned.
export const measuredHere = ({ date, cpu, cores }) => `Measured on ${date}: ${cpu}, ${cores} cores, ${os.platform()}`;
export const measuredOn = (facts) => `${measuredHere(facts)}, ${facts.browser} (headless)`;

/** The first paragraph of a page: the machine, the compared versions, and the rivals that did not start or hung. */
export function facts(pages, versions, rivals) {
  const peers = rivals.filter((rival) => rival.package).map((rival) => `${rival.package} ${versions[rival.package]}`);
  const crates = rivals.filter((rival) => rival.dependency).map((rival) => `${rival.dependency} ${versions[rival.dependency]}`);
  const failures = pages.pages.filter((page) => page.failed).map((page) => `${page.rival.name} ${page.failed}.`);
  return `${measuredOn(machine(pages))}, ${versions.rustc}. Compared: ${[...new Set([...peers, ...crates])].join(', ')}. ${failures.join(' ')}`.trim();
}

const adapterFacts = ({ pages }) => pages.find(({ rival }) => rival.id === 'kernels')?.facts;

/** The adapter, how fast it copies, and how our arithmetic is done on it. Empty where the page `kernels`, which reports the adapter, did not start. */
export function adapterText(pages) {
  const adapter = adapterFacts(pages);
  if (!adapter) return '';
  const gigabytes = (rate) => `${(rate / 1e9).toFixed(1)} GB/s`;
  const { numerics } = pages.pages.find(({ rival }) => rival.ours)?.facts ?? {};
  const ours = numerics ? ` Our float32 arithmetic on it: ${numerics.float32} (subnormals ${numerics.subnormals}).` : '';
  return `Adapter: ${adapter.vendor} ${adapter.architecture}${adapter.isFallbackAdapter ? ', which computes in software on the CPU' : ''}. \
Its own copy bandwidth, bytes read and written: ${gigabytes(adapter.bandwidth.buffer)} by copyBufferToBuffer, ${gigabytes(adapter.bandwidth.kernel)} by a kernel.${ours}`;
}

/** A table for each size, mode and dtype that was measured, or some of them, as Markdown. Those that most readers want are open, the others are folded. */
function tables(cases, rivals, limits, shownSizes = Object.keys(sizes), shownModes = modes) {
  const blocks = [];
  for (const size of shownSizes) {
    for (const mode of shownModes) {
      for (const dtype of ['float32', 'int32']) {
        const text = modeTable(cases, rivals, { mode, dtype, size }, limits);
        if (!text) continue;
        const open = size === 'full' && dtype === 'float32';
        const title = `${mode}, ${dtype}, ${sizes[size]}`;
        blocks.push(open ? `## ${title[0].toUpperCase()}${title.slice(1)}\n\n${text}` : `<details><summary>${title}</summary>\n\n${text}\n\n</details>`);
      }
    }
  }
  return blocks.join('\n\n');
}

/** Prints what a page would have. */
function printTables(cases, rivals, limits) {
  console.log(tables(cases, rivals, limits));
  console.log(remarks(cases, rivals));
}

/** Prints what `missedGoals` found. */
function printMissed({ slower, behind, compared, measured }) {
  console.log(`a peer is faster in ${slower.length} of ${compared}:\n  ${slower.join('\n  ')}`);
  console.log(`over 1.1 times the plain loop in ${behind.length} of ${measured}:\n  ${behind.join('\n  ')}`);
}

/** What `missedGoals` found, as Markdown with folded lists. */
function missedText({ slower, behind, compared, measured }) {
  const list = (title, items) => (items.length > 0 ? `<details><summary>${title}</summary>\n\n${items.map((item) => `- ${item}`).join('\n')}\n\n</details>` : title);
  return [
    list(`A single-threaded peer with a right result is faster than scatterwise in ${slower.length} of ${compared} comparisons.`, slower),
    list(`Scatterwise takes more than 1.1 times the plain loop's time in ${behind.length} of ${measured} comparisons.`, behind),
  ].join('\n\n');
}

/**
 * A row for each contention case, and a column for each rival that has one: how many times as long the call takes where all updates go into one
 * slot. Measured in place where the rival has that mode, else resident.
 */
function contentionTable(cases, rivals) {
  const ids = [...new Set(cases.map(({ id }) => id))];
  const cell = (id, rival) => {
    const [spread, hot] = [false, true].map((one_slot) => {
      const { rows } = cases.find((one) => one.id === id && one.one_slot === one_slot);
      const right = rows.filter((row) => row.rival === rival && row.times?.length > 0 && ['exact', 'rounded'].includes(row.verdict));
      return right.find((row) => row.mode === 'in place') ?? right.find((row) => row.mode === 'resident');
    });
    return spread && hot && spread.mode === hot.mode ? `×${(median(hot.times) / median(spread.times)).toFixed(2)}` : '–';
  };
  const columns = rivals.filter(({ id }) => ids.some((one) => cell(one, id) !== '–'));
  return table(['', ...columns.map(({ name }) => name)], ids.map((id) => [cases.find((one) => one.id === id).title, ...columns.map((rival) => cell(id, rival.id))]));
}

/** The table of cold starts, of the rows of `measureColdStarts`. */
function coldTable(rows) {
  const kilobytes = (bytes) => (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);
  const lines = rows.map((row) => {
    if (row.failed) return [row.name, `fails: ${row.failed}`, '', '', '', '', '', ''];
    const times = [row.imported, row.scripted, row.navigated].map(timeCell);
    return [row.name, ...times, String(row.files.length), kilobytes(row.raw), kilobytes(row.gzip), kilobytes(row.brotli)];
  });
  return table(['', 'imported, ms', 'from its script, ms', 'from the navigation, ms', 'files', 'KB', 'gzip', 'brotli'], lines);
}

/** The modes that have a plot, for each part; here the GPU's is called webgpu, as in the names of its files. */
const plotted = { cpu: ['resident', 'end to end'], webgpu: ['resident'] };
const plotFile = (part, mode) => `browser-${part}-${mode.replaceAll(' ', '-')}.svg`;
const plots = (part) => plotted[part].map((mode) => `![${part}, ${mode}, float32, full size](${plotFile(part, mode)})`);

/** Writes the plots of a part, of float32 at full size. `name` is its title. */
async function savePlots(part, cases, rivals, name) {
  const full = cases.filter((one) => one.dtype === 'float32' && one.size === 'full');
  for (const mode of plotted[part]) {
    const title = `${name}, ${mode}, float32`;
    await writeResult(plotFile(part, mode), drawPlot(full, rivals, { mode, title }));
  }
}

/** Writes raw results as JSON, with each case on a line of its own. */
export const save = (name, results) => writeResult(`${name}.json`, `${JSON.stringify(results).replaceAll('{"id"', '\n{"id"')}\n`);
