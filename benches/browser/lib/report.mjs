// Turns results into Markdown: a page of docs/performance for each part, and the summary in docs/PERFORMANCE.md. Cases and their rows are those
// of parts.mjs and `runCase` in driver.mjs.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../tools/shell.mjs';

const folder = join(root, 'docs', 'performance');

/** Writes a file of docs/performance. */
export async function writeResult(file, text) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), text);
}

/** Writes a page, docs/performance/FILE.md, of blocks of Markdown; `part` is the part of the benchmark that measures it. */
export async function writePage(file, { title, part }, blocks) {
  const origin = `\`npm run bench -- ${part}\` writes this page. [method.md](method.md) says how it is measured, [PERFORMANCE.md](../PERFORMANCE.md) how to read it.`;
  const text = [`# ${title}`, origin, ...blocks].map((block) => block.trim()).filter(Boolean).join('\n\n');
  await writeResult(`${file}.md`, `${text}\n`);
}

/** Writes `text` between `<!-- bench NAME -->` and `<!-- /bench NAME -->` of docs/PERFORMANCE.md. */
export async function replaceSection(name, text) {
  const path = join(root, 'docs', 'PERFORMANCE.md');
  const [open, close] = [`<!-- bench ${name} -->`, `<!-- /bench ${name} -->`];
  const page = await readFile(path, 'utf8');
  const [start, end] = [page.indexOf(open), page.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`docs/PERFORMANCE.md has no ${open} … ${close}`);
  await writeFile(path, `${page.slice(0, start + open.length)}\n${text.trim()}\n${page.slice(end)}`);
}

// Of a list of times that need not be sorted; of none, undefined.
export const median = (times) => quantile(times, 0.5);
export const quantile = (times, q) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
};

// Numbers as text, with fewer digits where they are larger.
export const milliseconds = (time) => (time >= 100 ? time.toFixed(0) : time >= 10 ? time.toFixed(1) : time >= 0.1 ? time.toFixed(2) : time.toFixed(4));
export const ratio = (value) => `×${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)}`;
/** A table in Markdown. All columns but the first are aligned at the right. */
export const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? ':--' : '--:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Whether a rival is a library of others on one thread. */
const isPeer = ({ ours, yardstick, threaded }) => !ours && !yardstick && !threaded;
/** The verdicts on results that are right but for an order: their times count, but not as those of right results. The mark in a table, and what it means. */
const loose = {
  racing: { mark: 'races', means: 'a place has one of its updates, not always the last one' },
  unstable: { mark: 'not stable', means: 'equal values are not in their order' },
};
/** Whether the result of a row is not the right one. A limit has none. */
const isWrong = ({ verdict }) => !['exact', 'rounded', 'limit'].includes(verdict) && !loose[verdict];

/**
 * A table for one mode, dtype and size of all cases: our time in ms, theirs as multiples of ours, and the limits: copies that are modes of some
 * rival, named `MODE: LIMIT`. Empty where we have no such case.
 */
export function modeTable(cases, rivals, { mode, dtype, size }, limits) {
  const chosen = cases.filter((one) => one.dtype === dtype && one.size === size && one.rows.some((row) => row.rival === 'scatterwise' && row.mode === mode));
  const has = (id) => chosen.some(({ rows }) => rows.some((row) => row.rival === id && row.mode === mode));
  const columns = rivals.filter((rival) => !rival.ours && has(rival.id));
  const limitModes = limits.map((limit) => `${mode}: ${limit}`).filter((name) => chosen.some(({ rows }) => rows.some((row) => row.mode === name)));
  const head = ['', 'scatterwise, ms', ...columns.map(({ name }) => name), ...limitModes.map((name) => name.split(': ')[1])];
  const lines = chosen.map(({ title, rows }) => {
    const ours = rows.find((row) => row.rival === 'scatterwise' && row.mode === mode);
    const cells = columns.map(({ id }) => rivalCell(rows.filter((row) => row.rival === id), mode, ours));
    const copies = limitModes.map((name) => rivalCell(rows.filter((row) => row.mode === name), name, ours));
    return [title, ownCell(ours), ...cells, ...copies];
  });
  return chosen.length > 0 ? table(head, lines) : '';
}

/** The median in milliseconds, and half the distance between the quartiles in percent of it. */
export function timeCell(times) {
  const spread = Math.round((50 * (quantile(times, 0.75) - quantile(times, 0.25))) / median(times));
  return `${milliseconds(median(times))} ± ${spread} %`;
}

/** Our own cell. */
function ownCell(row) {
  if (row.slow) return 'too slow';
  if (row.failed || row.times.length === 0) return 'failed';
  return `${timeCell(row.times)}${isWrong(row) ? ' **wrong**' : ''}`;
}

/**
 * The cell of a rival or a limit: its time as a multiple of ours, or in milliseconds without a time of ours. Bold: a rival is faster. `~`: its result
 * differs by rounding. "races", "not stable": see `loose`. Without a time the cell says why.
 */
function rivalCell(rows, mode, ours) {
  const row = rows.find((one) => one.mode === mode);
  if (!row) return '–';
  if (row.failed) return 'fails';
  if (isWrong(row)) return '**wrong**';
  if (row.slow) return 'too slow';
  if (row.times.length === 0) return 'fails';
  if (!ours.times?.length) return `${milliseconds(median(row.times))} ms`;
  const value = ratio(median(row.times) / median(ours.times));
  if (loose[row.verdict]) return `${value} ${loose[row.verdict].mark}`;
  const text = row.verdict === 'rounded' ? `${value} ~` : value;
  return row.verdict !== 'limit' && median(row.times) < median(ours.times) ? `**${text}**` : text;
}

