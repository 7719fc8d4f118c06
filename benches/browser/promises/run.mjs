// `npm run promises`: makes the calls of scatterwise-vectors by each library, writes docs/promises/results.json, and from it the pages. `--
// --only tfjs,onnx` measures these libraries again and keeps the others. Pages need Chromium; the Python libraries are measured if the
// python3 on the path, or `-- --python PROGRAM`, has numpy, ml_dtypes, torch, jax or onnx; Burn if cargo can build it within `-- --minutes 25`,
// and its GPU if lavapipe is there. What cannot run keeps its last results; if it has none, the page says why.

import { spawn } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { launch, serve } from '../../../tests/js/browser.mjs';
import { libraries, readResults, resultsFile, summaryOf, writePages } from '../../../tools/promises.mjs';
import { findLavapipe } from '../../../tools/machine.mjs';
import { installPeers } from '../../../tools/setup.mjs';
import { main, root, run, Trouble } from '../../../tools/shell.mjs';
import { writeVectors } from '../../../tools/vectors.mjs';

const here = join(root, 'benches', 'browser');
const site = join(root, 'target', 'promises');
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const patience = 300_000;
const { only, python, minutes } = parseArgs({ options: { only: { type: 'string' }, python: { type: 'string', default: 'python3' }, minutes: { type: 'string', default: '25' } } }).values;

/** Bundles the page, and puts the package, the vectors and what libraries fetch beside it. */
async function prepare() {
  await installPeers();
  await rm(site, { recursive: true, force: true });
  await mkdir(join(site, 'assets'), { recursive: true });
  writeVectors(join(site, 'vectors'));
  await cp(join(root, 'target', 'npm', 'scatterwise'), join(site, 'scatterwise'), { recursive: true });
  const fetched = [['@tensorflow/tfjs-backend-wasm/dist', /\.wasm$/], ['onnxruntime-web/dist', /^ort-wasm-simd-threaded(\.asyncify)?\.(wasm|mjs)$/]];
  for (const [folder, pattern] of fetched) {
    const from = join(here, 'node_modules', folder);
    for (const file of readdirSync(from).filter((name) => pattern.test(name))) await cp(join(from, file), join(site, 'assets', file));
  }
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(here, 'promises', 'page.js')], outdir: site, bundle: true, splitting: true, format: 'esm', platform: 'browser', conditions: ['browser', 'import', 'default'],
    external: ['/vectors/*', '/scatterwise/*', 'node:*', 'fs', 'path', 'module', 'crypto', 'worker_threads', 'perf_hooks', 'os'], logLevel: 'error',
  });
  await writeFile(join(site, 'index.html'), '<!doctype html>\n<meta charset="utf-8">\n<title>promises</title>\n<script type="module" src="/page.js"></script>\n');
}

/** The version of a package of npm, as installed. */
const installed = async (name) => JSON.parse(await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;
const own = async () => JSON.parse(await readFile(join(root, 'target', 'npm', 'scatterwise', 'package.json'), 'utf8')).version;

const within = (milliseconds, promise) => Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(`no answer in ${milliseconds / 1000} s`)), milliseconds).unref())]);

