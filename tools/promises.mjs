// `node tools/promises.mjs --write`: makes docs/PROMISES.md and the pages of docs/promises from docs/promises/results.json, which
// `npm run promises` measures. Without `--write` it fails if they differ. Nothing in them is typed by hand but the words of this file.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { promises } from '../tests/vectors/promises.js';
import { main, root, Trouble } from './shell.mjs';

const folder = join(root, 'docs', 'promises');
export const resultsFile = join(folder, 'results.json');
export const readResults = () => (existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {});

const onnxWords = { words: 'The specification of ONNX: “The order of iteration in the above loop is not specified. In particular, indices should not have duplicate entries.”', url: 'https://onnx.ai/onnx/operators/onnx__ScatterND.html' };
const jaxWords = { words: '“The order in which conflicting updates are applied is implementation-defined and may be nondeterministic.”', url: 'https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html' };

const lumaGroups = 'https://luma.gl/docs/api-reference/experimental/gpu-core/gpu-group-aggregation';
const lumaGather = 'gather: “Out-of-range indices return a zero row.”';

const burnWords = 'scatter, of duplicate indices: “For Assign, duplicate indices result in undefined behavior”; “For Mul, duplicate indices are multiplied in an unspecified order”';
const burnDocs = 'https://docs.rs/burn-tensor/0.22.1/burn_tensor/struct.Tensor.html#method.scatter';
const burnLeaves = {
  order: { words: `${burnWords}; for Add, “results may be non-deterministic on GPU backends.”`, url: burnDocs },
  'bad-index': { words: '“Not all backends have runtime bound checks for the indices”; “out of bounds indices could lead to unexpected results instead of panicking.”', url: burnDocs },
};

/**
 * Who is measured. `group` has a table, `name` is its column. `page`: in Chromium, by benches/browser/promises/page.js. `leaves`: by promise, what
 * the library's own documents leave open: a difference there is no fault. `against`: the texts of docs/upstream about it.
 */
export const libraries = [
  { id: 'scatterwise-cpu', group: 'scatterwise', name: 'CPU', library: 'scatterwise', device: 'cpu' },
  { id: 'scatterwise-threads', group: 'scatterwise', name: 'threads', library: 'scatterwise', device: 'threads' },
  { id: 'scatterwise-webgpu', group: 'scatterwise', name: 'WebGPU', library: 'scatterwise', device: 'webgpu' },
  { id: 'tfjs-cpu', group: 'TensorFlow.js', name: 'cpu', against: ['tfjs-update-changes-input'], library: 'tfjs', device: 'cpu', package: '@tensorflow/tfjs-core' },
  { id: 'tfjs-wasm', group: 'TensorFlow.js', name: 'wasm', against: ['tfjs-wasm-out-of-bounds', 'tfjs-wasm-empty-sum'], library: 'tfjs', device: 'wasm', package: '@tensorflow/tfjs-core' },
  { id: 'tfjs-webgpu', group: 'TensorFlow.js', name: 'webgpu', against: ['tfjs-webgpu-rank-5'], library: 'tfjs', device: 'webgpu', package: '@tensorflow/tfjs-core', how: 'The flag WEBGPU_CPU_FORWARD is false, else small tensors are computed on the CPU.', leaves: {
    order: { words: 'tensorScatterUpdate, on a GPU: “The order in which updates are applied is nondeterministic.”', url: 'https://js.tensorflow.org/api/latest/#tensorScatterUpdate' },
    'bad-index': { words: 'tensorScatterUpdate, on a GPU: “If an out of bound index is found, the index is ignored.”', url: 'https://js.tensorflow.org/api/latest/#tensorScatterUpdate' },
  } },
  { id: 'onnx-wasm', group: 'ONNX Runtime Web', name: 'wasm', against: ['onnxruntime-web-empty-negative-axis'], library: 'onnx', device: 'wasm', package: 'onnxruntime-web', how: 'One thread; no optimizations of the graph, which is one node.', leaves: { order: onnxWords } },
  { id: 'onnx-webgpu', group: 'ONNX Runtime Web', name: 'webgpu', against: ['onnxruntime-web-webgpu-out-of-bounds'], library: 'onnx', device: 'webgpu', package: 'onnxruntime-web', how: 'A node without a kernel for WebGPU is not offered: it does not fall back to the CPU.', leaves: { order: onnxWords } },
  { id: 'jax-wasm', group: 'jax-js', name: 'wasm', library: 'jax', device: 'wasm', package: '@jax-js/jax' },
  { id: 'jax-webgpu', group: 'jax-js', name: 'webgpu', library: 'jax', device: 'webgpu', package: '@jax-js/jax' },
  { id: 'luma-webgl', group: 'luma.gl', name: 'webgl', library: 'luma', device: 'webgl', package: '@luma.gl/gpgpu', leaves: {
    'bad-index': { words: lumaGather, url: 'https://luma.gl/docs/api-reference/gpgpu/operations' },
  } },
  { id: 'luma-webgpu', group: 'luma.gl', name: 'webgpu', library: 'luma', device: 'webgpu', package: '@luma.gl/gpgpu', leaves: {
    order: { words: 'GPUGroupAggregation: “accumulation order is not deterministic.”', url: lumaGroups },
    twice: { words: 'GPUGroupAggregation: “accumulation order is not deterministic.”', url: lumaGroups },
    'bad-index': { words: `GPUGroupAggregation: “keys outside the output range are ignored.” ${lumaGather}`, url: lumaGroups },
    extremes: { words: 'GPUReduction: “Floating minimum, maximum, and extent ignore NaN and infinity.” Nothing is said of −0 there.', url: 'https://luma.gl/docs/api-reference/experimental/gpu-core/gpu-reduction' },
  } },
  { id: 'burn-flex', group: 'Burn', name: 'flex (CPU)', library: 'burn', program: 'burn', device: 'flex', leaves: burnLeaves },
  { id: 'burn-wgpu', group: 'Burn', name: 'wgpu', library: 'burn', program: 'burn', device: 'wgpu', beside: 'flex', leaves: {
    ...burnLeaves, twice: { words: 'scatter: “For Add, accumulation is supported, though results may be non-deterministic on GPU backends.”', url: burnDocs },
  } },
  { id: 'numpy', group: 'NumPy and PyTorch', name: 'NumPy', library: 'numpy', program: 'python' },
  { id: 'torch', group: 'NumPy and PyTorch', name: 'PyTorch', library: 'torch', program: 'python', how: 'Two threads on a CPU; use_deterministic_algorithms is off, as by default.', leaves: {
    order: { words: 'scatter_: “When indices are not unique, the behavior is non-deterministic.” index_put_ without accumulate: “undefined if indices contain duplicate elements.”', url: 'https://docs.pytorch.org/docs/stable/generated/torch.Tensor.scatter_.html' },
    twice: { words: 'index_put with accumulate=True on a CPU is in its list of operations that are deterministic only under use_deterministic_algorithms(True).', url: 'https://docs.pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html' },
  } },
  { id: 'jax', group: 'JAX and ONNX’s reference', name: 'JAX', library: 'jax', program: 'python', how: 'On a CPU, with jax_enable_x64.', leaves: {
    order: jaxWords,
    'bad-index': { words: '“By default, JAX assumes that all indices are in-bounds”; “out-of-bounds indices in set(), add(), etc. will be dropped.”', url: jaxWords.url },
  } },
  { id: 'onnx-reference', group: 'JAX and ONNX’s reference', name: 'ONNX reference', against: ['onnx-reference-gather-elements'], library: 'onnx', program: 'python', leaves: { order: onnxWords } },
];