/**
 * The summary of docs/PERFORMANCE.md: for each workload our median, and beside it the fastest single-threaded peer with a
 * right result and the plain loop, as multiples of ours.
 */
export function summaryTable(cases, rivals, { mode, dtype, size }) {
  const peers = new Map(rivals.filter(isPeer).map(({ id, name }) => [id, name]));
  const lines = cases.filter((one) => one.dtype === dtype && one.size === size).map(({ title, rows }) => {
    const timed = rows.filter((row) => row.mode === mode && row.times?.length > 0 && !row.failed && !isWrong(row) && !loose[row.verdict]);
    const time = (id) => timed.filter(({ rival }) => rival === id).map(({ times }) => median(times))[0];
    const ours = time('scatterwise');
    if (ours === undefined) return [title, 'failed', '–', '–'];
    const [best] = timed.filter(({ rival }) => peers.has(rival)).sort((a, b) => median(a.times) - median(b.times));
    const plain = time('plain');
    return [title, milliseconds(ours), best ? `${ratio(median(best.times) / ours)} ${peers.get(best.rival)}` : '–', plain ? ratio(plain / ours) : '–'];
  });
  return table(['', 'scatterwise, ms', 'fastest single-threaded peer', 'plain Rust loop'], lines);
}

/**
 * Which of the rivals lack what, compute it in another way, fail, are too slow, or give wrong results: a list in Markdown, one item for each statement on the
 * same workloads.
 */
export function remarks(cases, rivals) {
  // For each statement the titles of its cases, by the names of rivals.
  const said = new Map();
  const say = (rival, kind, text, title) => {
    const name = rivals.find(({ id }) => id === rival)?.name;
    if (!name) return;
    const all = said.get(kind + text) ?? new Map();
    said.set(kind + text, all.set(name, (all.get(name) ?? new Set()).add(title)));
  };
  for (const { title, rows } of cases) {
    for (const row of rows) {
      if (row.lacks) say(row.rival, 'lacks – ', row.lacks, title);
      else if (row.slow && !(row.verdict && isWrong(row))) say(row.rival, 'too slow – ', row.slow, title);
      else if (row.failed) say(row.rival, 'fails – ', row.failed, title);
      else if (isWrong(row)) {
        // Without its numbers, so that cases with the same fault share a statement.
        const fault = row.verdict.replace(/^\d+ of \d+ elements/, 'elements').replace(/the first.*/, 'see the raw results');
        say(row.rival, '**wrong result** – ', fault, title);
      }
      if (loose[row.verdict]) say(row.rival, `${loose[row.verdict].mark} – `, loose[row.verdict].means, title);
      if (row.note && !row.failed) say(row.rival, 'computed as ', row.note, title);
    }
  }
  return [...said].flatMap(([text, all]) => {
    const together = new Map(); // the names of those that it holds for in the same cases
    for (const [name, titles] of all) {
      const where = [...titles].join('; ');
      together.set(where, [...(together.get(where) ?? []), name]);
    }
    return [...together].map(([where, names]) => `- ${names.join('; ')}: ${text} (${where})`);
  }).join('\n');
}

/**
 * Where the goals are missed, as lists of texts, over the modes of all cases: `slower`, where a single-threaded peer with a right result is
 * faster, of `compared` that have one; `behind`, where we take more than 1.1 times as long as the plain loop, of `measured` that have one.
 */
export function missedGoals(cases, rivals) {
  const peers = new Set(rivals.filter(isPeer).map(({ id }) => id));
  const name = (id) => rivals.find((rival) => rival.id === id).name;
  const slower = [];
  const behind = [];
  let compared = 0;
  let measured = 0;
  for (const { title, dtype, size, rows } of cases) {
    for (const ours of rows.filter((row) => row.rival === 'scatterwise' && row.times?.length > 0)) {
      const time = median(ours.times);
      const label = `${title}, ${dtype}, ${size}, ${ours.mode}`;
      const right = rows.filter((row) => row.mode === ours.mode && row.times?.length > 0 && !row.failed && !isWrong(row) && !loose[row.verdict]);
      const best = right.filter((row) => peers.has(row.rival)).sort((a, b) => median(a.times) - median(b.times))[0];
      if (best) compared++;
      if (best && median(best.times) < time) slower.push(`${label}: ${name(best.rival)} ${ratio(median(best.times) / time)}`);
      const plain = right.find((row) => row.rival === 'plain');
      if (plain) measured++;
      if (plain && time > 1.1 * median(plain.times)) behind.push(`${label}: ${ratio(time / median(plain.times))} of the plain loop's time`);
    }
  }
  return { slower, behind, compared, measured };
}

/** The medians alone, for other programs: rows [rival, mode, milliseconds, verdict], or [rival, mode, null, why there is no time]. */
export function rawResults(cases) {
  return cases.map(({ id, title, dtype, size, one_slot, rows }) => ({
    id, title, dtype, size, one_slot,
    rows: rows.map((row) => (row.times?.length > 0 ? [row.rival, row.mode, Number(median(row.times).toPrecision(4)), row.verdict] : [row.rival, row.mode ?? '', null, row.lacks ?? row.failed ?? row.slow])),
  }));
}
