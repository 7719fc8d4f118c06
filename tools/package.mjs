// `npm run package`: builds the npm package into target/npm/scatterwise and packs it beside that.
// `--fast` leaves a package in target/npm-dev/scatterwise that works but has no CPU-only entries, and is neither optimised nor packed: for
// `npm start` and `npm test -- quick`.
// `--timing` also makes timing.js beside the package: the library with switches that it is timed by, for the site; and threads.testing.js,
// whose threads come late, for tests.

import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';
import { optimiser, shortenImports, shrink, withoutNames } from './binary.mjs';
import { features, sharedMain, sharedWorker } from './threads.mjs';
import { installPackages, installRust, installWasmTools } from './setup.mjs';
import { main, metadata, root, run, runNpm, Trouble } from './shell.mjs';
import { readTypes } from './types.mjs';

/**
 * What is compiled: the whole library, and the one without GPU code, whose files carry its name. `timing` is the whole library with the
 * switches that it is timed by, and no part of the package. The sources import what differs by names that begin with #.
 */
const flavours = {
  full: { prefix: '', flags: ['--features', 'npm'], binary: 'src/js/start/binary.js', gpu: 'src/js/engine/gpu.js' },
  cpu: { prefix: 'cpu_', flags: ['--no-default-features', '--features', 'npm'], binary: 'src/js/start/binary.cpu.js', gpu: 'src/js/engine/gpu.none.js' },
  // The whole library on shared memory, whose binary is made from the one of `full`.
  threads: { prefix: '', binary: 'src/js/start/binary.js', gpu: 'src/js/engine/gpu.js', shared: true },
  timing: { prefix: 'timing_', flags: ['--features', 'npm,testing'], binary: 'src/js/start/binary.js', gpu: 'src/js/engine/gpu.js' },
};
const published = ['full', 'cpu'];

/**
 * The flags for all crates. RUSTFLAGS takes the place of the flags in .cargo/config.toml. Vectors are not among them: what the library
 * depends on has none, and is compiled once for both `builds`. Three of LLVM's habits make a download larger and nothing faster, also where
 * small code is asked for: it inlines functions that are not marked for it, it unrolls loops whose length it does not know, and others
 * further than a kernel needs. So what has to be inlined into a hot loop is `#[inline(always)]`, and is no closure of more than an
 * instruction or two. The numbers are LLVM's costs: ADR 13 has measurements.
 */
const lean = ['-inline-threshold=10', '-inlinehint-threshold=25', '-unroll-runtime=false', '-unroll-threshold=150']
  .map((option) => `-C llvm-args=${option}`)
  .join(' ');
/** The flags by which only our own crate is compiled, for each of the two binaries of a flavour. */
const builds = {
  simd: ['-C', 'target-feature=+simd128'],
  scalar: [],
};

/**
 * The bundles that the package's `exports` lead to (see `manifest`; those of `verifiers` are made elsewhere), and `packed.js`, which they
 * import if their .wasm cannot be loaded.
 * The CommonJS ones are for what cannot require() a module: Jest, and Node before 20.19.
 * `inline`: without a .wasm beside it.
 */
