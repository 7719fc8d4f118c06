// Next.js: a server component, a route handler, one in the edge runtime, and the page, built by Turbopack and by webpack, and in
// development. Not part of `npm test`: Next.js takes 340 MB and a minute and a half for each way. To run it after `npm run package`:
//   npm install --prefix tests/js/next --no-package-lock && node --test tests/js/next/

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch } from '../browser.mjs';
import { tarball } from '../matrix/install.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const next = join(folder, 'node_modules/next/dist/bin/next');
const skip = !existsSync(next) && 'Next.js is not installed: see the top of this file';
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
delete env.NODE_ENV; // the tests' runner sets it
/** The result of the component, each handler and the page. */
const right = 'cpu: [[5,0,0],[0,0,5]]';
/** The file of the package that the handler in the edge runtime imports, from beside it. */
const binary = 'scatterwise_cpu_simd.wasm';

let browser;
before(async () => {
  if (skip) return;
  // A folder and no link: Turbopack follows none that leads out of the project.
  const installed = join(folder, 'node_modules/scatterwise');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed);
  const { status } = spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  assert.equal(status, 0);
  rmSync(join(folder, 'tsconfig.json'), { force: true }); // Next.js writes its own
  copyFileSync(join(installed, binary), join(folder, 'app/api/edge', binary));
  browser = await launch({});
});
after(async () => {
  await browser?.close();
  rmSync(join(folder, 'app/api/edge', binary), { force: true });
});

for (const bundler of ['turbopack', 'webpack']) {
  test(`built by ${bundler}`, { skip }, async (t) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [next, 'build', `--${bundler}`], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    await visit(t, ['start']);
  });

  test(`developed with ${bundler}`, { skip }, (t) => visit(t, ['dev', `--${bundler}`]));
}

/**
 * Starts a Next.js server with these arguments of its command line, and asserts the answers of its route handlers, the text of its
 * component and the result of the page.
 */
async function visit(t, args) {
  const server = spawn(process.execPath, [next, ...args, '--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  t.after(() => (server.kill(), ended));
  // The port is the system's choice; the server prints where it listens.
  const url = await new Promise((resolve) => {
    createInterface(server.stdout).on('line', (line) => line.includes('Local:') && resolve(line.match(/http:\S+/)[0]));
  });
  for (const path of ['sum', 'edge']) assert.equal(await (await fetch(`${url}/api/${path}`)).text(), right, path);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#client')?.textContent, undefined, { timeout: 60_000 });
  assert.deepEqual([await page.textContent('#server'), await page.textContent('#client')], [right, right]);
}
