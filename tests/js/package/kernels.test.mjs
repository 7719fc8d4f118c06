// The kernels of the CPU in the published binaries: what they can call. They also run on threads that share the memory of the page, where
// the allocator, thread-locals and JavaScript are out of reach and nobody sees a panic. So the call graph from their entries must have none
// of these. It is that of the binary with names that `npm run package` leaves in target/pkg; without its names it is the published file.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutNames } from '../../../tools/binary.mjs';
import { root } from '../../../tools/shell.mjs';

/** The engine's own kernels; the other ones are in the folder or file `kernels` of a family. */
const engine = 'scatterwise::engine::cpu::kernels::';
const kernels = (names) => names.map((name) => `scatterwise::${name.replace('/', '::kernels::')}`);

/**
 * What is called from outside the kernels, once a job is made: each name begins one of these functions' names. An entry that has become part
 * of its caller is missing in the binary; what it calls is another entry then.
 */
const jobs = ['index/indexed::Indexed', 'elementwise/elementwise::Elementwise', 'elementwise/short_runs::ShortRuns', 'segments/Segments', 'scatter/Divide', 'convert/Convert', 'index/resolve::Resolve', 'dims/Reduce', 'dims/find::Find', 'sort/rows::SortRows', 'sort/search::Search', 'masks/compare::Compare', 'masks/choose::Choose', 'groups/spmm::Products'];
const functions = ['elementwise/activate::activate', 'index/check::check', 'convert/narrow', 'convert/to_numbers', 'histograms/histogram::Count::add', 'histograms/histogram::tables::<impl scatterwise::histograms::kernels::histogram::Finder>::tabulate', 'histograms/histogram::bytes::CountBytes', 'histograms/histogram::min_max', 'gradients/scan', 'exact/sums::Sums', 'exact/terms::ExactTerms'];
const entries = [...kernels(jobs).map((job) => `<${job} as ${engine}job::Job>::run`), ...kernels(functions)];
/** Those that `scatterwise/core` has not: kernels of families, and what only they call. */
const ofFamilies = /scatterwise::(segments|dims|sort|masks|groups|exact|gradients)::|histogram::(tables|bytes|min_max)|to_numbers/;
/** What the entry of a worker calls, and jobs that only threads run. The binary without GPU code has no threads. */
const threaded = ['scatterwise::engine::cpu::threads::run_items', `<${engine}partition::ByDestination as `, `<${engine}partition::Privatised<`, '<scatterwise::exact::kernels::terms::InParts as '];

/** What a kernel calls by a pointer: the loops of the tables, accumulators, operations on single elements, and functions of float64. */
const loops = [
  '<scatterwise::dims::kernels::',
  ...['loops::combine_', 'loops::entries::combine_', 'loops::gather::', 'loops::segments::', 'loops::small::'].map((name) => engine + name),
  ...kernels(['masks/rows::each', 'elementwise/pairs::', 'elementwise/activate::', 'elementwise/transcendental::', 'elementwise/exponential::each_']),
  ...['acos', 'asin', 'atan', 'cos', 'erf', 'exp', 'log', 'log1p', 'sin', 'tanh'].map((name) => `libm::math::${name}::${name}`),
];

/** What else they may call: each other, functions on plain numbers, and what the compiler puts in for operations. */
const allowed = [
  /^(<(\w+ as )?)?scatterwise::(\w+::)+kernels::/,
  /^scatterwise::engine::cpu::threads::run_items/,
  /^scatterwise::(scalar|dtype|exact::arithmetic|plan::(index::mode|order)|histograms::plan::uniform_edges::round|sort::plan)/,
  /^(libm|bytemuck)::/,
  /^<?core::(?!fmt|panicking)/,
  /^__(multi3|u?divti3|umodti3|ash[lr]ti3|lshrti3|float\w+|fix\w+)$/, // integers of 128 bits
];