const entries = [
  { file: 'index.js', source: 'src/js/entries/index.js', flavour: 'full' },
  { file: 'node.js', source: 'src/js/entries/node.js', flavour: 'full' },
  { file: 'node.cjs', source: 'src/js/entries/node.js', flavour: 'full' },
  { file: 'inline.js', source: 'src/js/entries/inline.js', flavour: 'full', inline: true },
  { file: 'packed.js', source: 'src/js/start/packed.js', flavour: 'full', inline: true },
  { file: 'files.js', source: 'src/js/entries/files.js', flavour: 'full', inline: true },
  { file: 'threads.js', source: 'src/js/entries/threads.js', flavour: 'threads', also: ['threads.wasm', 'kernels.wasm'] },
  { file: 'threads.node.js', source: 'src/js/entries/threads.node.js', flavour: 'threads', also: ['threads.wasm', 'kernels.wasm'] },
  { file: 'threads.node.cjs', source: 'src/js/entries/threads.node.js', flavour: 'threads' },
  { file: 'threads.worker.js', source: 'src/js/entries/threads.worker.js', flavour: 'threads', inline: true },
  { file: 'threads.node.worker.js', source: 'src/js/entries/threads.node.worker.js', flavour: 'threads', inline: true },
  { file: 'cpu.js', source: 'src/js/entries/index.js', flavour: 'cpu' },
  { file: 'cpu.node.js', source: 'src/js/entries/node.js', flavour: 'cpu' },
  { file: 'cpu.node.cjs', source: 'src/js/entries/node.js', flavour: 'cpu' },
  { file: 'cpu/inline.js', source: 'src/js/entries/inline.js', flavour: 'cpu', inline: true },
  { file: 'cpu/packed.js', source: 'src/js/start/packed.js', flavour: 'cpu', inline: true },
];

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

const { fast, timing } = parseArgs({ options: { fast: { type: 'boolean' }, timing: { type: 'boolean' } } }).values;
const out = join(root, 'target', fast ? 'npm-dev' : 'npm', 'scatterwise');
/** The path of a file that is made of a flavour in one of the `builds`, `name`; and the name of the binary in the package. */
const builtFile = (flavour, name, file) => join(root, 'target', 'pkg', `${flavours[flavour].prefix}${name}`, file);
const wasmFile = (flavour, name) => `scatterwise_${flavours[flavour].prefix}${name}.wasm`;
/** The path of the binary that an entry without a .wasm beside it has inside. */
const packedFile = (flavour) => (published.includes(flavour) ? join(out, wasmFile(flavour, 'simd')) : builtFile(flavour, 'simd', 'core_small.wasm'));

await main(async () => {
  await installPackages();
  await installRust();
  await installWasmTools();

  await rm(join(out, '..'), { recursive: true, force: true });
  await mkdir(join(out, 'cpu'), { recursive: true });
  if (fast) {
    await buildWasm('full', 'simd');
    // Not scalar, but there: bundlers want the file, and every engine that runs `npm start` has SIMD.
    for (const name of Object.keys(builds)) await copyFile(builtFile('full', 'simd', 'core_small.wasm'), join(out, wasmFile('full', name)));
  } else {
    for (const flavour of published) {
      for (const name of Object.keys(builds)) await buildWasm(flavour, name);
      await compareBuilds(flavour);
      await Promise.all(Object.keys(builds).map((name) => optimise(flavour, name)));
    }
    await share();
  }
  for (const entry of entries) if (!fast || entry.flavour === 'full') await bundle(entry);
  if (timing) {
    await buildWasm('timing', 'simd');
    await bundle({ file: join('..', 'timing.js'), source: 'src/js/entries/timing.js', flavour: 'timing', inline: true });
    for (const name of ['testing', 'testing.worker', 'testing.node']) {
      await bundle({ file: join('..', `threads.${name}.js`), source: `src/js/entries/threads.${name}.js`, flavour: 'threads', inline: true, beside: true });
    }
  }
  await writeVerifiers();
  await writeTypes();
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  await copyFile(join(root, 'src', 'js', 'README.md'), join(out, 'README.md'));
  await copyFile(join(root, 'src', 'js', 'entries', 'devtools.js'), join(out, 'devtools.js'));
  for (const file of ['devtools.d.ts', 'files.d.ts', 'verify.d.ts']) await copyFile(join(root, 'src', 'js', file), join(out, file));
  for (const file of ['LICENSE-MIT', 'LICENSE-APACHE', 'tools/notices/LICENSE-THIRD-PARTY']) await copyFile(join(root, file), join(out, basename(file)));
  await link();
  if (!fast) await runNpm('pack', out, '--pack-destination', join(out, '..'), '--loglevel', 'warn');
});