/** Where the adapters are, by program or library, from docs/promises. */
const adapters = {
  scatterwise: '../../tests/vectors/package/adapters/scatterwise.js', tfjs: '../../tests/vectors/package/adapters/tfjs.js',
  ...Object.fromEntries(['onnx', 'jax', 'luma'].map((name) => [name, `../../benches/browser/promises/${name}.js`])),
  python: '../../benches/browser/promises/python.py', burn: '../../benches/browser/promises/burn/src/main.rs',
};

/** What a report leaves in results.json: counts, and of what differs or was refused the smallest call with both results. */
export function summaryOf({ adapter, results, vectors }) {
  const summary = { version: adapter.version, vectors, counts: {}, changed: results.filter(({ changed }) => changed).length, promises: {} };
  for (const outcome of ['kept', 'differs', 'refused', 'not offered']) summary.counts[outcome] = results.filter((row) => row.outcome === outcome).length;
  for (const name of Object.keys(promises)) {
    const rows = results.filter((row) => row.promises[name]).sort((a, b) => a.size - b.size || (a.id < b.id ? -1 : 1));
    const verdict = (row) => row.promises[name];
    const of = (outcome) => rows.filter((row) => verdict(row).outcome === outcome);
    const entry = { kept: of('kept').length, differs: of('differs').length, refused: of('refused').length, 'not offered': of('not offered').length };
    const as = of('kept').map((row) => verdict(row).as).filter((each) => each === 'once' || each === 'after each step');
    if (as.length > 0) entry.as = Object.fromEntries([...new Set(as)].sort().map((each) => [each, as.filter((one) => one === each).length]));
    const signs = of('differs').filter((row) => verdict(row).sign).length;
    if (signs > 0) entry.signs = signs;
    // The smallest of each operator says more than the smallest ones of one operator.
    const smallest = (list, count) => [...new Map([...list].reverse().map((row) => [row.op, row])).values()].sort((a, b) => a.size - b.size).slice(0, count);
    entry.differing = smallest(of('differs'), 6).map((row) => ({ id: row.id, got: verdict(row).got, expected: verdict(row).expected, count: of('differs').filter(({ op }) => op === row.op).length }));
    entry.refusing = smallest(of('refused'), 3).map((row) => ({ id: row.id, why: verdict(row).why, count: of('refused').filter(({ op }) => op === row.op).length }));
    const reasons = of('not offered').map((row) => verdict(row).why);
    entry.lacking = [...new Set(reasons)].map((why) => ({ why, count: reasons.filter((one) => one === why).length })).sort((a, b) => b.count - a.count || (a.why < b.why ? -1 : 1)).slice(0, 5);
    summary.promises[name] = entry;
  }
  return summary;
}

