// The built package in a page without a bundler, under the strictest content security policy that it can run under.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serve } from '../browser.mjs';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
const scattered = [[5, 0, 0], [0, 0, 5]];

let server;
let withWebgpu;
let withoutWebgpu;

before(async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  server = await serve(root, { headers: { 'content-security-policy': policy } });
  withWebgpu = await launch({ webgpu: true });
  withoutWebgpu = await launch({ webgpu: false });
});

after(async () => {
  await withWebgpu?.close();
  await withoutWebgpu?.close();
  await server?.close();
});

/**
 * Opens a page of this folder, which `prepare` may change before it loads. Resolves to the page and two lists that grow from then on: the
 * names of the binaries that it fetches, and what its console complains of.
 */
async function open(t, browser, path, prepare = () => {}) {
  const page = await browser.newPage();
  t.after(() => page.close());
  const binaries = [];
  const complaints = [];
  page.on('request', (request) => request.url().endsWith('.wasm') && binaries.push(request.url().split('/').at(-1)));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await prepare(page);
  await page.goto(`${server.url}tests/js/package/${path}`);
  return { page, binaries, complaints };
}

/**
 * Calls init() in the page with each of `options` at once; resolves to each call's outcome: the device's facts, or the text of its
 * error.
 */
const start = (page, ...options) =>
  page.evaluate(async (options) => {
    const { init } = await import('/target/npm/scatterwise/index.js');
    const attempts = await Promise.allSettled(options.map((each) => init(each)));
    return attempts.map(({ value, reason }) => value ?? reason.message);
  }, options);

for (const device of ['cpu', 'webgpu']) {
  test(`a plain page scatters on ${device}`, async (t) => {
    const { page, binaries, complaints } = await open(t, withWebgpu, `plain.html?device=${device}`);
    const failure = page.waitForEvent('pageerror').then((error) => Promise.reject(error));
    await Promise.race([failure, page.waitForFunction(() => document.body.textContent.trim())]);
    assert.deepEqual(JSON.parse(await page.textContent('body')), { device, values: scattered });
    assert.deepEqual(binaries, ['scatterwise_simd.wasm']);
    assert.deepEqual(complaints, []);
  });

  test(`a worker scatters on ${device}`, async (t) => {
    const { page, complaints } = await open(t, withWebgpu, 'blank.html');
    const result = await page.evaluate(
      (url) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(url, { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        }),
      `plain.js?device=${device}`,
    );
    assert.deepEqual(JSON.parse(result), { device, values: scattered });
    assert.deepEqual(complaints, []);
  });
}

test('a Float16Array goes in and comes out, where there is one', async (t) => {
  const { page } = await open(t, withWebgpu, 'blank.html');
  await start(page, { device: 'cpu' });
  const [exists, dtype, kind, values] = await page.evaluate(async () => {
    const { Tensor } = await import('/target/npm/scatterwise/index.js');
    const halves = globalThis.Float16Array?.of(0.5, -2) ?? new Tensor([0.5, -2], { dtype: 'float16' });
    const tensor = new Tensor(halves);
    const out = await tensor.data();
    return [Boolean(globalThis.Float16Array), tensor.dtype, out.constructor.name, await tensor.tolist()];
  });
  assert.deepEqual([dtype, kind, values], ['float16', exists ? 'Float16Array' : 'Uint16Array', [0.5, -2]]);
});

test('using disposes where the engine has it', async (t) => {
  const { page } = await open(t, withWebgpu, 'blank.html');
  await start(page, { device: 'cpu' });
  const outcome = await page.evaluate(() =>
    import('/tests/js/package/using.js').then(({ tensorsLeftBehind }) => tensorsLeftBehind(), ({ name }) => name),
  );
  if (outcome === 'SyntaxError') return t.skip('this browser does not know the syntax');
  return assert.equal(outcome, 0);
});

test('two calls of init() fetch one binary', async (t) => {
  const { page, binaries } = await open(t, withWebgpu, 'blank.html');
  const [first, second] = await start(page, { device: 'webgpu' }, { device: 'webgpu' });
  assert.equal(first.device, 'webgpu');
  assert.deepEqual(second, first);
  assert.deepEqual(binaries, ['scatterwise_simd.wasm']);
});

test('another init() switches the device, in both directions', async (t) => {
  const { page } = await open(t, withWebgpu, 'blank.html');
  const infos = await start(page, { device: 'cpu' }, { device: 'webgpu' }, { device: 'cpu' }, {});
  assert.deepEqual(infos.map(({ device }) => device), ['cpu', 'webgpu', 'cpu', 'cpu']);
});

test('an engine without SIMD gets the scalar binary', async (t) => {
  const { page, binaries } = await open(t, withWebgpu, 'blank.html', (page) =>
    page.addInitScript(() => (WebAssembly.validate = () => false)),
  );
  const [info] = await start(page, {});
  assert.equal(info.simd, false);
  assert.deepEqual(binaries, ['scatterwise_scalar.wasm']);
});

test('a server that does not know the type of a .wasm is enough', async (t) => {
  const { page, complaints } = await open(t, withWebgpu, 'blank.html', (page) =>
    page.route('**/*.wasm', async (route) => route.fulfill({ response: await route.fetch(), contentType: 'text/plain' })),
  );
  const [info] = await start(page, { device: 'cpu' });
  assert.equal(info.device, 'cpu');
  assert.deepEqual(complaints, []);
});

test('a binary that cannot be had is named, and may be had later', async (t) => {
  const { page } = await open(t, withWebgpu, 'blank.html', (page) =>
    page.route('**/*.wasm', (route) => route.fulfill({ status: 503 }), { times: 1 }),
  );
  assert.match((await start(page, {}))[0], /503.*scatterwise_simd\.wasm/);
  assert.equal((await start(page, { device: 'cpu' }))[0].device, 'cpu');
});

for (const [machine, prepare] of Object.entries({
  'without an adapter': () => {},
  'without navigator.gpu': (page) => page.addInitScript(() => delete Navigator.prototype.gpu),
})) {
  test(`${machine} it runs on the CPU and says why`, async (t) => {
    const { page, complaints } = await open(t, withoutWebgpu, 'blank.html', prepare);
    const [info, asked] = await start(page, {}, { device: 'webgpu' });
    assert.equal(info.device, 'cpu');
    assert.match(info.reason, /no GPU adapter|no WebGPU/);
    assert.match(asked, /no GPU adapter|no WebGPU/);
    const ours = complaints.filter((text) => text !== 'No available adapters.'); // Chromium's own
    assert.deepEqual(ours, []);
  });
}
