// `npm run size`: the download of each entry of the built package, beside its budget. A document with the lines `begin` and `end` has the
// table between them: the command fails if its numbers are not the package's, and `-- --write` updates them. `-- --functions 40` prints the
// largest functions of the three binaries with SIMD.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { functionNames, sizes } from './binary.mjs';
import { main, root, Trouble } from './shell.mjs';

const folder = join(root, 'target', 'npm', 'scatterwise');

/**
 * The files of each entry that a browser with SIMD fetches, and their budget in bytes after gzip. A plain design is worth more than a
 * kilobyte. `largest`: the most bytes of one file, from which webpack warns.
 */
const entries = [
  { name: 'scatterwise', files: ['index.js', 'scatterwise_simd.wasm'], budget: 423_200 },
  { name: 'scatterwise/inline', files: ['inline.js'] },
  { name: 'scatterwise/cpu', files: ['cpu.js', 'scatterwise_cpu_simd.wasm'], budget: 265_500 },
  { name: 'scatterwise/cpu/inline', files: ['cpu/inline.js'] },
  { name: 'scatterwise/core', files: ['core.js', 'scatterwise_core_simd.wasm'], budget: 105_000, largest: 250_000 },
  { name: 'scatterwise/core/inline', files: ['core/inline.js'] },
  { name: 'scatterwise/threads', files: ['threads.js', 'scatterwise_threads.wasm', 'scatterwise_kernels.wasm', 'threads.worker.js'] },
  { name: 'scatterwise/devtools', files: ['devtools.js'] },
  { name: 'scatterwise/files', files: ['files.js'] },
  { name: 'scatterwise/verify', files: ['verify.js', 'verify.core.js'] },
];

const documents = ['README.md', 'docs/PERFORMANCE.md'];
/** The package's page has a row for each entry, which ends in its KB after gzip and after Brotli. */
const page = 'src/js/README.md';
const begin = '<!-- size: `npm run size -- --write` -->';
const end = '<!-- /size -->';
/** How far a document's number may be from the package's, beside rounding: an update of the compiler is no reason to change documents. */
const tolerance = 0.03;

await main(() => {
  const options = { write: { type: 'boolean', default: false }, functions: { type: 'string' } };
  const { write, functions } = parseArgs({ options }).values;
  if (!existsSync(join(folder, 'cpu.js'))) throw new Trouble('There is no package to weigh: run `npm run package` first.');

  const weighed = entries.map((entry) => ({ ...entry, rows: weigh(entry) }));
  const rows = weighed.flatMap(({ rows }) => rows);
  print(rows);
  if (functions) for (const flavour of ['simd', 'cpu_simd', 'core_simd']) printFunctions(flavour, Number(functions));
  const problems = [...weighed.flatMap(judge), ...documents.flatMap((path) => compare(path, rows, write)), ...comparePage(weighed, write)];
  if (problems.length > 0) throw new Trouble(problems.join('\n'));
});

/**
 * Reads the files of an entry from the built package, and returns rows `{ name, isEntry, raw, gzip, brotli }`, with sizes in bytes. The first row
 * is that of the whole entry (`isEntry`), with its name. Where there are several files, a row for each follows. Each file is compressed alone,
 * as servers do, and the first row is the sum.
 */
