// The examples, as they are, with the packed tarball beside them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, serve } from '../browser.mjs';
import { viteBuild, viteDev } from './bundlers.mjs';
import { freshFolder, root } from './install.mjs';

let browser;
before(async () => {
  browser = await launch({ webgpu: true });
});
after(() => browser?.close());

const examples = join(root, 'examples');
/** These need their peers, which are too large to install here: tests/peers runs them. */
const withPeers = ['onnxruntime-web', 'tfjs', 'three'];

function copyOf(t, name) {
  const { folder, remove } = freshFolder();
  t.after(remove);
  cpSync(join(examples, name), folder, { recursive: true });
  return folder;
}

/** What a page shows in its <output>. */
async function outputOf(t, server) {
  t.after(() => server.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);
  await page.waitForFunction(() => document.querySelector('output')?.textContent);
  assert.deepEqual(complaints, []);
  return page.textContent('output');
}

test('every example is run here or says why not', () => {
  const names = readdirSync(examples, { withFileTypes: true }).filter((each) => each.isDirectory()).map(({ name }) => name);
  const known = ['html', 'node', 'vite', 'worker'];
  assert.deepEqual(names.filter((name) => !withPeers.includes(name)).sort(), known);
  const list = readFileSync(join(examples, 'README.md'), 'utf8');
  for (const name of names) assert.ok(list.includes(`[${name}](${name}/)`), `${name} is not in the list`);
});

test('vite', async (t) => {
  assert.equal(await outputOf(t, await viteBuild(copyOf(t, 'vite'), ['index'])), '1000000 points counted on cpu');
});

test('html', async (t) => {
  assert.equal(await outputOf(t, await serve(copyOf(t, 'html'))), '[[ 2. 20.]\n [ 8. 80.]\n [ 0.  0.]\n [ 0.  0.]]');
});

test('node', (t) => {
  const folder = copyOf(t, 'node');
  const printed = execFileSync(process.execPath, ['histogram.mjs', 'points.npy', 'histogram.npy'], { cwd: folder, encoding: 'utf8' });
  assert.equal(printed, '[0 2 1 1 1 1 1 0 0 1]\n');
  const header = readFileSync(join(folder, 'histogram.npy')).subarray(10, 128).toString().trim();
  assert.equal(header, "{'descr': '<i4', 'fortran_order': False, 'shape': (10,), }");
});

for (const [way, start] of Object.entries({ 'dev server': viteDev, build: viteBuild })) {
  test(`worker, ${way}`, async (t) => {
    const counts = Array(10).fill(0);
    for (let i = 0; i < 100_000; i++) counts[(i * i) % 10]++;
    const folder = copyOf(t, 'worker');
    assert.equal(await outputOf(t, await start(folder, ['index'])), `counts: ${counts.join(' ')}`);
  });
}
