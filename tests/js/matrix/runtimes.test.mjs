// Runtimes and test runners that are no browser: each entry in Jest, Bun and Deno, with the DOM of a test, and on WebGPU.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { entries, freshFolder, hasGpu } from './install.mjs';
import { bun, dawn, inDeno, noBun, noDawn, noDeno, vulkan } from './programs.mjs';
import { jestFiles, nodeFiles, right } from './source.mjs';
import { all, cell, printTable } from './table.mjs';

const run = promisify(execFile);
/** A file of this folder's node_modules. */
const own = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
const [index] = entries;
let adapter = ''; // the name of the last one that answered
const skipped = {}; // how many cells were skipped, by reason
after(() => printTable('runtimes', adapter, skipped));

/** A fresh folder with the files and the package in it, which goes when the test `t` ends. */
function fresh(t, files) {
  const { folder, remove } = freshFolder(files);
  t.after(remove);
  return folder;
}

// ---------------------------------------------------------------- Jest

/**
 * Ways to run Jest: with the tests of which `kind` of jestFiles(), for which entries, in which environment (`env`) and with what more in
 * its configuration. The last one has the line that the README has, and no inline entry, as that says.
 */
const jest = {
  'Jest, as installed': { kind: 'common', takes: entries },
  'Jest, jsdom': { kind: 'common', takes: entries, env: 'jest-environment-jsdom' },
  'Jest, ES modules': { kind: 'modules', takes: entries },
  'Jest, ES modules, jsdom': {
    kind: 'modules',
    takes: entries.filter(({ name }) => !name.includes('inline')),
    env: 'jest-environment-jsdom',
    config: { testEnvironmentOptions: { customExportConditions: ['node'] } },
  },
};

for (const [consumer, { kind, takes, env, config = {} }] of Object.entries(jest)) {
  test(consumer, async (t) => {
    const folder = fresh(t, jestFiles(takes));
    const settings = { ...config, rootDir: join(folder, kind), ...(kind === 'modules' && { transform: {} }), ...(env && { testEnvironment: own(env) }) };
    const options = { cwd: folder, env: { ...process.env, ...(kind === 'modules' && { NODE_OPTIONS: '--experimental-vm-modules' }) } };
    const { stdout } = await run(process.execPath, [own('jest/bin/jest.js'), '--json', '--config', JSON.stringify(settings)], options).catch((error) => error);
    const { testResults } = JSON.parse(stdout);
    const resultOf = ({ name }) => testResults.find((result) => result.name.includes(`/${name}.test.`)) ?? { message: 'it was not run' };
    await all(takes.map((entry) => () => cell(consumer, entry, 'cpu', () => (resultOf(entry).status === 'passed' ? right('cpu') : resultOf(entry).message))));
  });
}

