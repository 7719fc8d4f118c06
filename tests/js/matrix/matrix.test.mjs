// Every consumer, every entry of the package, every device: from the packed tarball in a fresh folder each.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, serve } from '../browser.mjs';
import * as bundlers from './bundlers.mjs';
import { devicesOf, entries, freshFolder } from './install.mjs';
import { noBun } from './programs.mjs';
import { blobPage, nodeFiles, pageFiles, renderedFiles, renderedPage } from './source.mjs';
import { all, cell, printTable } from './table.mjs';

let browser;
let page;
before(async () => {
  browser = await launch({ webgpu: true });
  page = await browser.newPage(); // one for all: a new one takes as long as a row on the CPU
});
after(async () => {
  const adapter = await nameOfAdapter().catch(() => '');
  await browser?.close();
  printTable('matrix', adapter);
});

/** What the page at `url` leaves in its root element, or why it leaves nothing; whatever its console complains of is a failure. */
async function visit(url) {
  const complaints = [];
  const onConsole = (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text());
  const onError = (error) => complaints.push(error.message);
  page.on('console', onConsole).on('pageerror', onError);
  try {
    await page.goto(url);
    const wait = page.waitForFunction(() => document.documentElement.dataset.result, undefined, { timeout: 120_000 });
    const result = await wait.then((handle) => handle.jsonValue()).catch((error) => `${error.message} ${complaints.join('\n')}`);
    assert.deepEqual(complaints, [], result);
    return result;
  } finally {
    page.off('console', onConsole).off('pageerror', onError);
    await page.goto('about:blank'); // the client of a development server complains once that is closed, which would be another row's error
  }
}

/** The name of the browser's WebGPU adapter; '' where it has none. */
async function nameOfAdapter() {
  await page.goto('chrome://version'); // any page on which there is navigator.gpu
  return page.evaluate(async () => {
    const { info } = (await navigator.gpu?.requestAdapter()) ?? {};
    return info ? info.description || `${info.vendor} ${info.architecture}` : '';
  });
}

const pages = entries.flatMap(({ name }) => [name, `${name}-worker`]);
/** Without a bundler, a page names files: nothing resolves `scatterwise` for it. */
const files = entries.map((entry) => ({ ...entry, specifier: `./node_modules/scatterwise/${entry.file}` }));

/** How each consumer makes and serves its pages (see bundlers.mjs), and the entries as its sources name them. */
const consumers = {
  'plain page': { serve: bundlers.plain, sources: files },
  'Vite, dev server': { serve: bundlers.viteDev, sources: entries },
  'Vite, build': { serve: bundlers.viteBuild, sources: entries },
  'webpack 5': { serve: bundlers.webpack, sources: entries },
  esbuild: { serve: bundlers.esbuild, sources: entries },
};

/** Older versions treat all entries alike: they get the first one, with one page and one worker each. */
const older = Object.fromEntries(
  ['5', '6', '7'].flatMap((version) => [
    [`Vite ${version}, dev server`, (folder, names) => bundlers.viteDev(folder, names, `vite${version}`)],
    [`Vite ${version}, build`, (folder, names) => bundlers.viteBuild(folder, names, `vite${version}`)],
  ]),
);

describe('pages and module workers', () => {
  for (const [consumer, { serve, sources }] of Object.entries(consumers)) {
    test(consumer, async (t) => {
      const { folder, remove } = freshFolder(pageFiles(sources));
      t.after(remove);
      const server = await serve(folder, pages);
      const cells = entries.flatMap((entry) =>
        devicesOf(entry).flatMap((device) => [
          () => cell(consumer, entry, device, () => visit(`${server.url}${entry.name}.html?device=${device}`)),
          () => cell(`${consumer}: worker`, entry, device, () => visit(`${server.url}${entry.name}-worker.html?device=${device}`)),
        ]),
      );
      try {
        await all(cells);
      } finally {
        await server.close();
      }
    });
  }
});

