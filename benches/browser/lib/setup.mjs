// Builds what the pages load, under target/bench/site: the package, the crates, the bundles of the rivals.

import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { optimiser } from '../../../tools/binary.mjs';
import { installPackages, installPeers, installRust } from '../../../tools/setup.mjs';
import { ask, root, run } from '../../../tools/shell.mjs';

const here = join(root, 'benches', 'browser');
export const site = join(root, 'target', 'bench', 'site');

/**
 * Builds the pages of these rivals and cold starts. `peers`: whether the libraries that are compared are installed; without, no rival may need
 * one. `build`: whether the package is built, or taken as it is.
 */
export async function setUp(rivals, starts, { peers = true, build = true } = {}) {
  await installPackages();
  await installRust();
  if (peers) await installPeers();
  if (build) await run(process.execPath, ['tools/package.mjs']);
  await rm(site, { recursive: true, force: true });
  await mkdir(join(site, 'assets'), { recursive: true });
  await cp(join(root, 'target', 'npm', 'scatterwise'), join(site, 'scatterwise'), { recursive: true });
  for (const crate of new Set(rivals.map((rival) => rival.crate).filter(Boolean))) await buildCrate(crate);
  await copyAssets([...rivals.map(({ id }) => id), ...starts.map(({ entry }) => entry)]);
  await bundle(rivals);
  for (const { entry } of starts) await bundleStart(entry);
  if (starts.length > 0) for (const file of ['blank.html', 'blank.js']) await cp(join(here, 'page', 'cold', file), join(site, 'cold', file));
}

/** The release profile of Burn and Candle, for the yardstick: it belongs to the workspace, whose own profile compiles for size. */
const fast = { OPT_LEVEL: '3', LTO: 'fat', CODEGEN_UNITS: '1', PANIC: 'abort' };
const profile = Object.fromEntries(Object.entries(fast).map(([name, value]) => [`CARGO_PROFILE_RELEASE_${name}`, value]));

/**
 * Builds a crate as WebAssembly, with SIMD as in the library, into the site's folder. The flag for getrandom is for crates that could draw
 * random numbers: they would not compile without it. Optimising takes minutes, so it is done once for a build.
 */
export async function buildCrate(crate) {
  const folder = crate === 'yardstick' ? join(root, 'benches', crate) : join(here, crate);
  const target = join(root, 'target', 'bench', 'cargo');
  const flags = ['build', '--release', '--locked', '--target', 'wasm32-unknown-unknown', '--target-dir', target];
  const env = { ...profile, RUSTFLAGS: '-C target-feature=+simd128 --cfg getrandom_backend="wasm_js"' };
  await run('cargo', [...flags, '--manifest-path', join(folder, 'Cargo.toml')], { env });
  const file = join(target, 'wasm32-unknown-unknown', 'release', `${crate}.wasm`);
  const optimised = join(target, `${crate}.wasm`);
  const [made, ...of] = await Promise.all([optimised, file, join(root, 'tools', 'binary.mjs')].map(changed)); // that file has the flags
  const wasmOpt = join(root, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
  if (made <= Math.max(...of)) await run(process.execPath, [wasmOpt, ...optimiser, file, '-o', optimised]); // as the library's
  await mkdir(site, { recursive: true });
  await cp(optimised, join(site, `${crate}.wasm`));
}

/** When a file was changed, in milliseconds; 0 without it. */
const changed = (file) => stat(file).then(({ mtimeMs }) => mtimeMs, () => 0);

/** Copies the files that the libraries of these pages fetch by themselves. `pages` are ids of rivals and entries of starts. */
async function copyAssets(pages) {
  // By the beginning of a page's name: the folder in node_modules, and which of its files.
  const assets = {
    'tfjs-wasm': ['@tensorflow/tfjs-backend-wasm/dist', /\.wasm$/],
    onnx: ['onnxruntime-web/dist', /^ort-wasm-simd-threaded\.(wasm|mjs)$/],
    'onnx-webgpu': ['onnxruntime-web/dist', /^ort-wasm-simd-threaded\.asyncify\.(wasm|mjs)$/],
  };
  for (const [prefix, [folder, pattern]] of Object.entries(assets)) {
    if (!pages.some((page) => page.startsWith(prefix))) continue;
    const from = join(here, 'node_modules', folder);
    for (const file of await readdir(from)) if (pattern.test(file)) await cp(join(from, file), join(site, 'assets', file));
  }
}

const bundling = {
  bundle: true,
  splitting: true, // or a library's optional backends would be loaded with it
  format: 'esm',
  platform: 'browser',
  minify: true,
  conditions: ['browser', 'import', 'default'],
  external: ['/scatterwise/*', 'node:*', 'fs', 'path', 'module', 'crypto', 'worker_threads', 'perf_hooks', 'os'],
  logLevel: 'error',
};

/** Bundles the rivals' scripts, and writes a page for each. */
async function bundle(rivals) {
  const esbuild = await import('esbuild'); // not at the top: it may have been installed only now
  const pages = [...new Set(rivals.map(({ entry }) => `rivals/${entry}`))];
  const entryPoints = pages.map((path) => join(here, 'page', path));
  await esbuild.build({ ...bundling, entryPoints, outdir: site, outbase: join(here, 'page') });
  for (const path of pages) await writeFile(join(site, path.replace(/\.js$/, '.html')), page(path));
  await writeFile(join(site, 'favicon.ico'), '');
}

/** Bundles a page of a cold start with what it imports at once in one script, as bundlers do, and the library's .wasm files beside it. */
async function bundleStart(entry) {
  const esbuild = await import('esbuild');
  const outdir = join(site, 'cold', entry);
  await esbuild.build({ ...bundling, entryPoints: [join(here, 'page', 'cold', `${entry}.js`)], outdir });
  const script = `cold/${entry}/${entry}.js`;
  const wanted = new Set((await readFile(join(site, script), 'utf8')).match(/scatterwise_\w+\.wasm/g));
  for (const file of wanted) await cp(join(site, 'scatterwise', file), join(outdir, file));
  await writeFile(join(site, 'cold', `${entry}.html`), page(script));
}

/** A page that has nothing but this script. */
const page = (script) => `<!doctype html>\n<meta charset="utf-8">\n<title>bench</title>\n<script type="module" src="/${script}"></script>\n`;

/** The versions of the compared packages and crates, by name, read from the installed ones; and that of rustc. */
export async function readVersions(rivals) {
  const versions = {};
  for (const name of new Set(rivals.map((rival) => rival.package).filter(Boolean))) {
    versions[name] = JSON.parse(await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;
  }
  for (const { crate, dependency } of rivals.filter((rival) => rival.dependency)) {
    const lock = await readFile(join(here, crate, 'Cargo.lock'), 'utf8');
    versions[dependency] = lock.match(`name = "${dependency}"\nversion = "(.+)"`)[1];
  }
  return { ...versions, rustc: ask('rustc', '--version') };
}
