// `node tools/adapters.mjs`: reads the reports of docs/adapters, which come from the page "Verify on your machine", and prints the table of
// adapters and the thresholds that follow from the times. Fails if docs/ADAPTERS.md differs; `--write` updates it.
//
// A ladder is a list of sizes with the times of each strategy. The threshold of two ways is the size from which one overtakes the
// other.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { thresholds } from '../www/src/verify/thresholds.js';
import { main, root, Trouble } from './shell.mjs';

const begin = '<!-- adapters: `node tools/adapters.mjs --write` -->';
const end = '<!-- /adapters -->';
const document = join(root, 'docs', 'ADAPTERS.md');

/** What a report must have: the words of the error if it is missing, and a function that checks it. */
const demands = {
  'format 1': ({ format }) => format === 1,
  'an outcome': ({ outcome }) => ['same', 'different', 'no-answer'].includes(outcome),
  'an adapter (backend.webgpu)': ({ backend }) => typeof backend?.webgpu?.vendor === 'string' && typeof backend.webgpu.software === 'boolean',
  'the counts of its calls (recorded.webgpu, random)': ({ recorded, random }) => [recorded?.webgpu?.of, random?.of].every(Number.isInteger),
  'a version': ({ version }) => typeof version === 'string',
  'a date': ({ date }) => !Number.isNaN(Date.parse(date)),
  'a browser (platform.user_agent)': ({ platform }) => typeof platform?.user_agent === 'string',
};

/** A report from its text; `name` is what an error calls it. */
export function readReport(text, name) {
  let report;
  try {
    report = JSON.parse(text);
  } catch (error) {
    throw new Trouble(`${name} is no JSON: ${error.message}`);
  }
  for (const [what, isThere] of Object.entries(demands)) if (!isThere(report ?? {})) throw new Trouble(`${name} lacks ${what}: is it a report of the page "Verify on your machine", with WebGPU?`);
  return report;
}

/** The reports of a folder, the oldest first. */
export function readReports(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
  const reports = names.map((name) => readReport(readFileSync(join(folder, name), 'utf8'), name));
  return reports.sort((a, b) => a.date.localeCompare(b.date));
}

/** Browser and version from the user agent; the beginning of the user agent if the browser is unknown. */
export function browserOf({ user_agent }) {
  // The order matters: Edge and Opera also say that they are Chrome, and Chrome that it is Safari.
  const known = [['Edge', /Edg\/(\d+)/], ['Opera', /OPR\/(\d+)/], ['Firefox', /Firefox\/(\d+)/], ['Chromium, headless,', /HeadlessChrome\/(\d+)/], ['Chrome', /Chrome\/(\d+)/], ['Safari', /Version\/(\d+(?:\.\d+)?).* Safari/]];
  const [name, pattern] = known.find(([, pattern]) => pattern.test(user_agent)) ?? [];
  return name ? `${name} ${pattern.exec(user_agent)[1]}` : user_agent.slice(0, 40);
}

