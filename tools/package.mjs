// `npm run package`: builds the npm package into target/npm/scatterwise and packs it beside that.
// `--families scatter,sort --name mine` builds an entry with these families alone and adds it to that package: docs/ENTRIES.md.
// `--fast` leaves a package in target/npm-dev/scatterwise that works but has no CPU-only entries, and is neither optimised nor packed: for
// `npm start` and `npm test -- quick`; or an entry of one's own there, for its test.
// `--timing` also makes timing.js beside the package: the library with switches that it is timed by, for the site; and threads.testing.js,
// whose threads come late, for tests.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';
import { optimiser, ordered, shortenImports, shrink, withoutNames, withOwnNames } from './binary.mjs';
import { addFlavour, bundles, cargoFlags, exportsOf, flavours, has, hasOf, otherExports, identityOf, packedModule, published, wasmFile, withoutAbsent } from './entries.mjs';
import { recordedCases } from './cases.mjs';
import { features, sharedMain, sharedWorker } from './threads.mjs';
import { readme } from './readme.mjs';
import { installPackages, installRust, installWasmTools } from './setup.mjs';
import { main, metadata, root, run, runNpm, Trouble } from './shell.mjs';
import { typesOf } from './types.mjs';

/**
 * The flags for all crates. RUSTFLAGS takes the place of the flags in .cargo/config.toml. Vectors are not among them: what the library
 * depends on has none, and is compiled once for both `builds`. Three of LLVM's habits make a download larger and nothing faster, also where
 * small code is asked for: it inlines functions that are not marked for it, it unrolls loops whose length it does not know, and others
 * further than a kernel needs. So what has to be inlined into a hot loop is `#[inline(always)]`, and is no closure of more than an
 * instruction or two. The numbers are LLVM's costs: docs/decisions/size-and-entries.md has measurements.
 */
const lean = ['-inline-threshold=10', '-inlinehint-threshold=25', '-unroll-runtime=false', '-unroll-threshold=150']
  .map((option) => `-C llvm-args=${option}`)
  .join(' ');
/** The flags by which only our own crate is compiled, for each of the two binaries of a flavour. */
const builds = {
  simd: ['-C', 'target-feature=+simd128'],
  scalar: [],
};

/** Engines that have private fields and `#x in y`, which the sources use. */
const engines = ['chrome96', 'firefox90', 'safari15'];

/** The entry `verify` takes the instance that a page runs: there is one beside each file that `scatterwise` leads to. */
const verifiers = { 'verify.js': './index.js', 'verify.node.js': './node.js', 'verify.inline.js': './inline.js' };

/**
 * What is replaced in wasm-bindgen's glue, and by which calls of src/js/engine/platform.js. In these places wgpu asks the platform for
 * WebGPU; by itself it knows no device but those that it has made.
 */
const replacements = {
  'arg0.gpu;': 'platform.gpu();',
  'arg0.WorkerGlobalScope;': 'platform.workerScopeOf(arg0);',
  'arg0 instanceof GPUValidationError;': 'platform.isOfValidation(arg0);',
  'arg0.createBuffer(arg1);': 'platform.createBuffer(arg0, arg1);',
  'arg0.onuncapturederror = arg1;': 'platform.listen(arg0, arg1);',
};

/**
 * What else is replaced for threads: the instance imports its memory; a view of shared memory is outdated where the memory has grown, which
 * its length does not show; and coders of text refuse such a view. The number is how often each is there.
 */
const sharedReplacements = [
  ['= __wbg_get_imports();', '= threads.withMemory(__wbg_get_imports());', 2],
  ['Memory0.byteLength === 0', 'Memory0.buffer !== wasm.memory.buffer', 2],
  ['cachedTextDecoder.decode(bytes)', 'cachedTextDecoder.decode(bytes.slice())', 1],
  ['cachedTextEncoder.encodeInto(arg, view)', '(({ length }, bytes) => (view.set(bytes), { written: bytes.length }))(view, cachedTextEncoder.encode(arg))', 1],
];

/** The pages of the memory of `scatterwise/threads` at the start. */
let pages = 0;