test("Jest's jsdom with ES modules names the line that it needs", async (t) => {
  const folder = fresh(t, jestFiles(entries.filter(({ name }) => name === 'cpu')));
  const config = JSON.stringify({ rootDir: join(folder, 'modules'), transform: {}, testEnvironment: own('jest-environment-jsdom') });
  const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' };
  const { stderr } = await run(process.execPath, [own('jest/bin/jest.js'), '--config', config], { cwd: folder, env }).catch((error) => error);
  assert.match(stderr, /init: this environment has no fetch\(\); in Jest's jsdom set testEnvironmentOptions: \{ customExportConditions: \['node'\] \}/);
});

// ---------------------------------------------------------------- Vitest, and a DOM made of JavaScript

/** The entries with GPU code: those without it start in the same way. */
const full = entries.filter(hasGpu);

for (const environment of ['node', 'jsdom', 'happy-dom']) {
  test(`Vitest, ${environment}`, async (t) => {
    const folder = fresh(t, jestFiles(full));
    const args = ['run', '--root', join(folder, 'modules'), '--globals', '--environment', environment, '--reporter', 'json'];
    const { stdout, stderr } = await run(process.execPath, [own('vitest/vitest.mjs'), ...args], { cwd: folder }).catch((error) => error);
    const { testResults } = JSON.parse(stdout.includes('{') ? stdout.slice(stdout.indexOf('{')) : '{ "testResults": [] }');
    const resultOf = ({ name }) => testResults.find((result) => result.name.endsWith(`/${name}.test.mjs`)) ?? { message: `it was not run: ${stderr}` };
    const failed = (result) => result.message || result.assertionResults.flatMap(({ failureMessages }) => failureMessages).join('\n');
    await all(full.map((entry) => () => cell(`Vitest, ${environment}`, entry, 'cpu', () => (resultOf(entry).status === 'passed' ? right('cpu') : failed(resultOf(entry))))));
  });
}

test('happy-dom', async (t) => {
  const folder = fresh(t, nodeFiles(full));
  const start = `const { GlobalRegistrator } = await import(${JSON.stringify(pathToFileURL(own('@happy-dom/global-registrator/lib/index.js')))});
    GlobalRegistrator.register({ url: 'http://localhost/' });`;
  const script = ({ name }) => `${start}\nawait import(${JSON.stringify(pathToFileURL(join(folder, `${name}-import.mjs`)))});`;
  const inNode = async (entry) => (await run(process.execPath, ['--input-type=module', '--eval', script(entry)], { cwd: folder })).stdout;
  await all(full.map((entry) => () => cell('Node, happy-dom', entry, 'cpu', () => inNode(entry))));
});

// ---------------------------------------------------------------- Bun and Deno

test('Bun', { skip: noBun }, async (t) => {
  const folder = fresh(t, nodeFiles(entries));
  const ways = { import: 'mjs', require: 'cjs' };
  const inBun = async (name) => (await run(bun, [join(folder, name)], { cwd: folder })).stdout;
  await all(Object.entries(ways).flatMap(([way, ending]) => entries.map((entry) => () => cell(`Bun, ${way}`, entry, 'cpu', () => inBun(`${entry.name}-${way}.${ending}`)))));
});

test('bun build, for a server', { skip: noBun }, async (t) => {
  const folder = fresh(t, nodeFiles([index]));
  for (const [target, program] of Object.entries({ bun, node: process.execPath })) {
    const out = join(folder, `dist-${target}`, 'server.mjs');
    await run(bun, ['build', `${index.name}-import.mjs`, '--production', '--target', target, '--outfile', out], { cwd: folder });
    await cell(`bun build, target ${target}`, index, 'cpu', async () => (await run(program, [out], { cwd: folder })).stdout);
  }
});

test('Deno', { skip: noDeno }, async (t) => {
  const folder = fresh(t, nodeFiles(entries));
  await all(entries.map((entry) => () => cell('Deno', entry, 'cpu', () => inDeno(folder, `${entry.name}-import.mjs`))));
});

// ---------------------------------------------------------------- WebGPU without a browser

/**
 * A script that prints `{ result, adapter }` as JSON: what `use` makes of the package on WebGPU, or 'none' where no adapter answers, and
 * the name of the adapter. `gpu` is a line that declares a variable of that name, the GPU of WebGPU; `options` are the text of those of
 * init().
 */
const onWebgpu = (specifier, gpu, options = "device: 'webgpu'") => `
import { backend, IndexError, init, Tensor } from '${specifier}';
import { use } from './use.js';
${gpu}
const adapter = await gpu?.requestAdapter();
const result = adapter ? await use({ IndexError, Tensor, init }, { ${options} }) : 'none';
console.log(JSON.stringify({ result, adapter: backendOf() }));
function backendOf() {
  return adapter ? backend().webgpu.description : '';
}
`;

/** Makes a cell from such a script's output (`output`, a promise). Without an adapter it is skipped, and counted as that. */
async function webgpuCell(t, consumer, output) {
  const { result, adapter: name } = JSON.parse(await output);
  if (result === 'none') {
    skipped[`${consumer} has no adapter`] = 1;
    return t.skip('no adapter answers: a software one is Vulkan\'s lavapipe or SwiftShader');
  }
  adapter = name;
  await cell(consumer, index, 'webgpu', async () => result);
}

test("Node on WebGPU, by the package 'webgpu'", { skip: noDawn }, async (t) => {
  const start = `import { create, globals } from ${JSON.stringify(pathToFileURL(dawn ?? ''))};
Object.assign(globalThis, globals);
const gpu = create([]);`;
  const given = onWebgpu('scatterwise', start, "device: 'webgpu', gpu");
  const device = onWebgpu('scatterwise', start, 'gpu_device: await adapter.requestDevice()');
  const found = onWebgpu('scatterwise', `${start}\nObject.defineProperty(globalThis, 'navigator', { value: { gpu }, configurable: true });`);
  const folder = fresh(t, { ...nodeFiles([index]), 'given.mjs': given, 'device.mjs': device, 'found.mjs': found });
  const inNode = async (name) => (await run(process.execPath, [name], { cwd: folder, env: { ...process.env, ...vulkan } })).stdout;
  await webgpuCell(t, 'Node, init({ gpu })', inNode('given.mjs'));
  await webgpuCell(t, 'Node, init({ gpu_device })', inNode('device.mjs'));
  await webgpuCell(t, 'Node, navigator.gpu', inNode('found.mjs'));
});

test('Deno on its own WebGPU', { skip: noDeno }, async (t) => {
  const folder = fresh(t, { ...nodeFiles([index]), 'webgpu.mjs': onWebgpu('scatterwise', 'const { gpu } = navigator;') });
  await webgpuCell(t, 'Deno, navigator.gpu', inDeno(folder, 'webgpu.mjs'));
});
