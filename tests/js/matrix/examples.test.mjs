// The examples, as they are, with the packed tarball beside them, and the libraries that they share a GPU with.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, serve } from '../browser.mjs';
import { viteBuild, viteDev } from './bundlers.mjs';
import { freshFolder, root, write } from './install.mjs';

let browser;
before(async () => {
  browser = await launch({ webgpu: true });
});
after(() => browser?.close());

const examples = join(root, 'examples');
/** tests/js/peers runs these: the peers of the first three are too large to install here. */
const withPeers = ['deckgl', 'onnxruntime-web', 'tfjs', 'three'];

/** A folder with a copy of an example and the package installed, which goes when the test `t` ends. */
function copyOf(t, name) {
  const { folder, remove } = freshFolder();
  t.after(remove);
  cpSync(join(examples, name), folder, { recursive: true });
  return folder;
}

/** The server's page, once it has text in its <output>; the test fails where its console complains. Page and server close when it ends. */
async function pageOf(t, server) {
  t.after(() => server.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);
  await page.waitForFunction(() => document.querySelector('output')?.textContent);
  assert.deepEqual(complaints, []);
  return page;
}

const outputOf = async (t, server) => (await pageOf(t, server)).textContent('output');

test('every example is run here or says why not', () => {
  const names = readdirSync(examples, { withFileTypes: true }).filter((each) => each.isDirectory()).map(({ name }) => name);
  const known = [...Object.keys(onOneDevice), 'exact-parts', 'exact-workers', 'html', 'node', 'vite', 'worker'];
  assert.deepEqual(names.filter((name) => !withPeers.includes(name)).sort(), known.sort());
  const list = readFileSync(join(examples, 'README.md'), 'utf8');
  for (const name of names) assert.ok(list.includes(`[${name}](${name}/)`), `${name} is not in the list`);
});

test('vite', async (t) => {
  const page = await pageOf(t, await viteBuild(copyOf(t, 'vite'), ['index']));
  assert.equal(await page.textContent('output'), '1000000 points counted on cpu');
  // A picture of the counts, opaque: bright in the middle of the cloud of points, dark in a corner that no point reaches.
  const [middle, corner] = await page.evaluate(() => {
    const context = document.querySelector('canvas').getContext('2d');
    return [[160, 160], [255, 0]].map((at) => [...context.getImageData(...at, 1, 1).data]);
  });
  assert.ok(middle[0] > 100 && middle[3] === 255, `the middle is ${middle}`);
  assert.ok(corner[0] < 20 && corner[3] === 255, `the corner is ${corner}`);
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
    // What the example counts: the last digits of squares.
    const counts = Array(10).fill(0);
    for (let i = 0; i < 100_000; i++) counts[(i * i) % 10]++;
    const folder = copyOf(t, 'worker');
    assert.equal(await outputOf(t, await start(folder, ['index'])), `counts: ${counts.join(' ')}`);
  });
}

/** The numbers in a line. */
const numbersIn = (line) => line.trim().split(/\s+/).map(Number);

test('exact-workers', async (t) => {
  const text = await outputOf(t, await viteDev(copyOf(t, 'exact-workers'), ['index']));
  assert.match(text, /^(\S+ ){3}\(in one call the same; in order (\S+ ?){3}\)$/);
  const [merged, ordered] = [/^[^(]+/, /in order ([^)]+)/].map((pattern) => numbersIn(text.match(pattern).at(-1)));
  assert.notDeepEqual(merged, ordered, 'rounding on the way shows');
});

test('exact-parts, in JavaScript and, where it is there, in Python and by Dask', (t) => {
  const folder = copyOf(t, 'exact-parts');
  const run = (...args) => execFileSync(args[0], args.slice(1), { cwd: folder, encoding: 'utf8' });
  const node = (...args) => run(process.execPath, ...args);
  node('make.mjs', 'numbers.f32');
  node('chunks.mjs', 'numbers.f32', 'whole.xsum');
  const cuts = [0, 1, 300_001, 999_999, 1_000_000];
  const parts = cuts.slice(1).map((end, k) => [`part${k}.xsum`, cuts[k], end]);
  for (const [name, first, end] of parts) node('chunks.mjs', 'numbers.f32', name, `${first}`, `${end}`);
  const names = [2, 0, 3, 1].map((k) => parts[k][0]);
  const sums = numbersIn(node('merge.mjs', ...names));
  assert.deepEqual(sums, numbersIn(node('merge.mjs', 'whole.xsum')));
  const python = (...args) => {
    try {
      return run('python3', ...args);
    } catch (error) {
      if (error.code === 'ENOENT' || /No module named/.test(error.stderr)) return undefined;
      throw error;
    }
  };
  const merging = `
import sys
from functools import reduce
from exact_sum import ExactSum
read = lambda name: ExactSum.from_bytes(open(name, 'rb').read())
merged = reduce(ExactSum.merge, map(read, sys.argv[2:]))
assert all(read(name).to_bytes() == open(name, 'rb').read() for name in sys.argv[1:])
assert merged.to_bytes() == open(sys.argv[1], 'rb').read()
print(*merged.sum())`;
  const inPython = python('-c', merging, 'whole.xsum', ...names);
  if (inPython === undefined) return t.diagnostic('there is no python3');
  assert.deepEqual(numbersIn(inPython), sums);
  const byDask = python('reduce.py', ...names);
  if (byDask === undefined) return t.diagnostic('there is no Dask');
  assert.deepEqual(numbersIn(byDask), sums);
});

