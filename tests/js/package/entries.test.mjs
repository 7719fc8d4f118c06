// Every entry of the package that has tensors: by its name in Node, and in a page from a server or, with the binary inside, without one.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serve } from '../browser.mjs';

const folder = new URL('../../../target/npm/scatterwise/', import.meta.url);
const read = (name) => readFile(new URL(name, folder), 'utf8');
/** The entries and the files that a page gets them from. */
const files = {
  ...{ scatterwise: 'index.js', 'scatterwise/inline': 'inline.js', 'scatterwise/cpu': 'cpu.js', 'scatterwise/cpu/inline': 'cpu/inline.js' },
  ...{ 'scatterwise/core': 'core.js', 'scatterwise/core/inline': 'core/inline.js' },
};
const inlined = Object.entries(files).filter(([name]) => name.endsWith('/inline'));
/** The binary of an entry. */
const binaryOf = (name) => `scatterwise_${name.match(/\/(cpu|core)/) ? `${name.split('/')[1]}_` : ''}simd.wasm`;
const hasGpu = (name) => binaryOf(name) === 'scatterwise_simd.wasm';
const withoutGpu = Object.entries(files).filter(([name]) => !hasGpu(name));

let server;
let browser;

before(async () => {
  server = await serve(fileURLToPath(folder));
  browser = await launch({ webgpu: true });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** A blank page, and the URLs of the requests that it makes from then on. It closes when the test `t` ends. */
async function open(t) {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.route(`${server.url}blank`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${server.url}blank`);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  return { page, requests };
}

/** Imports the module at `url` in the page, starts it and scatters; resolves to the device, whether it has SIMD, and the values. */
const scatter = (page, url, options) =>
  page.evaluate(
    async ([url, options]) => {
      const { init, Tensor } = await import(url);
      const { device, simd } = await init(options);
      const t = Tensor.zeros([2, 3]);
      t.scatter_(1, [[0], [2]], 5);
      return { device, simd, values: await t.tolist() };
    },
    [url, options],
  );

const scattered = [[5, 0, 0], [0, 0, 5]];

for (const [name, file] of Object.entries(files)) {
  test(`${name} in Node`, async () => {
    const { default: init, Tensor, backend } = await import(name);
    const info = await init();
    assert.equal(info.device, 'cpu');
    assert.equal(info.simd, true);
    assert.deepEqual(backend(), info);
    assert.deepEqual(await Tensor.zeros([2, 3]).scatter_(1, [[0], [2]], 5).tolist(), scattered);
  });

  test(`${name} in a page`, async (t) => {
    const { page, requests } = await open(t);
    assert.deepEqual(await scatter(page, `${server.url}${file}`, { device: 'cpu' }), { device: 'cpu', simd: true, values: scattered });
    const binary = name.endsWith('/inline') ? [] : [binaryOf(name)];
    assert.deepEqual(requests, [file, ...binary].map((path) => server.url + path));
  });
}

for (const [name, file] of inlined) {
  const device = hasGpu(name) ? 'webgpu' : 'cpu';

  test(`${name} from a data: URL, on ${device}`, async (t) => {
    const { page, requests } = await open(t);
    const url = `data:text/javascript;base64,${Buffer.from(await read(file)).toString('base64')}`;
    assert.deepEqual(await scatter(page, url, { device }), { device, simd: true, values: scattered });
    assert.deepEqual(requests.filter((url) => !url.startsWith('data:')), []);
  });

  test(`${name} in a page of one file`, async (t) => {
    const { page, requests } = await open(t);
    const text = (await read(file)).replace(/export\{[^}]*\};?\s*$/, (list) => {
      // A minified bundle exports its names under others.
      const local = (exported) => list.match(new RegExp(`([\\w$]+) as ${exported}\\b`))?.[1] ?? exported;
      return `await ${local('init')}({device:'cpu'});document.title=${local('Tensor')}.zeros([2]).scatter_(0,[1],7).data_sync().join()`;
    });
    await page.setContent(`<!doctype html><title></title><script type="module">${text}</script>`);
    await page.waitForFunction(() => document.title);
    assert.equal(await page.title(), '0,7');
    assert.deepEqual(requests, []);
  });

  test(`${name} under a content security policy, in a worker`, async (t) => {
    const { page } = await open(t);
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
    await page.route(`${server.url}worker.js`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        headers: { 'content-security-policy': policy },
        body: `import { init, Tensor } from '/${file}';
               init({ device: 'cpu' }).then(() => postMessage(Tensor.ones([2]).scatter_(0, [1], 7).data_sync().join()));`,
      }),
    );
    const answer = await page.evaluate(
      (url) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(url, { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        }),
      `${server.url}worker.js`,
    );
    assert.equal(answer, '1,7');
  });

  test(`${name} in an older engine, and in one that is too old for it`, async (t) => {
    const { page } = await open(t);
    /**
     * How a start ends after the script `prepare` has run: 'started', or the text of its error. Each gets a module of its own, by another
     * query.
     */
    const attempt = (prepare) =>
      page.evaluate(
        async ([url, prepare]) => {
          Function(prepare)();
          const { init } = await import(url);
          return init().then(() => 'started', ({ message }) => message);
        },
        [`${server.url}${file}?${prepare}`, prepare],
      );
    assert.equal(await attempt('delete Uint8Array.fromBase64'), 'started');
    assert.match(await attempt('delete globalThis.DecompressionStream'), /no DecompressionStream.*import 'scatterwise'/);
    assert.match(await attempt('WebAssembly.validate = () => false'), /no WebAssembly SIMD.*import 'scatterwise'/);
  });
}

for (const [name, file] of withoutGpu) {
  test(`${name} has no GPU code`, async (t) => {
    const script = await read(file);
    const binary = await readFile(new URL(binaryOf(name), folder), 'latin1');
    for (const word of ['requestAdapter', 'GPUBuffer', 'navigator']) assert.ok(!script.includes(word), `${file} has ${word}`);
    for (const word of ['@compute', 'wgpu', 'a hardware adapter']) assert.ok(!binary.includes(word), `the binary has ${word}`);

    const { page } = await open(t);
    const answer = await page.evaluate(async (url) => {
      const asked = [];
      Object.defineProperty(navigator, 'gpu', { get: () => asked.push('navigator.gpu') });
      const { init, set_device, RuntimeError, Tensor } = await import(url);
      const { device, webgpu, reason } = await init();
      const refusals = [() => set_device('webgpu'), () => init({ device: 'webgpu' }), () => Tensor.zeros([1]).to('webgpu')];
      const errors = [];
      for (const refusal of refusals) {
        errors.push(await refusal().catch((error) => [error instanceof RuntimeError, error.code, error.message]));
      }
      return { asked, device, webgpu, reason, errors };
    }, `${server.url}${file}`);
    const { errors, ...info } = answer;
    assert.deepEqual(info, { asked: [], device: 'cpu', webgpu: null, reason: 'the CPU: this build has no GPU code' });
    for (const [isRuntimeError, code, message] of errors) {
      assert.equal(isRuntimeError, true);
      assert.equal(code, 'device-unavailable');
      assert.match(message, /import 'scatterwise'/);
    }
  });
}
