// A loop that awaits values on the CPU and forgets its tensors, in other engines and runtimes than Node, and under a test's own timers.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launch, serve } from '../browser.mjs';
import { freshFolder } from './install.mjs';
import { bun, inDeno, noBun, noDeno } from './programs.mjs';

const run = promisify(execFile);
const own = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
const forget = readFileSync(new URL('../package/forget.js', import.meta.url), 'utf8');

/** The loops, as a script after a line with imports: both print their MiB, or tell `say`. */
const loops = (specifier, say) => `import * as scatterwise from '${specifier}';
import { forget } from './forget.js';
await scatterwise.init({ device: 'cpu' });
${say}([await forget(scatterwise, 4, 600), await forget(scatterwise, 64, 100)].join());
`;

/** A fresh folder with the package and the files, which goes when the test `t` ends. */
function fresh(t, files) {
  const { folder, remove } = freshFolder({ 'forget.js': forget, ...files });
  t.after(remove);
  return folder;
}

/** Checks the text of a script's loops. The second one begins with the memory of the first. */
function check(text) {
  const sizes = text.trim().split(',').map(Number);
  assert.ok(sizes.length === 2 && sizes.every((mib) => mib > 0 && mib <= 1024), `${text} MiB`);
}

test('Deno', { skip: noDeno }, async (t) => check(await inDeno(fresh(t, { 'loops.mjs': loops('scatterwise', 'console.log') }), 'loops.mjs')));

test('Bun', { skip: noBun }, async (t) => {
  const folder = fresh(t, { 'loops.mjs': loops('scatterwise', 'console.log') });
  check((await run(bun, ['loops.mjs'], { cwd: folder })).stdout);
});

for (const where of ['a page', 'a worker']) {
  test(`${where} in Chromium`, async (t) => {
    const worker = "const worker = new Worker('./loops.js', { type: 'module' });\nworker.onmessage = ({ data }) => (document.title = data);\n";
    const files = {
      'loops.js': loops('./node_modules/scatterwise/index.js', where === 'a page' ? '((text) => (document.title = text))' : 'postMessage'),
      'index.html': `<!doctype html><link rel="icon" href="data:," /><script type="module" ${where === 'a page' ? 'src="./loops.js">' : `>${worker}`}</script>`,
    };
    const browser = await launch({ webgpu: false });
    t.after(() => browser.close());
    const server = await serve(fresh(t, files));
    t.after(() => server.close());
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => document.title, undefined, { timeout: 120_000 });
    check(await page.title());
  });
}

// Enough rounds for several pauses.
const inTest = (timers) => `test('a loop', async () => {
  ${timers}.useFakeTimers();
  await scatterwise.init({ device: 'cpu' });
  expect(await forget(scatterwise, 4, 60)).toBeGreaterThan(0);
});
`;

for (const environment of ['node', 'jsdom']) {
  test(`Jest, ${environment}, fake timers`, async (t) => {
    const start = "const scatterwise = require('scatterwise');\nconst { forget } = require('./forget.cjs');\n";
    const files = { 'forget.cjs': forget.replace('export async function forget', 'exports.forget = async function'), 'loop.test.cjs': start + inTest('jest') };
    const folder = fresh(t, files);
    const config = JSON.stringify({ rootDir: folder, testEnvironment: own(`jest-environment-${environment}`) });
    await run(process.execPath, [own('jest/bin/jest.js'), '--config', config], { cwd: folder, timeout: 120_000 });
  });
}

for (const environment of ['node', 'jsdom', 'happy-dom']) {
  test(`Vitest, ${environment}, fake timers`, async (t) => {
    const start = "import * as scatterwise from 'scatterwise';\nimport { forget } from './forget.js';\n";
    const folder = fresh(t, { 'loop.test.mjs': start + inTest('vi') });
    await run(process.execPath, [own('vitest/vitest.mjs'), 'run', '--root', folder, '--globals', '--environment', environment], { cwd: folder, timeout: 120_000 });
  });
}
