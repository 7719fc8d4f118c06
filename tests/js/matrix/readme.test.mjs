// Whoever keeps to the text of the package's README gets a right result: its code, as it stands there, in Vite, in plain
// pages, in a worker and in Node, from the packed tarball.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, serve } from '../browser.mjs';
import { viteBuild, viteDev } from './bundlers.mjs';
import { freshFolder } from './install.mjs';

let browser;
before(async () => {
  browser = await launch({ webgpu: true });
});
after(() => browser?.close());

const installed = freshFolder();
after(installed.remove);
const readme = readFileSync(join(installed.folder, 'node_modules/scatterwise/README.md'), 'utf8');

/** The code of the README's first block after a text; the test fails where the README lacks that. */
function blockAfter(text) {
  const rest = readme.split(text)[1] ?? assert.fail(`the README lacks ${text}`);
  return rest.match(/```\w+\n([\s\S]*?)```/)[1];
}

/** The text of the page at `url`, once that begins with the name of a device. */
async function textOf(url) {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    await page.waitForFunction(() => /^(cpu|webgpu): /.test(document.body?.textContent.trim()));
    return (await page.textContent('body')).trim();
  } finally {
    await page.close();
  }
}

// On the CPU, although there is an adapter: device 'auto' does not take one that computes in software.
const right = 'cpu: [[5,0,0],[0,0,5]]';
const html = '<!doctype html><body></body><script type="module" src="./main.js"></script>';

const ways = {
  'Vite, dev server': viteDev,
  'Vite, build': viteBuild,
  'Vite 5, build': (folder, names) => viteBuild(folder, names, 'vite5'), // these two build for browsers without a top-level await
  'Vite 6, build': (folder, names) => viteBuild(folder, names, 'vite6'),
};
for (const [name, start] of Object.entries(ways)) {
  test(name, async (t) => {
    const { folder, remove } = freshFolder({ 'main.js': blockAfter('this is all of `main.js`'), 'index.html': html });
    t.after(remove);
    const server = await start(folder, ['index']);
    t.after(() => server.close());
    assert.equal(await textOf(server.url), right);
  });
}

test('a plain page', async (t) => {
  const { folder, remove } = freshFolder({ 'index.html': blockAfter('**A plain page**') });
  t.after(remove);
  const server = await serve(folder);
  t.after(() => server.close());
  assert.equal(await textOf(server.url), right);
});

test('an import map, and the package on another origin', async (t) => {
  const cdn = await serve(join(installed.folder, 'node_modules/scatterwise'), { headers: { 'access-control-allow-origin': '*' } });
  t.after(() => cdn.close());
  const block = blockAfter('**A CDN and an import map**');
  const moved = block.replace(/https:[^"]*\/(?=index\.js)/, cdn.url);
  assert.notEqual(moved, block);
  const { folder, remove } = freshFolder({ 'index.html': moved });
  t.after(remove);
  const server = await serve(folder);
  t.after(() => server.close());
  assert.equal(await textOf(server.url), right);
});

test('a module that is compiled once, for a worker', async (t) => {
  const worker = `import { init, Tensor } from './node_modules/scatterwise/index.js';
    globalThis.fetch = () => { throw new Error('it is there already'); };
    onmessage = async (event) => {
      const { device } = await init({ wasm: event.data.wasm });
      postMessage(device + ': ' + JSON.stringify(await Tensor.zeros([2, 3]).scatter_(1, [[0], [2]], 5).tolist()));
    };`;
  const main = `const worker = new Worker('./worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => (document.body.textContent = data);
    ${blockAfter('Several workers need one download')}`;
  const { folder, remove } = freshFolder({ 'index.html': html, 'main.js': main, 'worker.js': worker });
  t.after(remove);
  const server = await serve(folder);
  t.after(() => server.close());
  assert.equal(await textOf(server.url), right);
});

test('Node', (t) => {
  const { folder, remove } = freshFolder({ 'script.mjs': blockAfter('as `script.mjs`') });
  t.after(remove);
  assert.equal(execFileSync(process.execPath, ['script.mjs'], { cwd: folder, encoding: 'utf8' }), '[[5. 0. 0.]\n [0. 0. 5.]]\n');
});