const cell = (text) => String(text ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (rows) => [rows[0], rows[0].map(() => '---'), ...rows.slice(1)].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** Text that came from a library, as code in Markdown: without the folders of its own sources. */
const code = (text) => `\`${String(text).replaceAll('`', "'").replaceAll('|', '¦').replace(/\/\S+\/(?=\w+\.cc)/g, '').slice(0, 420)}\``;

/** What a library does with a promise, in a few words. */
function wordsOf(promise, { kept, differs, refused, as, signs }, isOpen) {
  if (kept + differs + refused === 0) return promises[promise].judge === 'beside' ? 'no GPU and CPU' : 'not offered';
  if (kept + differs === 0) return 'refused';
  const rounding = as ? ` (${Object.entries(as).map(([how, count]) => `${count} ${how}`).join(', ')})` : '';
  const signOnly = signs ? ` (${signs} differ in the sign of a 0)` : '';
  return `${kept} of ${kept + differs}${rounding}${signOnly}${refused > 0 ? `, ${refused} refused` : ''}${isOpen && differs > 0 ? ' †' : ''}`;
}

/** An operand of a vector, short. */
function operandText(value) {
  if (value?.dtype) return value.data === undefined ? `${value.dtype}[${value.shape}] made from a seed` : shownOf(value);
  if (value?.scalar) return String(value.value);
  return JSON.stringify(value);
}

let index;
/** The vectors by id, with `shown` of the package for their operands. */
async function vectorsById() {
  const { shown } = await import('../tests/vectors/package/index.js');
  shownOf = shown;
  const source = join(root, 'tests', 'vectors');
  index ??= new Map(readdirSync(source).filter((name) => name.endsWith('.json')).flatMap((name) => JSON.parse(readFileSync(join(source, name), 'utf8')).cases.map((vector) => [vector.id, vector])));
  return index;
}
let shownOf;

/** A call of a vector as text: `op(self, name: value, …)`. */
function callText({ op, self, args, kwargs }) {
  const named = Object.entries({ ...args, ...kwargs }).map(([name, value]) => `${name}: ${operandText(value)}`);
  return `${op}(${[operandText(self), ...named].join(', ')})`;
}

/** How many calls are not offered, and the most frequent of its adapter's reasons. */
function lackText({ lacking = [], 'not offered': count }) {
  const reasons = lacking.filter(({ why }) => why !== 'not offered' && why !== 'no other device');
  return `${count} not offered${reasons.length > 0 ? `: ${reasons.map((each) => `${code(each.why)} (${each.count})`).join(', ')}${reasons.reduce((sum, each) => sum + each.count, 0) < count ? ', …' : ''}` : ''}`;
}

/** The page of one library: each promise with its counts, and the smallest calls that differ or are refused. */
function libraryPage({ group, name, library, program, how, against = [], leaves = {} }, { version, environment, date, changed, promises: found }, vectors) {
  const parts = [`# What ${program === 'python' ? name : `${group}, ${name},`} does\n\nVersion ${version}, ${environment}, ${date}. [The table of all libraries](../PROMISES.md) says what is counted.`];
  parts.push(`[The adapter](${adapters[program ?? library]}) says which call of the library stands for which operator.${how ? ` ${how}` : ''}`);
  const texts = against.map((file) => `[${readFileSync(join(root, 'docs', 'upstream', `${file}.md`), 'utf8').split('\n')[0].slice(2)}](../upstream/${file}.md)`);
  if (texts.length > 0) parts.push(`Against its own documents: ${texts.join('; ')}.`);
  if (changed > 0) parts.push(`${changed} calls that are not in place changed self. No promise below but a bad index counts that.`);
  for (const [promise, { title, definition }] of Object.entries(promises)) {
    const entry = found[promise];
    const lines = [`## ${title}\n\n${definition}\n\n**${wordsOf(promise, entry, leaves[promise])}**; ${lackText(entry)}.`];
    if (leaves[promise]) lines.push(`† Its documents leave this open: ${leaves[promise].words} ([source](${leaves[promise].url}))`);
    for (const { id: call, got, expected, count } of entry.differing) {
      lines.push(`- \`${call}\`, the smallest of ${count} that differ:\n\n  ${code(callText(vectors.get(call)))}\n\n  gives ${code(got)}; the vector has ${code(expected)}.`);
    }
    for (const { id: call, why, count } of entry.refusing) lines.push(`- \`${call}\`, the smallest of ${count} refused: ${code(why)}`);
    parts.push(lines.join('\n\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

const anchorOf = (title) => title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');

/** The page of all libraries. */
function overview(results) {
  const measured = libraries.filter(({ id }) => results[id]?.promises);
  const failed = libraries.filter(({ id }) => results[id]?.failed).map(({ id, group, name }) => `${group}, ${name} (${results[id].failed})`);
  const groups = [...new Set(measured.map(({ group }) => group))];
  const dates = [...new Set(measured.map(({ id }) => results[id].date))].sort();
  const tables = groups.map((group) => {
    const columns = measured.filter((one) => one.group === group);
    const cellOf = ({ id, leaves }, promise) => `[${wordsOf(promise, results[id].promises[promise], leaves?.[promise])}](promises/${id}.md#${anchorOf(promises[promise].title)})`;
    const rows = Object.entries(promises).map(([promise, { title }]) => [`[${title}](#${anchorOf(title)})`, ...columns.map((column) => cellOf(column, promise))]);
    const versions = [...new Set(columns.map(({ id, name, program }) => (program === 'python' ? `${name} ${results[id].version}` : results[id].version)))].join(', ');
    return `### ${columns[0].program === 'python' ? '' : `${group} `}${versions}\n\n${table([['promise', ...columns.map(({ name }) => name)], ...rows])}`;
  });
  const definitions = Object.values(promises).map(({ title, definition, source, ours, onnx, onnx_url, stablehlo, stablehlo_url }) => [
    `### ${title}`, definition, `- Source: ${source}`, ours && `- Ours: ${ours}`, `- [ONNX](${onnx_url}): ${onnx}`, `- [StableHLO](${stablehlo_url}): ${stablehlo}`,
  ].filter(Boolean).join('\n').replace('\n- Source', '\n\n- Source').replace(/^(### .*)\n/, '$1\n\n'));
  return `# Who keeps which promise

Two updates go to one element. An index is out of range. A value is NaN. Few libraries say what they give then. So the same recorded calls
were made by each of these libraries, and their results compared bit by bit.

"3 of 4" means that 3 of the 4 calls that the library offers gave the recorded result. Each number leads to the smallest calls that differ, with
both results. "Refused" calls are an error where others have a result. "Not offered" means that the library has no such call, or has it in another
form, or that its adapter does not try it; its page says why. † marks what the library's own documents leave open, or define in another way: a difference there is no fault.

The results are those of this project's definitions, which [the page of the vectors](../tests/vectors/package/README.md) tells apart from what others
decided. So this library keeps them all; the other columns say how far one can rely on the same behaviour elsewhere. Most documents say
nothing of these cases, and then a difference without a † is no fault either. Where a library contradicts its own documents,
[docs/upstream](upstream/README.md) says so.

Measured ${dates.length > 1 ? `${dates[0]} to ${dates.at(-1)}` : dates[0]} with the vectors ${results[measured[0].id].vectors}, by \`npm run promises\`. WebGPU was Chromium's software adapter; a physical GPU may do otherwise, above
all where the order of updates is open. "The same bits on GPU and CPU" compares a library with its own CPU backend; "no GPU and CPU" is a column without one to compare.

## The tables

${[...tables, ...(failed.length > 0 ? [`Not measured: ${failed.join('; ')}.`] : [])].join('\n\n')}

## The promises

${definitions.join('\n\n')}

## Measure another library

Write an adapter by [the page of the vectors](../tests/vectors/package/README.md), in some thirty lines. Differences from a library's own documents are
reported in [docs/upstream](upstream/README.md).
`;
}

/** The pages by their paths in docs. */
export async function pagesOf(results = readResults()) {
  const vectors = await vectorsById();
  const pages = { 'PROMISES.md': overview(results) };
  for (const library of libraries) if (results[library.id]?.promises) pages[`promises/${library.id}.md`] = libraryPage(library, results[library.id], vectors);
  return pages;
}

export async function writePages() {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.md'))) rmSync(join(folder, name));
  for (const [path, text] of Object.entries(await pagesOf())) writeFileSync(join(root, 'docs', path), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const { write } = parseArgs({ options: { write: { type: 'boolean' } } }).values;
    if (write) return writePages();
    for (const [path, text] of Object.entries(await pagesOf())) {
      if (readFileSync(join(root, 'docs', path), 'utf8') !== text) throw new Trouble(`docs/${path} is not what follows from docs/promises/results.json: node tools/promises.mjs --write`);
    }
  });
}