/** The adapter's name: where a browser hides it, the field `adapter` of the report, written by hand, names it. */
export function adapterOf({ adapter, backend: { webgpu } }) {
  const name = adapter ?? [webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ');
  return `${name || 'unnamed'}${webgpu.software ? ' (software)' : ''}`;
}

/** The result of a run, for the table: how many of the supported calls had the right bits, or how many of all did not. */
function verdictOf({ outcome, complete, recorded, random }) {
  const sum = (key) => recorded.webgpu[key] + random[key];
  const lacking = sum('not_supported') > 0 ? `, ${sum('not_supported')} not supported` : '';
  const short = complete ? '' : '; its time was too short for all recorded calls';
  if (outcome === 'same') return `same bits: ${sum('same')} of ${sum('of') - sum('not_supported')}${lacking}${short}`;
  return outcome === 'different' ? `**${sum('different')} of ${sum('of')} differ**` : '**did not answer**';
}

/** Tables in Markdown, from the text of their cells. */
const cell = (words) => String(words).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** The table of adapters: a row for each report. */
function adapterTable(reports) {
  const rows = reports.map((report) => [adapterOf(report), browserOf(report.platform), report.platform.system ?? '', verdictOf(report), report.backend.numerics?.float32 ?? '', report.version, report.date.slice(0, 10)]);
  return table(['adapter', 'browser', 'system', 'verdict', 'float32', 'version', 'date'], rows);
}

/**
 * The smallest size at which, and at all larger ones that were timed, the way `above` is at least as fast as the way `below`. Infinity
 * where there is no such size, undefined where there are no times. A step is `{ x, ms }`: a size, and the milliseconds of each way; a way
 * that is missing had become too slow to be timed, and has lost.
 */
export function crossing(steps, { below, above }) {
  const timed = (steps ?? []).filter(({ ms }) => below in ms || above in ms).sort((a, b) => a.x - b.x);
  if (timed.length === 0) return undefined;
  const isAhead = ({ ms }) => (ms[above] ?? Infinity) <= (ms[below] ?? Infinity);
  const lost = timed.findLastIndex((step) => !isAhead(step));
  return timed[lost + 1]?.x ?? Infinity;
}

/** The values that the thresholds have in strategy.rs, by the names of their constants: each a number, or a number shifted to the left. */
export function presentThresholds() {
  const text = readFileSync(join(root, 'src', 'scatter', 'gpu', 'strategy.rs'), 'utf8');
  const value = (name) => {
    const [, number, shift] = new RegExp(`^const ${name}: usize = (\\d+)(?: << (\\d+))?;$`, 'm').exec(text) ?? [];
    if (number === undefined) throw new Trouble(`src/scatter/gpu/strategy.rs has no constant ${name}`);
    return Number(number) * 2 ** Number(shift ?? 0);
  };
  return Object.fromEntries(Object.values(thresholds).map(({ threshold }) => [threshold, value(threshold)]));
}

/** The median; of an even number of values, the smaller of the two in the middle. */
const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];

/** A result of `crossing` as text. Infinity becomes 'above' the largest size that was timed. */
function crossingText(x, steps) {
  if (x === undefined) return '–';
  return x === Infinity ? `above ${Math.max(...steps.map((step) => step.x))}` : String(x);
}

/** The table of thresholds: those of the library now, those that follow from each report, and the median of those of physical adapters. */
function thresholdTable(reports) {
  const ladders = Object.entries(thresholds);
  const now = presentThresholds();
  const timed = reports.filter(({ times }) => times);
  const each = timed.map((report) => {
    const cellOf = (steps, ways) => crossingText(crossing(steps, ways), steps);
    return [adapterOf(report), browserOf(report.platform), ...ladders.map(([id, ways]) => cellOf(report.times.ladders[id], ways))];
  });
  const physical = timed.filter(({ backend }) => !backend.webgpu.software);
  const suggested = ladders.map(([id, ways]) => {
    const found = physical.map(({ times }) => crossing(times.ladders[id], ways)).filter((x) => x !== undefined);
    return found.length === 0 ? '–' : median(found) === Infinity ? 'above all sizes' : median(found);
  });
  const names = ladders.map(([, { threshold }]) => `\`${threshold}\``);
  return table(
    ['adapter', 'browser', ...names],
    [['now, in `src/scatter/gpu/strategy.rs`', '', ...ladders.map(([, { threshold }]) => now[threshold])], ...each, [`in the middle of ${physical.length} physical adapters`, '', ...suggested]],
  );
}

/** The text between the marks `begin` and `end` in docs/ADAPTERS.md. */
export const sectionOf = (reports) => `${adapterTable(reports)}\n\n### Thresholds\n\n${thresholdTable(reports)}`;

/** The document with a section for these reports. */
export function withSection(text, reports) {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Trouble(`docs/ADAPTERS.md should have ${begin} and ${end}.`);
  return `${before}${begin}\n${sectionOf(reports)}\n${end}${after}`;
}

export const reportsFolder = join(root, 'docs', 'adapters');
export const readDocument = () => readFileSync(document, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;
    const reports = readReports(reportsFolder);
    console.log(sectionOf(reports));
    const text = readDocument();
    const fresh = withSection(text, reports);
    if (write) writeFileSync(document, fresh);
    else if (fresh !== text) throw new Trouble('docs/ADAPTERS.md is not what follows from docs/adapters: node tools/adapters.mjs --write');
  });
}
