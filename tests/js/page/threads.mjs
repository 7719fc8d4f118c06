// Threads in the playground: where its page is isolated, and where it is not; who sends the headers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServer, preview } from 'vite';
import { serve } from '../browser.mjs';
import { missing, startFirefox } from '../firefox.mjs';

const www = fileURLToPath(new URL('../../../www', import.meta.url));
const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Waits until no code runs. */
const finished = (page) => page.locator('.workbench[aria-busy="false"] .run[aria-busy="false"]').first().waitFor();

/** Types code in place of that in the editor, runs it, and waits until it has run. */
async function runCode(page, code) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
  await page.keyboard.press('ControlOrMeta+Enter');
  await finished(page);
}

/** Opens the playground as on a second visit, when the service worker adds the headers. */
async function openAgain(open, path, options) {
  const opened = await open(path, { serviceWorkers: 'allow', ...options });
  const { page } = opened;
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' || new Promise((next) => active.addEventListener('statechange', next))));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.reload();
  await finished(page);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  return opened;
}

const textOf = async (page, part) => (await page.locator(part).first().innerText()).replace(/\s+/g, ' ');
const head = (page) => textOf(page, '.run-head');

export function testThreads({ open }) {
  for (const [path, words] of [['playground.html', /^One thread: .*not cross-origin isolated/], ['zh/playground.html', /^单线程：.*跨源隔离/]]) {
    test(`${path} on a host without the headers has one thread and says why`, async () => {
      const { page, problems, close } = await open(path);
      await finished(page);
      assert.equal(await page.locator('input[name="threads"]').isDisabled(), true);
      assert.match(await page.locator('.writing .status').first().innerText(), words);
      assert.doesNotMatch(await head(page), /thread|线程/);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test('from the second visit on the playground runs code on threads, on the CPU alone, and a link keeps that', async () => {
    const { page, problems, close } = await openAgain(open, 'playground.html', { webgpu: true });
    await page.locator('input[name="threads"]').check();
    await runCode(page, "import { keep_awake as awake, Tensor as T } from 'scatterwise/threads';\nconst x = T.full([1 << 20], 1.5);\nconsole.log(backend().threads.count > 1, awake(() => x.mul(x).data_sync().every((value) => value === 2.25)), crossOriginIsolated);");
    assert.equal(await textOf(page, '.run .output'), 'true true true');
    assert.match(await head(page), /^CPU [\d.,]+ ms · \d+ threads$/);
    const link = page.url();
    await page.locator('.writing .switch label', { hasText: 'Both' }).click();
    await page.getByLabel('Start from').selectOption('scatter');
    await page.locator('.workbench[aria-busy="false"] .both .verdict').waitFor();
    assert.match(await page.locator('.both .verdict').innerText(), /✓ the same bits on both devices/);
    assert.doesNotMatch(await page.locator('.run-head').last().innerText(), /thread/, 'WebGPU has a sandbox without them');
    await page.goto('about:blank');
    await page.goto(link);
    await finished(page);
    assert.equal(await page.locator('input[name="threads"]').isChecked(), true);
    assert.match(await head(page), /\d+ threads$/);
    assert.deepEqual(problems, []);
    await close();
  });

  test('code on threads reaches neither this site nor the network', async () => {
    const { page, problems, close } = await openAgain(open, 'playground.html');
    await page.locator('input[name="threads"]').check();
    await runCode(page, `const attempts = {
  network: () => fetch('${page.url()}'),
  module: () => import('${page.url()}'),
  script: () => importScripts('${page.url()}'),
  caches: () => caches.open('scatterwise'),
  worker: () => new Promise((done, fail) => { const w = new Worker('${page.url()}'); w.onerror = fail; setTimeout(done, 3000); }),
  nested: () => new Promise((done, fail) => {
    const text = "fetch('${page.url()}').then(() => postMessage(1), () => postMessage(0))";
    new Worker(URL.createObjectURL(new Blob([text]))).onmessage = ({ data }) => (data ? done() : fail());
  }),
};
const reached = [];
for (const [name, attempt] of Object.entries(attempts)) {
  try { await attempt(); reached.push(name); } catch {}
}
console.log(origin, reached.join(' ') || 'nothing');`);
    assert.equal(await textOf(page, '.run .output'), 'null nothing');
    assert.deepEqual(problems.filter((problem) => problem.startsWith('request')), []);
    await close();
  });

  test('the development server, the preview and _headers isolate the playground and no other page', async () => {
    const isIsolated = async (url) => (await fetch(url)).headers.get('cross-origin-embedder-policy') === 'require-corp';
    const common = { configFile: `${www}/vite.config.js`, logLevel: 'silent' };
    const development = await (await createServer({ ...common, server: { port: 0, host: '127.0.0.1' } })).listen();
    const previewed = await preview({ ...common, preview: { port: 0, host: '127.0.0.1' } });
    try {
      for (const { resolvedUrls } of [development, previewed]) {
        const [url] = resolvedUrls.local;
        const seen = await Promise.all(['playground.html', 'zh/playground.html', 'benchmark.html'].map((path) => isIsolated(url + path)));
        assert.deepEqual(seen, [true, true, false], url);
      }
    } finally {
      await development.close();
      await previewed.close();
    }
    const text = readFileSync(`${www}/dist/_headers`, 'utf8');
    for (const path of ['/playground.html', '/zh/playground.html']) assert.ok(text.includes(`${path}\n  Cross-Origin-Opener-Policy: same-origin\n  Cross-Origin-Embedder-Policy: require-corp\n`), path);
  });

  test('Firefox: the playground on threads', { skip: missing }, async (t) => {
    const server = await serve(www, { headers });
    t.after(() => server.close());
    const firefox = await startFirefox();
    t.after(() => firefox.close());
    await firefox.goto(`${server.url}dist/playground.html`);
    const isDone = () => document.querySelector('.workbench[aria-busy="false"] .run[aria-busy="false"] .output') && document.querySelector('.run-head').innerText;
    await firefox.until(isDone);
    await firefox.run(() => document.querySelector('input[name="threads"]').click());
    const words = await firefox.until(() => document.querySelector('.workbench[aria-busy="false"]') && /\d+ threads/.exec(document.querySelector('.run-head')?.innerText)?.[0]);
    assert.match(words, /^\d+ threads$/);
    assert.deepEqual(firefox.problems(), []);
  });
}