/** The report of a library in a page of its own. Files run one after the other, each in a fresh page, so that a crash costs one file. */
async function inPage({ library, device, package: name }) {
  const browser = await launch({ webgpu: device === 'webgpu', canvas: device === 'webgl' });
  const server = await serve(site, { headers: device === 'threads' ? isolation : {} });
  try {
    const version = name ? await installed(name) : await own();
    const query = new URLSearchParams({ library, device, version });
    const { files } = JSON.parse(await readFile(join(site, 'vectors', 'vectors', 'index.json'), 'utf8'));
    let whole;
    for (const file of Object.keys(files)) {
      const page = await (await browser.newContext()).newPage();
      try {
        await page.goto(`${server.url}?${query}`);
        await within(60_000, page.waitForFunction('globalThis.started', undefined, { timeout: 60_000 }).then(() => page.evaluate('started')));
        const report = await within(patience, page.evaluate((only) => measure(only), { file, promise: Object.keys(JSON.parse(await readFile(join(site, 'vectors', 'vectors', 'index.json'), 'utf8')).promises) }));
        whole = whole ? { ...report, results: [...whole.results, ...report.results] } : report;
      } catch (error) {
        if (!whole) throw error;
        console.log(`  ${file}: ${error.message.split('\n')[0]}`);
      }
      await page.close().catch(() => {});
    }
    return { ...whole, environment: `Chromium ${browser.version()}${{ webgpu: ', WebGPU on SwiftShader', webgl: ', WebGL 2 on SwiftShader' }[device] ?? ''}` };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The program that answers for a backend of Burn, built; its folder is a Cargo workspace of its own. */
async function builtBurn(device) {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target', 'burn');
  const features = device === 'wgpu' ? ['--features', 'wgpu'] : [];
  const cargo = spawn('cargo', ['build', '--release', '--locked', ...features, '--manifest-path', join(here, 'promises', 'burn', 'Cargo.toml'), '--target-dir', target], { stdio: 'inherit' });
  const ended = new Promise((resolve, reject) => cargo.on('error', reject).on('close', resolve));
  const code = await within(60_000 * minutes, ended).catch(() => {
    cargo.kill();
    throw new Trouble(`cargo did not build it in time, on ${availableParallelism()} cores`);
  });
  if (code !== 0) throw new Trouble(`cargo did not build it: exit code ${code}`);
  const program = join(target, `burn-answers-${device}`); // the next build takes the place of the program
  await copyFile(join(target, 'release', 'burn-answers'), program);
  return program;
}

/** How each program that is no page starts: `{ command, parameters, environment }`. */
const programs = {
  python: async ({ library }) => ({ command: python, parameters: [join(here, 'promises', 'python.py'), library], environment: 'CPU' }),
  burn: async ({ device }) => ({ command: await builtBurn(device), parameters: [device], environment: device === 'wgpu' ? 'Vulkan on lavapipe' : 'CPU' }),
};

/** An adapter whose calls a process answers, one on each line. Resolves to `{ adapter, environment, stop }`. */
async function processOf(library) {
  const { ARRAYS } = await import(join(site, 'vectors', 'index.js'));
  const { command, parameters, environment } = await programs[library.program](library);
  const child = spawn(command, parameters, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...(library.device === 'wgpu' && { VK_DRIVER_FILES: findLavapipe() }) } });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Trouble(`${command} does not answer for ${library.library}`);
    return JSON.parse(value);
  };
  const plain = (value) => {
    if (Array.isArray(value)) return value.map(plain);
    if (value?.data) return { dtype: value.dtype, shape: value.shape, data: Buffer.from(value.data.buffer, value.data.byteOffset, value.data.byteLength).toString('base64') };
    return typeof value === 'bigint' ? String(value) : value;
  };
  const value = ({ dtype, shape, data }) => ({ dtype, shape, data: new ARRAYS[dtype](Uint8Array.from(Buffer.from(data, 'base64')).buffer) });
  const { version } = await within(60_000, read());
  const adapter = {
    name: library.library, version, device: library.device ?? 'cpu',
    async call({ op, self, args, options }, watch) {
      const isPlain = (each) => typeof each !== 'bigint' && !(Array.isArray(each) && each.some((one) => one?.data));
      if (![...Object.values(args), ...Object.values(options)].every(isPlain)) return 'tensors and numbers only';
      const entries = (record) => Object.fromEntries(Object.entries(record).map(([key, each]) => [key, plain(each)]));
      child.stdin.write(`${JSON.stringify({ op, self: plain(self), args: entries(args), options: entries(options) })}\n`);
      const { result, lacks, error, after } = await within(60_000, read());
      if (lacks) return lacks;
      if (after) watch(() => value(after));
      if (error) throw Object.assign(new Error(error.slice(error.indexOf(':') + 2)), { name: error.split(':')[0] });
      return ARRAYS[result.dtype] ? value(result) : `a result of ${result.dtype}`;
    },
  };
  return { adapter, environment, stop: () => child.kill() };
}

/** The report of a library outside of JavaScript. `beside` names its own CPU backend. */
async function inProcess(library) {
  const { run: runVectors, readIndex, load } = await import(join(site, 'vectors', 'index.js'));
  const { adapter, environment, stop } = await processOf(library);
  const cpu = library.beside && (await processOf({ ...library, device: library.beside }));
  try {
    const { promises } = await readIndex();
    const report = await runVectors(adapter, { vectors: await load({ promise: Object.keys(promises) }), beside: cpu?.adapter });
    return { ...report, environment };
  } finally {
    stop();
    cpu?.stop();
  }
}

await main(async () => {
    if (!existsSync(join(root, 'target', 'npm', 'scatterwise'))) await run('npm', ['run', 'package']);
  await prepare();
  const results = readResults();
  for (const library of libraries.filter(({ id }) => !only || only.split(',').some((start) => id.startsWith(start)))) {
    const start = performance.now();
    try {
      const report = library.program ? await inProcess(library) : await inPage(library);
      results[library.id] = { ...summaryOf(report), environment: report.environment, date: new Date().toISOString().slice(0, 10) };
      console.log(`${library.id}: ${JSON.stringify(results[library.id].counts)} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    } catch (error) {
      const [failed] = error.message.split('\n');
      console.log(`${library.id} does not run: ${failed}`);
      if (!results[library.id]?.promises) results[library.id] = { failed, date: new Date().toISOString().slice(0, 10) };
    }
    await mkdir(join(root, 'docs', 'promises'), { recursive: true });
    await writeFile(resultsFile, `${JSON.stringify(results, null, 1)}\n`);
  }
  await writePages();
});
