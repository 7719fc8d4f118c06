// The parts of a run: what is measured, in which order, and what is written where.

import os from 'node:os';
import { ask, run, Trouble } from '../../../tools/shell.mjs';
import { cliffs, workloads } from '../page/workloads.js';
import { measureColdStarts } from './cold.mjs';
import { openPages, runCase } from './driver.mjs';
import { drawPlot } from './plot.mjs';
import { median, missedBars, modeTable, rawResults, remarks, replaceSection, summaryTable, table, timeCell, writePage, writeResult } from './report.mjs';
import { cpuRivals, cpuStarts, gpuRivals, gpuStarts } from './rivals.mjs';

/** The GPU's part: minutes after which no case is begun, and milliseconds that a call may take. */
const gpu_minutes = 7;
const patience = 1000;
const modes = ['resident', 'in place', 'end to end', 'end to end, out', 'end to end, with_data'];
const sizes = { full: 'full size', small: '1/64 of the size' };
const chosen = (all, given) => all.filter((one) => given.includes(one));

export async function benchCpu({ quick, smoke, only, rivals: given, starts, versions }) {
  const rivals = chosen(cpuRivals, given);
  const pages = await openPages(rivals);
  const effort = smoke ? { rounds: 1, sample_ms: 1, warm: 0, dtypes: ['float32'] } : quick ? { rounds: 3, sample_ms: 10 } : { rounds: 7, sample_ms: 14 };
  effort.only = only;
  const cases = [];
  effort.seen = (one) => cases.push(one);
  await runAll(pages, smoke ? ['small'] : quick ? ['full'] : ['full', 'small'], effort);
  const contention = smoke ? [] : await runCliffs(pages, effort);
  await pages.close();
  if (smoke) return checkSmoke(cases, (await measureColdStarts(chosen(cpuStarts, starts), { rounds: 1 })).rows);

  const missed = missedBars(cases, rivals);
  printMissed(missed);
  if (quick) return printTables(cases, rivals, ['memory.copy', 'TypedArray.set']);
  await save('browser-cpu', { ...machine(pages), versions, cases: rawResults([...cases, ...contention]) });
  await savePlots('cpu', cases, rivals, 'CPU');
  await writePage('cpu', { title: 'CPU, in Chromium', part: 'cpu' }, [
    facts(pages, versions, rivals),
    ...plots('cpu'),
    tables(cases, rivals, ['memory.copy', 'TypedArray.set']),
    '## What the other libraries lack or do differently', remarks(cases, rivals),
    '## Against the goals', missedText(missed),
  ]);
  await writePage('contention', { title: 'One slot against many slots', part: 'cpu' }, [facts(pages, versions, rivals), cliffTable(contention, rivals)]);
  const summary = summaryTable(cases, rivals, { mode: 'resident', dtype: 'float32', size: 'full' });
  await replaceSection('summary', `${facts(pages, versions, rivals)}\n\n${summary}`);
}

export async function benchGpu({ quick, only, rivals: given, versions }) {
  const rivals = chosen(gpuRivals, given);
  const pages = await openPages(rivals, { webgpu: true });
  const effort = quick ? { rounds: 2, sample_ms: 10, warm: 20 } : { rounds: 5, sample_ms: 15, warm: 40 };
  // A software adapter can take minutes for a call: what would is named, and left out. The small sizes come first and say
  // what the full ones would take.
  const estimates = new Map();
  const cases = [];
  const until = Date.now() + gpu_minutes * 60_000;
  const seen = (one) => {
    cases.push(one);
    if (one.size === 'small') note(estimates, one);
  };
  const tooSlow = (rival, { id, dtype, size }) => size === 'full' && judgeBySmall(estimates.get(`${rival} ${id} ${dtype}`));
  const left_out = await runAll(pages, quick ? ['small'] : ['small', 'full'], { ...effort, only, patience, until, seen, tooSlow });
  await pages.close();
  const limits = ['copy kernel', 'copyBufferToBuffer'];
  console.log(adapterText(pages));
  if (quick) return printTables(cases, rivals, limits);
  await save('browser-webgpu', { ...machine(pages), versions, adapter: adapterFacts(pages), cases: rawResults(cases) });
  await savePlots('webgpu', cases, rivals, 'WebGPU');
  await writePage('webgpu', { title: 'WebGPU, in Chromium', part: 'gpu' }, [
    facts(pages, versions, rivals), adapterText(pages),
    ...plots('webgpu'),
    tables(cases, rivals, limits),
    '## What the other libraries lack or do differently', remarks(cases, rivals),
    left_out.length > 0 ? `Not started within ${gpu_minutes} minutes: ${left_out.join('; ')}.` : '',
  ]);
}