function weigh({ name, files }) {
  const parts = files.map((file) => {
    const bytes = readFileSync(join(folder, file));
    return { name: file, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
  });
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  const total = { name, isEntry: true, raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') };
  return parts.length > 1 ? [total, ...parts] : [total];
}

/** Prints rows as a table. */
function print(rows) {
  console.log(`${'bytes'.padEnd(34)}${['raw', 'gzip', 'brotli'].map((key) => key.padStart(10)).join('')}`);
  for (const { name, isEntry, ...row } of rows) {
    const numbers = ['raw', 'gzip', 'brotli'].map((key) => row[key].toLocaleString('en').padStart(10));
    console.log(`${(isEntry ? name : `  ${name}`).padEnd(34)}${numbers.join('')}`);
  }
}

/** Prints an entry's size beside its budget, if it has one. Returns a list with the problems that it or one of its files is too large. */
function judge({ name, budget, largest = Infinity, rows: [{ gzip }, ...files] }) {
  if (!budget) return [];
  console.log(`${name}: ${kilo(gzip)} KB of ${kilo(budget)} after gzip`);
  const long = files.filter(({ raw }) => raw > largest).map((file) => `${file.name} has ${file.raw} bytes, and ${name} may have no file of more than ${largest}.`);
  return gzip > budget ? [`${name} comes to ${kilo(gzip)} KB after gzip, and its budget is ${kilo(budget)} KB.`, ...long] : long;
}

/** Bytes as kilobytes, of 1000, with one decimal. */
function kilo(bytes) {
  return (bytes / 1000).toFixed(1);
}

/** Rows as a table in Markdown. */
function table(rows) {
  const line = ({ name, isEntry, raw, gzip, brotli }) => {
    const bytes = [raw, gzip, brotli].map((number) => (isEntry ? `**${kilo(number)}**` : kilo(number)));
    return `| ${isEntry ? `**\`${name}\`**` : `\`${name}\``} | ${bytes.join(' | ')} |`;
  };
  return ['| KB | raw | gzip | brotli |', '| --- | --- | --- | --- |', ...rows.map(line)].join('\n');
}

/**
 * Compares the table of a document with the rows, or replaces it if `write` is true. Returns the problems: numbers further apart than the
 * tolerance. A document without the mark has no table.
 */
function compare(path, rows, write) {
  const file = join(root, path);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [before, rest, ...others] = text.split(begin);
  if (rest === undefined) return [];
  const [old, after, ...ends] = rest.split(end);
  if (after === undefined) throw new Trouble(`${path} has ${begin} without ${end}.`);
  if (others.length > 0 || ends.length > 0) throw new Trouble(`${path} has ${begin} or ${end} twice.`);
  const fresh = table(rows);
  if (write) {
    writeFileSync(file, `${before}${begin}\n${fresh}\n${end}${after}`);
    return [];
  }
  const [was, is] = [old, fresh].map((each) => each.match(/\d+\.\d/g)?.map(Number) ?? []);
  const isClose = was.length === is.length && is.every((number, at) => Math.abs(number - was[at]) <= tolerance * number + 0.1);
  return isClose ? [] : [`The sizes in ${path} are not those of the package: npm run size -- --write`];
}

/** Compares the package's page in this way, or updates it: each entry has a row that ends in its KB after gzip and after Brotli, whole numbers. */
function comparePage(weighed, write) {
  const old = readFileSync(join(root, page), 'utf8');
  const problems = [];
  let fresh = old;
  for (const { rows: [total], ...entry } of weighed) {
    const sizes = [total.gzip, total.brotli].map((bytes) => bytes / 1000);
    const [row, start, ...written] = fresh.match(new RegExp(`^(\\| \`${entry.name}\` \\|.*\\| )(\\d+) \\| (\\d+) \\|$`, 'm')) ?? [];
    if (row === undefined) problems.push(`${page} has no row for ${entry.name} that ends in its two sizes in KB.`);
    else if (sizes.some((size, at) => Math.abs(size - written[at]) > tolerance * size + 1)) problems.push(`The size of ${entry.name} in ${page} is not the package's: npm run size -- --write`);
    if (row !== undefined) fresh = fresh.replace(row, `${start}${sizes.map((size) => Math.max(Math.round(size), 1)).join(' | ')} |`);
  }
  if (!write) return problems;
  writeFileSync(join(root, page), fresh);
  return problems.filter((problem) => problem.includes('no row'));
}

/** Prints the `count` largest functions of a binary, in bytes before `shrink` and wasm-opt. `flavour` is its folder in target/pkg. */
function printFunctions(flavour, count) {
  const binary = readFileSync(join(root, 'target', 'pkg', flavour, 'core_bg.wasm'));
  const names = functionNames(binary);
  const { functions, data } = sizes(binary);
  const total = functions.reduce((sum, size) => sum + size, 0);
  console.log(`\n${flavour} before wasm-opt: ${functions.length} functions of ${total.toLocaleString('en')} bytes, and ${data.toLocaleString('en')} bytes of data`);
  const largest = functions.map((size, at) => ({ size, name: names[at] ?? '?' })).sort((a, b) => b.size - a.size);
  for (const { size, name } of largest.slice(0, count)) console.log(`${String(size).padStart(8)}  ${name}`);
}