for (const build of ['core_simd', 'core_scalar', 'cpu_simd', 'cpu_scalar', 'simd', 'scalar']) {
  test(`no kernel of ${build} reaches the allocator, a formatter, a panic or an import`, () => {
    const path = join(root, 'target', 'pkg', build, 'core_named.wasm');
    const published = readFileSync(join(root, 'target', 'npm', 'scatterwise', `scatterwise_${build}.wasm`));
    assert.ok(withoutNames(readFileSync(path)).equals(published), 'the binary with names is another one');

    const functions = functionsOf(path);
    const named = (starts) => [...functions.keys()].filter((name) => starts.some((start) => name.startsWith(start)));
    const wanted = [...entries.filter((name) => !build.startsWith('core') || !ofFamilies.test(name)), ...(/^c/.test(build) ? [] : threaded)];
    for (const start of wanted) assert.ok(named([start]).length > 0, `there is no ${start}`);

    const byPointer = named(loops);
    const types = new Set(byPointer.map((name) => functions.get(name).type));
    const callers = new Map(named([...entries, ...threaded]).map((name) => [name, 'its caller']));
    for (const name of byPointer) callers.set(name, 'a pointer');
    const faults = new Set();
    for (const [name, caller] of callers) { // grows while it is walked
      const { calls, pointers, faults: own } = functions.get(name) ?? { calls: [], pointers: [], faults: ['is an import'] };
      const problems = [...own, ...pointers.filter((type) => !types.has(type)).map((type) => `calls something else than a loop by a pointer: ${type}`)];
      if (!allowed.some((pattern) => pattern.test(name))) problems.push('is no function of kernels');
      for (const problem of problems) faults.add(`${name} ${problem}; called by ${caller}`);
      for (const called of calls) if (!callers.has(called)) callers.set(called, name);
    }
    assert.deepEqual([...faults], []);
  });
}

test('the binary of a worker imports the memory alone, and starts nothing', async () => {
  const module = new WebAssembly.Module(readFileSync(join(root, 'target', 'npm', 'scatterwise', 'scatterwise_kernels.wasm')));
  assert.deepEqual(WebAssembly.Module.imports(module).map(({ module, name, kind }) => [module, name, kind]), [['env', 'memory', 'memory']]);
  assert.deepEqual(WebAssembly.Module.exports(module).map(({ name }) => name), ['run_chunk', 'stack']);
  for (const [name, { faults }] of functionsOf(join(root, 'target', 'pkg', 'simd', 'kernels_named.wasm'))) {
    assert.ok(!faults.includes('lets the memory grow'), `${name} lets the memory grow`);
  }
});

/**
 * The functions of a binary by their names: the functions that each calls (`calls`), the types of those that it calls by pointers (`pointers`), its
 * own type, and what a kernel must not do (`faults`).
 */
function functionsOf(path) {
  const folder = mkdtempSync(join(tmpdir(), 'scatterwise-'));
  const text = join(folder, 'binary.wat');
  execFileSync(process.execPath, [join(root, 'node_modules', 'binaryen', 'bin', 'wasm-dis'), path, '--all-features', '-o', text]);
  const lines = readFileSync(text, 'utf8').split('\n');
  rmSync(folder, { recursive: true });
  const functions = new Map();
  let current;
  const opened = []; // by the depth of a line: the last line of that depth which opened something
  for (const [at, line] of lines.entries()) {
    const depth = line.search(/\S/);
    const [, name] = line.match(/^ \(func \$("[^"]*"|\S+)/) ?? [];
    if (name) {
      current = { type: line.match(/\(type (\$\d+)\)/)?.[1], calls: [], pointers: [], faults: [] };
      functions.set(plain(name), current);
    } else if (line.startsWith(' (')) {
      current = undefined; // an import, a table, data
    }
    if (!current) continue;
    const [, called] = line.match(/\((?:return_)?call \$("[^"]*"|[^\s)]+)/) ?? [];
    if (called) current.calls.push(plain(called));
    const [, type] = line.match(/\((?:return_)?call_indirect .*\(type (\$\d+)\)/) ?? [];
    if (type) current.pointers.push(type);
    // Behind a loop whose last instruction goes back to its start, nothing is reached: the compiler says so.
    const isBehindLoop = opened[depth]?.includes('(loop ') && /^ *\(br \$/.test(lines[at - 2]) && lines[at - 1].trim() === ')';
    if (/\(unreachable\)/.test(line) && !isBehindLoop) current.faults.push('can panic');
    if (/\(memory\.grow/.test(line)) current.faults.push('lets the memory grow');
    if (line.includes('(')) opened[depth] = line;
  }
  return functions;
}

/** A name without quotes, and without what distinguishes versions of crates. */
function plain(name) {
  return name.replaceAll('"', '').replace(/\[[0-9a-f]{16}\]/g, '');
}