/** Of each rival the longest that a mode takes, in milliseconds. */
function note(estimates, { id, dtype, rows }) {
  for (const row of rows) {
    const key = `${row.rival} ${id} ${dtype}`;
    const time = row.slow || row.failed ? Infinity : (row.estimate ?? 0);
    estimates.set(key, Math.max(estimates.get(key) ?? 0, time));
  }
}

/** Why a case of 64 times the size is not tried, if it is not. */
function judgeBySmall(time = 0) {
  if (time === Infinity) return 'too slow, or failing, at 1/64 of the size already';
  return 64 * time > patience && `some ${((64 * time) / 1000).toFixed(0)} s for a call, judged by 1/64 of the size`;
}

/** Short, and wants a quiet machine more than all others. */
export async function benchCold({ quick, starts }) {
  for (const [device, wanted, webgpu] of [['CPU', cpuStarts, false], ['WebGPU', gpuStarts, true]]) {
    const rounds = quick ? 3 : webgpu ? 15 : 31;
    const measured = await measureColdStarts(chosen(wanted, starts), { rounds, webgpu });
    const blocks = [`${measuredOn(machine({ version: measured.browser }))}, ${rounds} rounds.`, coldTable(measured.rows)];
    console.log(blocks.join('\n\n'));
    if (!quick) await writePage(`cold-start-${device.toLowerCase()}`, { title: `Cold start, ${device}`, part: 'cold' }, blocks);
  }
}

/** Runs cargo's two benchmarks, benches/native/cpu.rs and gpu/main.rs. What each prints is Markdown, and becomes its page. */
export async function benchNative({ quick }) {
  const bench = (name, ...more) => ['bench', '--package', 'scatterwise-bench', '--bench', name, ...more];
  const flags = quick ? ['--', '--quick'] : [];
  for (const [name, title] of [['cpu', 'Native CPU kernels'], ['gpu', 'Native GPU']]) {
    await run('cargo', bench(name, '--no-run')); // with its output; what follows prints tables alone
    const text = ask('cargo', ...bench(name, ...flags));
    if (!text) throw new Trouble(`cargo ${bench(name, ...flags).join(' ')} failed.`);
    console.log(text);
    if (!quick) await writePage(`native-${name}`, { title, part: 'native' }, [`${measuredHere(machine({}))}.`, text]);
  }
}