/**
 * Compiles a flavour in one of its builds, and makes wasm-bindgen's glue for it (core.js) and the shrunk binary (core_small.wasm). That is
 * what wasm-pack would run, but that Cargo makes the binary alone: beside a library for Rust, whose functions anybody may call, fewer are
 * inlined and fewer dropped.
 */
async function buildWasm(flavour, name) {
  const target = 'wasm32-unknown-unknown';
  const args = ['rustc', '--release', '--lib', '--crate-type', 'cdylib', '--target', target, ...flavours[flavour].flags, '--', ...builds[name]];
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
  await run(process.execPath, ['node_modules/binaryen/bin/wasm-opt', ...optimiser, '--debuginfo', builtFile(flavour, name, 'core_small.wasm'), '-o', named]);
  await writeFile(join(out, wasmFile(flavour, name)), withoutNames(await readFile(named)));
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
    define: { VERSION: JSON.stringify(crate().version), SHARED: String(Boolean(flavours[flavour].shared)), PAGES: String(pages), ...(isCommon && { 'import.meta.url': 'here' }) },
    // A module of CommonJS has no import.meta.
    banner: isCommon ? { js: "const here = require('node:url').pathToFileURL(__filename).href;" } : {},
    inject: isForNode ? [join(root, 'src', 'js', 'entries', 'node.text.js')] : [],
    plugins: [modules(flavour)],
    logLevel: 'warning',
    logOverride: { 'duplicate-object-key': 'silent' }, // wasm-bindgen names a module once for each function that Rust imports of it
  });
  const text = await readFile(join(out, file), 'utf8');
  for (const wasm of [...Object.keys(builds).map((name) => wasmFile(flavour, name)), ...also.map((name) => `scatterwise_${name}`)]) {
    const url = new RegExp(`new URL\\("\\./${wasm.replace('.', '\\.')}", ?import\\.meta\\.url\\)`, 'g');
    if (!inline && !isCommon && text.match(url)?.length !== 1) throw new Trouble(`${file} should have exactly one new URL of ${wasm}, for bundlers to find.`);
  }
  if (inline && !beside && /import\.meta|<\/script/.test(text)) throw new Trouble(`${file} should work from any place, inside a page too.`);
  if (/\bnew Function\b|\beval\(/.test(text)) throw new Trouble(`${file} evaluates text, which a content security policy forbids.`);
}