describe('the first entry', () => {
  const [entry] = entries;
  for (const [consumer, serve] of Object.entries(older)) {
    test(consumer, async (t) => {
      const { folder, remove } = freshFolder(pageFiles([entry]));
      t.after(remove);
      const server = await serve(folder, [entry.name, `${entry.name}-worker`]);
      try {
        await all([
          () => cell(consumer, entry, 'cpu', () => visit(`${server.url}${entry.name}.html?device=cpu`)),
          () => cell(`${consumer}: worker`, entry, 'cpu', () => visit(`${server.url}${entry.name}-worker.html?device=cpu`)),
        ]);
      } finally {
        await server.close();
      }
    });
  }

  test('Rollup', async (t) => {
    const { folder, remove } = freshFolder(pageFiles([entry]));
    t.after(remove);
    const server = await bundlers.rollup(folder, [entry.name]);
    t.after(() => server.close());
    await cell('Rollup', entry, 'cpu', () => visit(`${server.url}${entry.name}.html?device=cpu`));
  });

  test('bun build', { skip: noBun }, async (t) => {
    const { folder, remove } = freshFolder(pageFiles([entry]));
    t.after(remove);
    const server = await bundlers.bun(folder, [entry.name]);
    t.after(() => server.close());
    await cell('bun build', entry, 'cpu', () => visit(`${server.url}${entry.name}.html?device=cpu`));
  });

  test('whoever bundles and does not copy the .wasm is told to', async (t) => {
    const { folder, remove } = freshFolder(pageFiles([entry]));
    t.after(remove);
    const server = await bundlers.rollupWithoutCopy(folder, [entry.name]);
    t.after(() => server.close());
    await page.goto(`${server.url}${entry.name}.html?device=cpu`);
    await page.waitForFunction(() => document.documentElement.dataset.result);
    assert.match(
      await page.evaluate(() => document.documentElement.dataset.result),
      /HTTP 404 for the \.wasm at .*: a bundler may have moved the script and not the file; copy the package's \.wasm files beside the bundle, .* or import 'scatterwise\/inline'/,
    );
  });
});

/** A page that uses two entries in one bundle: the results of each, and the refusals of the other's tensors. */
const both = `
import * as core from 'scatterwise/core';
import * as whole from 'scatterwise';
const show = (text) => (document.documentElement.dataset.result = text);
const refused = (call) => { try { call(); return 'no'; } catch ({ message }) { return message; } };
async function use() {
  await core.init();
  await whole.init({ device: 'cpu' });
  const [small, large] = [core.Tensor.ones([2]), whole.Tensor.ones([2])];
  const results = [core, whole].map(({ Tensor }) => Tensor.zeros([2]).scatter_add(0, [1, 1], 3).data_sync().join());
  return JSON.stringify([...results, core.memory().tensors, whole.memory().tensors, refused(() => small.mul(large)), refused(() => large.mul(small))]);
}
use().then(show, (error) => show(String(error)));
`;

test('scatterwise/core: no warning of webpack about size, and beside scatterwise each keeps its own tensors', async (t) => {
  const core = entries.find(({ name }) => name === 'core');
  const alone = freshFolder(pageFiles([core]));
  t.after(alone.remove);
  const server = await bundlers.webpack(alone.folder, ['core'], { performance: { hints: 'warning' } });
  t.after(() => server.close());
  await cell('webpack 5, with hints', core, 'cpu', () => visit(`${server.url}core.html?device=cpu`));

  const { folder, remove } = freshFolder({ 'both.js': both, 'both.html': renderedPage('', './both.js') });
  t.after(remove);
  const together = await bundlers.webpack(folder, ['both']);
  t.after(() => together.close());
  const [ofCore, ofWhole, inCore, inWhole, ...refusals] = JSON.parse(await visit(`${together.url}both.html`));
  assert.deepEqual([ofCore, ofWhole, inCore, inWhole], ['0,6', '0,6', 3, 3]);
  for (const message of refusals) assert.match(message, /is a Tensor of another copy of scatterwise: .* or by two of its entries/);
});