/** Resolves to the names of the cases that were not begun before `effort.until`; the others go to `effort.seen`. */
async function runAll({ browser, pages }, wanted, effort) {
  const left_out = [];
  for (const size of wanted) {
    for (const dtype of effort.dtypes ?? ['float32', 'int32']) {
      for (const { id, title, dtypes = [dtype] } of workloads) {
        if ((effort.only && !id.includes(effort.only)) || !dtypes.includes(dtype)) continue;
        if (!browser.isConnected()) throw new Trouble('The browser is gone.');
        const begin = Date.now();
        if (begin > effort.until) {
          left_out.push(`${title}, ${dtype}, ${sizes[size]}`);
          continue;
        }
        effort.seen({ id, title, dtype, size, rows: await runCase(pages, { id, size, dtype, warm: effort.warm }, effort) });
        console.log(`  ${title}, ${dtype}, ${size}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
      }
    }
  }
  return left_out;
}

/** Every update into one slot, and spread: in place where there is such a mode. */
async function runCliffs({ pages }, effort) {
  const cases = [];
  for (const { id, title } of cliffs) {
    if (effort.only && !id.includes(effort.only)) continue;
    for (const one_slot of [false, true]) {
      const rows = await runCase(pages, { id, size: 'full', dtype: 'float32', oneSlot: one_slot, modes: ['resident', 'in place'] }, effort);
      cases.push({ id, title, dtype: 'float32', size: 'full', one_slot, rows });
    }
  }
  return cases;
}

function checkSmoke(cases, cold) {
  const rows = cases.flatMap((one) => one.rows);
  const bad = rows.filter((row) => row.failed || row.lacks || row.verdict !== 'exact');
  const broken = cold.filter((row) => row.failed);
  if (bad.length + broken.length > 0) throw new Trouble(`The benchmark does not run: ${JSON.stringify([...bad, ...broken], null, 1)}`);
  console.log(`${rows.length} modes of ${cases.length} cases run, with the right results`);
}

const machine = ({ version }) => ({ date: new Date().toISOString().slice(0, 10), cpu: os.cpus()[0].model, cores: os.cpus().length, browser: `Chromium ${version}` });

const measuredHere = ({ date, cpu, cores }) => `Measured on ${date}: ${cpu}, ${cores} cores, ${os.platform()}`;
const measuredOn = (facts) => `${measuredHere(facts)}, ${facts.browser} (headless)`;

function facts(pages, versions, rivals) {
  const peers = rivals.filter((rival) => rival.package).map((rival) => `${rival.package} ${versions[rival.package]}`);
  const crates = rivals.filter((rival) => rival.crates).map((rival) => `${rival.crates} ${versions[rival.crates]}`);
  const started = pages.pages.filter((page) => page.failed).map((page) => `${page.rival.name} ${page.failed}.`);
  return `${measuredOn(machine(pages))}, ${versions.rustc}. Compared: ${[...new Set([...peers, ...crates])].join(', ')}. ${started.join(' ')}`.trim();
}

const adapterFacts = ({ pages }) => pages.find(({ rival }) => rival.id === 'kernels')?.facts;

/** The adapter, how fast it copies, and how our arithmetic is done on it. Empty where the page `kernels`, which reports the adapter, did not start. */
function adapterText(pages) {
  const adapter = adapterFacts(pages);
  if (!adapter) return '';
  const gigabytes = (rate) => `${(rate / 1e9).toFixed(1)} GB/s`;
  const { numerics } = pages.pages.find(({ rival }) => rival.ours)?.facts ?? {};
  const ours = numerics ? ` Our float32 arithmetic on it: ${numerics.float32} (subnormals ${numerics.subnormals}).` : '';
  return `Adapter: ${adapter.vendor} ${adapter.architecture}${adapter.isFallbackAdapter ? ', which computes in software on the CPU' : ''}. \
Its own copy bandwidth, bytes read and written: ${gigabytes(adapter.bandwidth.buffer)} by copyBufferToBuffer, ${gigabytes(adapter.bandwidth.kernel)} by a kernel.${ours}`;
}

function tables(cases, rivals, limits) {
  const blocks = [];
  for (const size of Object.keys(sizes)) {
    for (const mode of modes) {
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

function printTables(cases, rivals, limits) {
  console.log(tables(cases, rivals, limits));
  console.log(remarks(cases, rivals));
}

function printMissed({ slower, behind, compared, measured }) {
  console.log(`a peer is faster in ${slower.length} of ${compared}:\n  ${slower.join('\n  ')}`);
  console.log(`over 1.1 times the plain loop in ${behind.length} of ${measured}:\n  ${behind.join('\n  ')}`);
}

function missedText({ slower, behind, compared, measured }) {
  const list = (title, items) => (items.length > 0 ? `<details><summary>${title}</summary>\n\n${items.map((item) => `- ${item}`).join('\n')}\n\n</details>` : title);
  return [
    list(`A single-threaded peer with a right result is faster than scatterwise in ${slower.length} of ${compared} comparisons.`, slower),
    list(`Scatterwise takes more than 1.1 times the plain loop's time in ${behind.length} of ${measured} comparisons.`, behind),
  ].join('\n\n');
}

function cliffTable(cases, rivals) {
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

function coldTable(rows) {
  const kilobytes = (bytes) => (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);
  const lines = rows.map((row) => {
    if (row.failed) return [row.name, `fails: ${row.failed}`, '', '', '', '', '', ''];
    const times = [row.imported, row.scripted, row.navigated].map(timeCell);
    return [row.name, ...times, String(row.files.length), kilobytes(row.raw), kilobytes(row.gzip), kilobytes(row.brotli)];
  });
  return table(['', 'imported, ms', 'from its script, ms', 'from the navigation, ms', 'files', 'KB', 'gzip', 'brotli'], lines);
}

const plotted = { cpu: ['resident', 'end to end'], webgpu: ['resident'] };
const plotFile = (part, mode) => `browser-${part}-${mode.replaceAll(' ', '-')}.svg`;
const plots = (part) => plotted[part].map((mode) => `![${part}, ${mode}, float32, full size](${plotFile(part, mode)})`);

async function savePlots(part, cases, rivals, name) {
  const full = cases.filter((one) => one.dtype === 'float32' && one.size === 'full');
  for (const mode of plotted[part]) {
    const title = `${name}, ${mode}, float32`;
    await writeResult(plotFile(part, mode), drawPlot(full, rivals, { mode, title }));
  }
}

const save = (name, results) => writeResult(`${name}.json`, `${JSON.stringify(results).replaceAll('{"id"', '\n{"id"')}\n`);