// ---------------------------------------------------------------- on the GPUDevice of another library

/** Examples that draw bars as high as their counts, on a canvas of 256 × 256, and read nothing back; the packages that each needs. */
const onOneDevice = {
  luma: ['@luma.gl/core', '@luma.gl/engine', '@luma.gl/webgpu'],
  'three-webgpu': ['three'],
  typegpu: ['typegpu'],
};

/** Runs in a page before its scripts, and counts in `globalThis.reads` how often a buffer is mapped for reading. */
function countReads() {
  globalThis.reads = 0;
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = function (mode, ...rest) {
    if (mode & GPUMapMode.READ) globalThis.reads += 1;
    return mapAsync.call(this, mode, ...rest);
  };
}

/**
 * A page that starts the library and does nothing else. The start tries the adapter's arithmetic and reads the results: those reads do not
 * count.
 */
const idle = {
  'idle.html': '<!doctype html><link rel="icon" href="data:," /><output></output><script type="module" src="./idle.js"></script>',
  'idle.js': `import { init } from 'scatterwise';
    await init({ gpu_device: await (await navigator.gpu.requestAdapter()).requestDevice() });
    document.querySelector('output').textContent = 'started';`,
};

/** The height of each of the 16 bars on a page's canvas: how many pixels of the column in its middle are orange. */
async function barHeights(page) {
  const picture = (await page.locator('canvas').screenshot()).toString('base64');
  return page.evaluate(async (picture) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(256, 256).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const orange = (x, y) => {
      const [red, green, blue] = context.getImageData(x, y, 1, 1).data;
      return red > 200 && green > 120 && green < 200 && blue < 60;
    };
    return Array.from({ length: 16 }, (_, bar) => Array.from({ length: 256 }, (_, y) => orange(16 * bar + 8, y)).filter(Boolean).length);
  }, picture);
}

describe('drawn from the buffer that scatter_add_ wrote, without a read-back', () => {
  let drawing;
  before(async () => {
    drawing = await launch({ webgpu: true, canvas: true });
  });
  after(() => drawing?.close());

  for (const [name, peers] of Object.entries(onOneDevice)) test(name, (t) => assertDraws(t, drawing, name, peers));
});

/**
 * Asserts that an example draws its bars, in the browser `drawing`, and reads no buffer back. `peers` are packages that it needs beside
 * ours.
 */
async function assertDraws(t, drawing, name, peers) {
  const folder = copyOf(t, name);
  write(folder, idle);
  for (const peer of peers) {
    const [from, to] = [join(root, 'tests/js/matrix/node_modules', peer), join(folder, 'node_modules', peer)];
    mkdirSync(dirname(to), { recursive: true });
    if (!existsSync(to)) symlinkSync(from, to);
  }
  const server = await viteDev(folder, [], 'vite', { fs: { strict: false } });
  t.after(() => server.close());
  const page = await drawing.newPage();
  t.after(() => page.close());
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(countReads);
  /** Opens a page and resolves to how many reads there were when it has its output. */
  const readsOf = async (path) => {
    await page.goto(`${server.url}${path}`);
    await page.waitForFunction(() => document.querySelector('output')?.textContent, undefined, { timeout: 120_000 });
    assert.deepEqual(complaints, []);
    return page.evaluate(() => globalThis.reads);
  };
  const atStart = await readsOf('idle.html');
  assert.equal(await readsOf(''), atStart, 'buffers were read back');
  // What the examples count: 20,000 numbers from 0 to 1, squared, in 16 bins. A bar of 256 pixels is 5,000.
  const counts = Array(16).fill(0);
  for (let i = 0; i < 20_000; i++) counts[Math.floor(16 * (((i * 7919) % 20_000) / 20_000) ** 2)]++;
  const bars = await barHeights(page);
  counts.forEach((count, bar) => assert.ok(Math.abs(bars[bar] - (256 * count) / 5000) <= 1, `bar ${bar} of ${count} is ${bars[bar]} pixels high: ${bars}`));
}