test('scripts with URLs of their own: blob:…', async (t) => {
  const { folder, remove } = freshFolder(blobPage());
  t.after(remove);
  const server = await serve(folder);
  t.after(() => server.close());
  const [index, inline] = ['index', 'inline'].map((name) => entries.find((entry) => entry.name === name));
  const at = (entry) => visit(`${server.url}blob.html?device=cpu&entry=${entry}`);
  await all([() => cell('blob: URL, init({ wasm })', index, 'cpu', () => at('file')), () => cell('blob: URL', inline, 'cpu', () => at('inline'))]);
  assert.match(await at('alone'), /^RuntimeError: init: the script has no address of its own, .*init\(\{ wasm: url \}\), or import 'scatterwise\/inline'/);
});

/** Runs Node in a folder and resolves to its output; it may only warn of experimental features, such as require() of a module. */
const node = async (folder, ...args) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  const complaints = stderr.split('\n').filter((line) => line && !/ExperimentalWarning|node --trace-warnings/.test(line));
  assert.deepEqual(complaints, []);
  return stdout;
};

test('Node: import, import() and require()', async (t) => {
  const { folder, remove } = freshFolder(nodeFiles(entries));
  t.after(remove);
  // Before 20.19, require() takes no ES modules: a newer Node refuses them by a flag.
  const withoutModules = process.allowedNodeEnvironmentFlags.has('--experimental-require-module') ? ['--no-experimental-require-module'] : [];
  const ways = { import: ['mjs'], dynamic: ['cjs'], require: ['cjs'], 'require, before 20.19': ['cjs', ...withoutModules] };
  await all(
    Object.entries(ways).flatMap(([way, [ending, ...flags]]) =>
      entries.map((entry) => () => cell(`Node, ${way}`, entry, 'cpu', () => node(folder, ...flags, `${entry.name}-${way.split(',')[0]}.${ending}`))),
    ),
  );
});

/**
 * A script for a server's process, which renders by `module`. It removes the browser's globals: rendering must start nothing that needs them.
 */
const render = (module) => `
for (const name of ['navigator', 'document', 'self', 'window', 'fetch', 'WebAssembly', 'Worker']) delete globalThis[name];
const { render } = await import(${JSON.stringify(module)});
process.stdout.write(render());`;

test('a server renders, the browser hydrates', async (t) => {
  const { folder, remove } = freshFolder(renderedFiles(entries));
  t.after(remove);
  const built = await bundlers.webpackServer(folder, entries.map(({ name }) => name));
  const bodies = {};
  for (const { name } of entries) {
    const direct = await node(folder, '--input-type=module', '--eval', render(join(folder, `${name}-page.js`)));
    const bundled = await node(folder, '--input-type=module', '--eval', render(join(built, `${name}-page.mjs`)));
    assert.equal(bundled, direct);
    bodies[name] = direct;
  }
  const lambda = await bundlers.esbuildServer(folder, entries.map(({ name }) => name));
  const onServer = (where, name) => `const { run } = await import(${JSON.stringify(join(where, `${name}-page.mjs`))}); process.stdout.write(await run());`;
  for (const { name } of entries) writeFileSync(join(folder, `${name}.html`), renderedPage(bodies[name], `./${name}-client.js`));
  const server = await bundlers.viteBuild(folder, entries.map(({ name }) => name));
  t.after(() => server.close());
  await all([
    ...entries.map((entry) => () =>
      cell('server bundle (webpack)', entry, 'cpu', () => node(folder, '--input-type=module', '--eval', onServer(built, entry.name)))),
    ...entries.map((entry) => () =>
      cell('server bundle (esbuild)', entry, 'cpu', () => node(folder, '--input-type=module', '--eval', onServer(lambda, entry.name)))),
    ...entries.flatMap((entry) =>
      devicesOf(entry).map((device) => () => cell('rendered, hydrated', entry, device, () => visit(`${server.url}${entry.name}.html?device=${device}`)))),
  ]);
});