const options = { fast: { type: 'boolean' }, timing: { type: 'boolean' }, families: { type: 'string' }, name: { type: 'string' } };
const { fast, timing, families, name: own } = parseArgs({ options }).values;
const out = join(root, 'target', fast ? 'npm-dev' : 'npm', 'scatterwise');
/** The path of a file that is made of a flavour in one of the `builds`, `name`. */
const builtFile = (flavour, name, file) => join(root, 'target', 'pkg', `${flavours[flavour].prefix}${name}`, file);
/** The path of the binary that an entry without a .wasm beside it has inside. */
const packedFile = (flavour) => (flavour === 'timing' ? builtFile(flavour, 'simd', 'core_small.wasm') : join(out, wasmFile(flavour, 'simd')));

await main(async () => {
  if ((families === undefined) !== (own === undefined)) throw new Trouble('--families and --name belong together: --families scatter,sort --name mine');
  await installPackages();
  await installRust();
  await installWasmTools();
  await (own === undefined ? makePackage() : addOwn());
});

/** Builds the package. */
async function makePackage() {
  await rm(join(out, '..'), { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const made = fast ? ['full'] : published;
  for (const flavour of made) await buildFlavour(flavour);
  if (!fast) await share();
  for (const entry of bundles(made)) await bundle(entry);
  if (timing) {
    await buildWasm('timing', 'simd');
    await bundle({ file: join('..', 'timing.js'), source: 'src/js/entries/timing.js', flavour: 'timing', inline: true });
    for (const name of ['testing', 'testing.worker', 'testing.node']) {
      await bundle({ file: join('..', `threads.${name}.js`), source: `src/js/entries/threads.${name}.js`, flavour: 'threads', inline: true, beside: true });
    }
  }
  await writeVerifiers();
  for (const flavour of published) await writeTypes(await typesOf(flavour, Object.keys(builds)));
  await writeTypes({ 'threads.d.ts': await readFile(join(root, 'src', 'js', 'threads.d.ts'), 'utf8') });
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  await writeFile(join(out, 'README.md'), readme(crate().repository));
  await copyFile(join(root, 'src', 'js', 'entries', 'devtools.js'), join(out, 'devtools.js'));
  for (const file of ['devtools.d.ts', 'files.d.ts', 'verify.d.ts']) await copyFile(join(root, 'src', 'js', file), join(out, file));
  for (const file of ['LICENSE-MIT', 'LICENSE-APACHE', 'tools/notices/LICENSE-THIRD-PARTY']) await copyFile(join(root, file), join(out, basename(file)));
  await link();
  if (!fast) await runNpm('pack', out, '--pack-destination', join(out, '..'), '--loglevel', 'warn');
}

/** Builds the entry that the command line asks for, and adds it to the package; without one it makes a package of this entry alone. */
async function addOwn() {
  addFlavour(own, families);
  await mkdir(out, { recursive: true });
  await buildFlavour(own);
  for (const entry of bundles([own])) await bundle(entry);
  await writeTypes(await typesOf(own, Object.keys(builds)));
  const file = join(out, 'package.json');
  const written = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { ...manifest(), main: `./${own}.js`, types: `./${own}.d.ts`, exports: { './package.json': './package.json' } };
  Object.assign(written.exports, exportsOf(own, Object.keys(builds)));
  written.files = [...new Set([...written.files, own])];
  await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
  console.log(`scatterwise/${own} has ${['scatter', ...flavours[own].families].join(', ')}. Pack it with \`npm pack ${out}\`.`);
}

/** Builds the binaries of a flavour into the package. */
async function buildFlavour(flavour) {
  if (fast) {
    await buildWasm(flavour, 'simd');
    // Not scalar, but there: bundlers want the file, and every engine that runs `npm start` has SIMD.
    for (const name of Object.keys(builds)) await copyFile(builtFile(flavour, 'simd', 'core_small.wasm'), join(out, wasmFile(flavour, name)));
    return;
  }
  for (const name of Object.keys(builds)) await buildWasm(flavour, name);
  await compareBuilds(flavour);
  await Promise.all(Object.keys(builds).map((name) => optimise(flavour, name)));
}

/**
 * Compiles a flavour in one of its builds, and makes wasm-bindgen's glue for it (core.js) and the shrunk binary (core_small.wasm). That is
 * what wasm-pack would run, but that Cargo makes the binary alone: beside a library for Rust, whose functions anybody may call, fewer are
 * inlined and fewer dropped.
 */
async function buildWasm(flavour, name) {
  const target = 'wasm32-unknown-unknown';
  const args = ['rustc', '--release', '--lib', '--crate-type', 'cdylib', '--target', target, ...cargoFlags(flavour), '--', ...builds[name]];
  await run('cargo', args, { env: { RUSTFLAGS: lean } });
  const where = ['--out-dir', builtFile(flavour, name, ''), '--out-name', 'core'];
  const compiled = join(metadata().target_directory, target, 'release', 'scatterwise.wasm');
  await run('wasm-bindgen', [compiled, '--target', 'web', '--omit-default-module-path', ...where]);
  const [whole, long] = await Promise.all([readFile(builtFile(flavour, name, 'core_bg.wasm')), readFile(builtFile(flavour, name, 'core.js'), 'utf8')]);
  const { binary, glue } = shortenImports(shrink(whole), long);
  await Promise.all([writeFile(builtFile(flavour, name, 'core_small.wasm'), binary), writeFile(builtFile(flavour, name, 'core.js'), glue)]);
}

/**
 * Fails where the glue of the two binaries is not the same, since one runs both, and where the binaries are: then one of them is needless.
 */
async function compareBuilds(flavour) {
  // Comments of the glue number functions of the binary.
  const read = async (name, file) => (await readFile(builtFile(flavour, name, file), 'latin1')).replace(/^ *\/\/ Cast intrinsic .*$/gm, '');
  const same = async (file) => (await read('simd', file)) === (await read('scalar', file));
  for (const file of ['core.js', 'core.d.ts']) {
    if (!(await same(file))) throw new Trouble(`${file} is not the same for the SIMD and the scalar build.`);
  }
  if (await same('core_bg.wasm')) throw new Trouble('The SIMD and the scalar build are the same.');
}

/** Writes the binary into the package, optimised by wasm-opt. The same binary with the names of its functions stays in target/pkg, for tests. */
async function optimise(flavour, name) {
  const named = builtFile(flavour, name, 'core_named.wasm');
  await writeFile(named, ordered(await readFile(builtFile(flavour, name, 'core_small.wasm'))));
  await run(process.execPath, ['node_modules/binaryen/bin/wasm-opt', ...optimiser, '--debuginfo', named, '-o', named]);
  const binary = withOwnNames(await readFile(named));
  await writeFile(named, binary);
  await writeFile(join(out, wasmFile(flavour, name)), withoutNames(binary));
}

/** Writes the two binaries of `scatterwise/threads`, and notes with how many pages of memory they start. */
async function share() {
  const named = await readFile(builtFile('full', 'simd', 'core_named.wasm'));
  const main = sharedMain(withoutNames(named));
  pages = main.pages;
  await writeFile(join(out, 'scatterwise_threads.wasm'), main.bytes);
  const whole = builtFile('full', 'simd', 'kernels_whole.wasm');
  await writeFile(whole, sharedWorker(named));
  const kernels = builtFile('full', 'simd', 'kernels_named.wasm');
  await run(process.execPath, ['node_modules/binaryen/bin/wasm-opt', ...features, '--remove-unused-module-elements', '--strip-producers', '--debuginfo', whole, '-o', kernels]);
  await writeFile(join(out, 'scatterwise_kernels.wasm'), withoutNames(await readFile(kernels)));
}

/** Bundles one of `entries` into the package, and fails where the result could not work in each place that it is meant for. */
async function bundle({ file, source, flavour, inline = false, beside = false, also = [] }) {
  const esbuild = await import('esbuild'); // not at the top: it may have been installed only now
  const isForNode = /node(\.worker)?\.c?js$/.test(file) && !beside;
  const isCommon = file.endsWith('.cjs');
  await esbuild.build({
    entryPoints: [join(root, source)],
    outfile: join(out, file),
    bundle: true,
    format: isCommon ? 'cjs' : 'esm',
    platform: 'neutral',
    external: ['node:*', './threads.testing.node.js'],
    target: beside ? 'es2022' : engines, // a top-level await
    minify: !isForNode, // Node prints the source beside an uncaught error
    legalComments: 'none',
    sourcemap: inline || isCommon ? false : 'linked',
    sourcesContent: true,
    define: { ...facts(flavour), ...(isCommon && { 'import.meta.url': 'here' }) },
    // A module of CommonJS has no import.meta.
    banner: isCommon ? { js: "const here = require('node:url').pathToFileURL(__filename).href;" } : {},
    inject: isForNode ? [join(root, 'src', 'js', 'entries', 'node.text.js')] : [],
    plugins: [modules(flavour)],
    logLevel: 'warning',
    logOverride: {
      'duplicate-object-key': 'silent', // wasm-bindgen names a module once for each function that Rust imports of it
      'import-is-undefined': 'silent', // calls of absent families in what esbuild leaves out; below we look for others
    },
  });
  const text = await readFile(join(out, file), 'utf8');
  for (const wasm of [...Object.keys(builds).map((name) => wasmFile(flavour, name)), ...also.map((name) => `scatterwise_${name}`)]) {
    const url = new RegExp(`new URL\\("\\./${wasm.replace('.', '\\.')}", ?import\\.meta\\.url\\)`, 'g');
    if (!inline && !isCommon && text.match(url)?.length !== 1) throw new Trouble(`${file} should have exactly one new URL of ${wasm}, for bundlers to find.`);
  }
  if (inline && !beside && /import\.meta|<\/script/.test(text)) throw new Trouble(`${file} should work from any place, inside a page too.`);
  const [lacking] = text.match(/.{0,80}\(void 0\)\(/) ?? [];
  if (lacking) throw new Trouble(`${file} calls a function that the binary lacks: ${lacking}`);
  if (/\bnew Function\b|\beval\(/.test(text)) throw new Trouble(`${file} evaluates text, which a content security policy forbids.`);
}

/** Facts of a build, which the sources know by these names. For each family there is `HAS.name` too, so that esbuild drops what is absent. */
function facts(flavour) {
  const { entry, prefix, shared = false } = flavours[flavour];
  const HAS = hasOf(flavour);
  const parts = Object.fromEntries(Object.entries(HAS).map(([name, isHere]) => [`HAS.${name}`, isHere]));
  const all = { VERSION: crate().version, ENTRY: entry, BINARY: `scatterwise${prefix && `_${prefix.slice(0, -1)}`}`, IDENTITY: `${crate().version} ${identityOf(flavour)}`, SHARED: shared, PAGES: pages, HAS, ...parts };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** A plugin for esbuild: what the sources import by a name with #, which depends on the flavour. */
function modules(flavour) {
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#glue$/ }, () => ({ path: builtFile(flavour, 'simd', 'core.js') }));
    onResolve({ filter: /^#binary$/ }, () => ({ path: join(root, 'src/js/start/binary.js') }));
    onLoad({ filter: /[\\/]start[\\/]binary\.js$/ }, async ({ path }) => ({ contents: (await readFile(path, 'utf8')).replaceAll(/scatterwise_(\w+)\.wasm/g, (_, name) => wasmFile(flavour, name)) }));
    onLoad({ filter: /[\\/](entries[\\/]exports|arguments[\\/]operators)\.js$/ }, async ({ path }) => ({ contents: withoutAbsent(await readFile(path, 'utf8'), flavour) }));
    onResolve({ filter: /^#gpu$/ }, () => ({ path: join(root, 'src/js/engine', has(flavour, 'webgpu') ? 'gpu.js' : 'gpu.none.js') }));
    onResolve({ filter: /^#fallback$/ }, () => ({ path: packedModule(flavour), external: true }));
    // wasm-bindgen copies what Rust imports of ours; entries import the same modules, and a module must not be there twice.
    onResolve({ filter: /\/snippets\/[^/]+\/src\/js\// }, ({ path }) => ({ path: join(root, path.replace(/.*\/(?=src\/js\/)/, '')) }));
    onLoad({ filter: /[\\/]core\.js$/ }, ({ path }) => replacedGlue(path, flavours[flavour].shared));
    onLoad({ filter: /\.wat$/ }, ({ path }) => assembled(path));
    onResolve({ filter: /^#packed$/ }, () => ({ path: packedFile(flavour), namespace: 'packed' }));
    onLoad({ filter: /./, namespace: 'packed' }, async ({ path }) => ({
      contents: deflateSync(await readFile(path), { level: 9 }),
      loader: 'base64',
    }));
  };
  return { name: 'modules', setup };
}

/** The WebAssembly of a file of its text format as a Uint8Array, as the result of a loader of esbuild. */
async function assembled(path) {
  const file = join(root, 'target', 'pkg', `${basename(path)}.wasm`);
  await run(process.execPath, ['node_modules/binaryen/bin/wasm-as', '--enable-simd', '--enable-bulk-memory', path, '-o', file]);
  return { contents: await readFile(file), loader: 'binary' };
}

/** The glue in that file with our replacements, as the result of a loader of esbuild; without GPU code and threads it is left as it is. */
async function replacedGlue(path, isShared) {
  let contents = await readFile(path, 'utf8');
  const replace = (theirs, ours, times) => {
    if (contents.split(theirs).length !== times + 1) throw new Trouble(`core.js should have '${theirs}' ${times} times: look at what wasm-bindgen and wgpu do now.`);
    contents = contents.replaceAll(theirs, ours);
  };
  const source = (file) => join(root, 'src/js/engine', file).replaceAll('\\', '/');
  if (contents.includes('requestAdapter')) {
    for (const [theirs, ours] of Object.entries(replacements)) replace(theirs, ours, 1);
    contents = `import * as platform from '${source('platform.js')}';\n${contents}`;
  }
  if (isShared) {
    for (const [theirs, ours, times] of sharedReplacements) replace(theirs, ours, times);
    contents = `import * as threads from '${source('threads.js')}';\n${contents}`;
  }
  return { contents };
}

/** Bundles the code of `scatterwise/verify` once, and writes the files that each join it to one instance of the library. */
async function writeVerifiers() {
  const esbuild = await import('esbuild');
  await writeFile(join(root, 'target', 'pkg', 'cases.js'), `export const cases = ${JSON.stringify(recordedCases())};\n`);
  const source = join(root, 'src', 'js', 'verify', 'verify.js');
  await esbuild.build({ entryPoints: [source], outfile: join(out, 'verify.core.js'), bundle: true, format: 'esm', minify: true, target: engines, logLevel: 'warning' });
  for (const [file, library] of Object.entries(verifiers)) {
    const text = `import * as library from '${library}';\nimport { verifier } from './verify.core.js';\n\nexport const verify = verifier(library);\n`;
    await writeFile(join(out, file), text);
  }
}

/** Writes types, given as text by the name of their file. */
async function writeTypes(types) {
  for (const [name, text] of Object.entries(types)) {
    await mkdir(join(out, dirname(name)), { recursive: true });
    await writeFile(join(out, name), text);
    // For those who require(): TypeScript takes .d.ts for the types of a module.
    if (!name.endsWith('.wasm.d.ts')) await writeFile(join(out, name.replace('.d.ts', '.d.cts')), text.replace(/(?<=from '[./]+[\w/]+)\.js(?=')/g, '.cjs'));
  }
}

/** Cargo's facts about the library's crate. */
function crate() {
  return metadata().packages.find(({ name }) => name === 'scatterwise');
}

/** The package.json. */
function manifest() {
  const { name, version, description, license, keywords, authors, repository } = crate();
  return {
    name,
    version,
    description,
    license,
    author: authors[0],
    ...(repository && {
      repository: { type: 'git', url: `git+${repository.replace(/\.git$/, '')}.git` },
      homepage: `${repository}#readme`,
      bugs: { url: `${repository}/issues` },
    }),
    keywords: [...keywords, 'histogram', 'scatter-add', 'webassembly', 'ndarray', 'pytorch'],
    type: 'module',
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    exports: { ...Object.assign({}, ...published.map((flavour) => exportsOf(flavour, Object.keys(builds)))), ...otherExports },
    files: ['*.js', '*.cjs', '*.js.map', '*.d.ts', '*.d.cts', '*.wasm', 'cpu', 'core', 'LICENSE-*'],
    engines: { node: '>=20' },
  };
}

/** Lets the tests and the playground import 'scatterwise' as its users do. */
async function link() {
  const path = join(root, 'node_modules', 'scatterwise');
  await rm(path, { recursive: true, force: true });
  await symlink(out, path, 'junction'); // on Windows, where others need a privilege; elsewhere the word is ignored
}