/** A plugin for esbuild: what the sources import by a name with #, which depends on the flavour. */
function modules(flavour) {
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#glue$/ }, () => ({ path: builtFile(flavour, 'simd', 'core.js') }));
    onResolve({ filter: /^#binary$/ }, () => ({ path: join(root, flavours[flavour].binary) }));
    onResolve({ filter: /^#gpu$/ }, () => ({ path: join(root, flavours[flavour].gpu) }));
    onResolve({ filter: /^#fallback$/ }, () => ({ path: flavour === 'cpu' ? './cpu/packed.js' : './packed.js', external: true }));
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
  const source = join(root, 'src', 'js', 'verify', 'verify.js');
  await esbuild.build({ entryPoints: [source], outfile: join(out, 'verify.core.js'), bundle: true, format: 'esm', minify: true, target: engines, logLevel: 'warning' });
  for (const [file, library] of Object.entries(verifiers)) {
    const text = `import * as library from '${library}';\nimport { verifier } from './verify.core.js';\n\nexport const verify = verifier(library);\n`;
    await writeFile(join(out, file), text);
  }
}

/** Writes the types of all entries. */
async function writeTypes() {
  const again = (from) => `export * from '${from}';\nexport { default } from '${from}';\n`;
  const read = (name) => readFile(join(root, 'src', 'js', name), 'utf8');
  // Symbol.dispose is younger than the libraries that most projects compile against.
  const types = {
    'index.d.ts': `/// <reference lib="esnext.disposable" />\n${await readTypes()}`,
    'inline.d.ts': again('./index.js'),
    'cpu.d.ts': await read('cpu.d.ts'),
    'cpu/inline.d.ts': again('../cpu.js'),
    'threads.d.ts': await read('threads.d.ts'),
  };
  for (const [name, text] of Object.entries(types)) {
    await writeFile(join(out, name), text);
    // For those who require(): TypeScript takes .d.ts for the types of a module.
    await writeFile(join(out, name.replace('.d.ts', '.d.cts')), text.replace(/(?<=from '[./]+\w+)\.js(?=')/g, '.cjs'));
  }
  for (const file of binaries()) await copyFile(join(root, 'src', 'js', 'wasm.d.ts'), join(out, `${file}.d.ts`));
}

/** Cargo's facts about the library's crate. */
function crate() {
  return metadata().packages.find(({ name }) => name === 'scatterwise');
}

/** The names of all binaries of the package. */
function binaries() {
  return published.flatMap((flavour) => Object.keys(builds).map((name) => wasmFile(flavour, name)));
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
    exports: {
      '.': conditions(''),
      './inline': inlineConditions('./inline.js', './node.cjs'),
      './cpu': conditions('cpu.'),
      './threads': {
        types: typesOf('./threads.js'),
        node: { 'module-sync': './threads.node.js', module: './threads.node.js', require: './threads.node.cjs', default: './threads.node.js' },
        module: './threads.js',
        require: './threads.node.cjs',
        default: './threads.js',
      },
      './cpu/inline': inlineConditions('./cpu/inline.js', './cpu.node.cjs'),
      './files': { types: './files.d.ts', default: './files.js' },
      './devtools': { types: './devtools.d.ts', default: './devtools.js' },
      './verify': { types: './verify.d.ts', node: './verify.node.js', development: './verify.inline.js', default: './verify.js' },
      ...Object.fromEntries(binaries().map((file) => [`./${file}`, { types: `./${file}.d.ts`, default: `./${file}` }])),
      './package.json': './package.json',
    },
    files: ['*.js', '*.cjs', '*.js.map', '*.d.ts', '*.d.cts', '*.wasm', 'cpu', 'LICENSE-*'],
    engines: { node: '>=20' },
  };
}

/**
 * Where an entry with a .wasm beside it leads, by who asks; the first condition that is known counts.
 *
 * - Development servers bundle what a project imports into a folder of theirs, away from the .wasm: they get the entry without one.
 * - `require` alone leads to CommonJS. Node's own `module-sync` and the bundlers' `module` come first, so that code which can have the
 *   module does not get a second copy of the library beside it: a tensor of one is none to the other.
 */
function conditions(prefix) {
  const [browser, inline] = prefix === '' ? ['./index.js', './inline.js'] : ['./cpu.js', './cpu/inline.js'];
  const [node, common] = [`./${prefix}node.js`, `./${prefix}node.cjs`];
  return {
    types: typesOf(browser),
    node: { 'module-sync': node, module: node, require: common, default: node },
    development: inline,
    module: browser,
    require: common, // Jest's jsdom, which is no `node` and has no fetch()
    default: browser,
  };
}

/** The same for an entry without a .wasm beside it: `file` as a module, and `common` for `require` alone. */
function inlineConditions(file, common) {
  return { types: typesOf(file), 'module-sync': file, module: file, require: common, default: file };
}

/** The types of a module, for those who require() it and for all others. */
function typesOf(file) {
  return { require: file.replace('.js', '.d.cts'), default: file.replace('.js', '.d.ts') };
}

/** Lets the tests and the playground import 'scatterwise' as its users do. */
async function link() {
  const path = join(root, 'node_modules', 'scatterwise');
  await rm(path, { recursive: true, force: true });
  await symlink(out, path, 'junction'); // on Windows, where others need a privilege; elsewhere the word is ignored
}
