// Each way of getting from source to pages. A function takes a folder with the sources and the package installed, and the names of the
// pages, each with a script of its name; it resolves to `{ url, close() }` of a server that has `NAME.html`. A tool's warning is an error.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serve } from '../browser.mjs';
import * as programs from './programs.mjs';

/** The strictest policy that WebAssembly runs under, as docs and README promise. */
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";
/** The headers by which a page is cross-origin isolated, as docs/THREADS.md has them. */
export const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
/** A server of the files in a folder, under that policy, whose pages are isolated. */
const strict = (folder) => serve(folder, { headers: { 'content-security-policy': policy, ...isolation } });

/** No bundler: the files as they are. */
export const plain = (folder) => strict(folder);

/** Vite's development server. `vite` is the package to import, of that version; `options` are those of its `server`, `more` others of Vite's. */
export async function viteDev(folder, names, vite = 'vite', options = {}, more = {}) {
  forgetMode();
  const { createServer } = await import(vite);
  const warnings = [];
  const server = await createServer({ root: folder, configFile: false, customLogger: quiet(warnings), server: { host: '127.0.0.1', port: 0, ...options }, ...more });
  await server.listen();
  const [url] = server.resolvedUrls.local;
  return {
    url,
    async close() {
      await server.close();
      complain('Vite', warnings);
    },
  };
}

/** Vite's build, of the version that is imported as `vite`; `workers` are options of its `worker`. */
export async function viteBuild(folder, names, vite = 'vite', workers = {}) {
  const { build } = await import(vite);
  const warnings = [];
  const input = names.map((name) => join(folder, `${name}.html`));
  // The newest version bundles by Rolldown, the older ones by Rollup.
  const isNewest = vite === 'vite';
  const checks = { pluginTimings: false }; // it warns of slow plugins on a busy machine
  const options = isNewest ? { rolldownOptions: { input, checks } } : { rollupOptions: { input } };
  Object.assign(options, { chunkSizeWarningLimit: 1000 }); // KB: the entries with the binary inside are larger than the 500 that Vite advises
  const worker = isNewest ? { rolldownOptions: { checks } } : {};
  forgetMode();
  // Workers as Vite makes them by default: in one file each, where an import() would be refused.
  await build({ root: folder, configFile: false, customLogger: quiet(warnings), build: options, worker: { ...worker, ...workers } });
  complain('Vite', warnings);
  return strict(join(folder, 'dist'));
}

/** webpack's build; `config` adds to its configuration. */
export async function webpack(folder, names, config = {}) {
  const entry = Object.fromEntries(names.map((name) => [name, `./${name}.js`]));
  await runWebpack({ context: folder, entry, output: { path: join(folder, 'dist'), filename: '[name].js' }, ...config });
  copyPages(folder, names);
  return strict(join(folder, 'dist'));
}

/** esbuild leaves `new URL('./….wasm', import.meta.url)` as it is: the files are copied beside the bundle. */
export async function esbuild(folder, names) {
  const { build } = await import('esbuild');
  // It does not follow `new Worker(new URL(…))`: the script of each worker is an entry of its own.
  const threads = names.filter((name) => name.endsWith('-worker')).map((name) => name.replace('-worker', '-thread'));
  const entryPoints = [...names, ...threads].map((name) => join(folder, `${name}.js`));
  const { warnings } = await build({ entryPoints, outdir: join(folder, 'dist'), bundle: true, format: 'esm', splitting: true, minify: true, logLevel: 'silent' });
  complain('esbuild', warnings.map(({ text }) => text));
  copyBinaries(folder);
  copyPages(folder, names);
  return strict(join(folder, 'dist'));
}

/** Bun leaves the address of the .wasm as it is, too: see `esbuild`. */
export async function bun(folder, names) {
  const scripts = names.map((name) => join(folder, `${name}.js`));
  execFileSync(programs.bun, ['build', ...scripts, '--production', '--outdir', join(folder, 'dist')], { cwd: folder, stdio: 'pipe' });
  copyBinaries(folder);
  copyPages(folder, names);
  return strict(join(folder, 'dist'));
}

/** Rollup leaves the address of the .wasm as it is, too: see `esbuild`. */
export async function rollup(folder, names) {
  await runRollup(folder, names);
  copyBinaries(folder);
  return strict(join(folder, 'dist'));
}

/** The first try of someone who has not read that the .wasm files have to be copied: the script asks for one that is not there. */
export async function rollupWithoutCopy(folder, names) {
  await runRollup(folder, names);
  return strict(join(folder, 'dist'));
}

/** Bundles each script by itself into `dist`, and copies the pages there. */
async function runRollup(folder, names) {
  const { rollup: run } = await import('rollup');
  const { default: resolve } = await import('@rollup/plugin-node-resolve');
  for (const name of names) {
    // The plugin takes this condition by itself unless NODE_ENV says otherwise, which a test runner may set.
    const plugins = [resolve({ exportConditions: ['production'] })];
    const bundle = await run({ input: join(folder, `${name}.js`), plugins, onwarn: ({ message }) => complain('Rollup', [message]) });
    await bundle.write({ file: join(folder, 'dist', `${name}.js`) });
    await bundle.close();
  }
  copyPages(folder, names);
}

/** One file for a server, and no .wasm beside it; resolves to the folder with `NAME-page.mjs`. */
export async function esbuildServer(folder, names) {
  const { build } = await import('esbuild');
  const entryPoints = names.map((name) => join(folder, `${name}-page.js`));
  const outdir = join(folder, 'lambda');
  const { warnings } = await build({ entryPoints, outdir, bundle: true, format: 'esm', platform: 'node', outExtension: { '.js': '.mjs' }, logLevel: 'silent' });
  complain('esbuild', warnings.map(({ text }) => text));
  return outdir;
}

/** The bundle that a framework's server imports; resolves to the folder with `NAME-page.mjs`. */
export async function webpackServer(folder, names) {
  const entry = Object.fromEntries(names.map((name) => [`${name}-page`, `./${name}-page.js`]));
  const output = { path: join(folder, 'server'), filename: '[name].mjs', library: { type: 'module' }, module: true };
  await runWebpack({ context: folder, entry, output, target: 'node20', experiments: { outputModule: true }, optimization: { minimize: false } }); // no one downloads it
  return output.path;
}

/** Runs webpack with this configuration beside what all its builds share. */
async function runWebpack(config) {
  const run = createRequire(import.meta.url)('webpack');
  // Hints are off: they would warn of every file over 244 KiB, whether a page fetches it or not.
  const stats = await new Promise((resolve, reject) => {
    run({ mode: 'production', performance: { hints: false }, ...config }, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
  const { errors, warnings } = stats.compilation;
  complain('webpack', [...errors, ...warnings].map(({ message }) => message));
}

/** Copies the package's .wasm files, and the script of the workers of `scatterwise/threads`, beside the bundle in `dist`. */
function copyBinaries(folder) {
  const packed = join(folder, 'node_modules/scatterwise');
  for (const file of readdirSync(packed).filter((name) => name.endsWith('.wasm') || name === 'threads.worker.js')) copyFileSync(join(packed, file), join(folder, 'dist', file));
}

function copyPages(folder, names) {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const name of names) copyFileSync(join(folder, `${name}.html`), join(folder, 'dist', `${name}.html`));
}

/** Vite leaves its mode in this process; a user's server and build have a process each. */
function forgetMode() {
  delete process.env.NODE_ENV;
}

/** A logger for Vite that prints nothing, and adds warnings and errors to a list. */
function quiet(warnings) {
  const warn = (text) => warnings.push(text);
  return { info() {}, warn, warnOnce: warn, error: warn, clearScreen() {}, hasErrorLogged: () => false, hasWarned: false };
}

/** Throws a tool's warnings, if there are any. */
function complain(tool, warnings) {
  if (warnings.length > 0) throw new Error(`${tool} complains:\n${warnings.join('\n')}`);
}
