// Shared by the tests of this folder in Node: the page that they work in, and how they report.

import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serve } from '../browser.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Opens one page for a test file before its tests, starts the package in it on WebGPU, and closes it after them. Returns an object that
 * has, once the tests run, `page`, which is served the files of this repository, and `adapter`: the adapter's name by device, '' for the
 * CPU. With `build`, the package runs on the CPU instead, by the entry and the binary that are named there: see builds.test.mjs.
 */
export function openPage({ build } = {}) {
  const opened = { page: null, adapter: { cpu: '', webgpu: '' } };
  let server;
  let browser;
  before(async () => {
    server = await serve(root);
    browser = await launch({ webgpu: !build });
    opened.page = await browser.newPage();
    if (build) await choose(opened.page, build);
    await opened.page.goto(`${server.url}tests/js/package/blank.html`);
    opened.adapter.webgpu = await opened.page.evaluate(async (device) => {
      const { init } = await import('/target/npm/scatterwise/index.js');
      const { webgpu } = await init({ device });
      return webgpu && `${webgpu.vendor} ${webgpu.architecture}`;
    }, build ? 'cpu' : 'webgpu');
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  return opened;
}

/** Has a page get `entry` of the package where it imports `index.js`, and fails the tests if that fetches another file than `binary`. */
async function choose(page, { entry, binary }) {
  if (entry !== 'index.js') await page.route('**/scatterwise/index.js', (route) => route.continue({ url: route.request().url().replace('index.js', entry) }));
  if (binary.includes('scalar')) await page.addInitScript(() => (WebAssembly.validate = () => false)); // as an engine without SIMD
  await page.route('**/*.wasm', (route) => (route.request().url().endsWith(`/${binary}`) ? route.continue() : route.abort()));
}

/**
 * For tests of WebGPU code, each in a page of its own. Returns `row(name, body, look)`, which declares one. In the page, the library is
 * started with `options`, where there are any, and `body(library, helpers, request)` runs: as text, so that it sees nothing of its file.
 * `helpers` are those of interop.js, and `request(descriptor)` resolves to a new GPUDevice. `look` gets what `body` returned, as JSON has
 * it, and asserts what it should be.
 */
export function rowsInPages(suite, options) {
  let server;
  let browser;
  let [passed, ran] = [0, 0];
  before(async () => {
    server = await serve(root);
    browser = await launch({ webgpu: true, canvas: true });
  });
  after(async () => {
    say({ backend: 'webgpu', adapter: 'SwiftShader', suite, ran, passed });
    await browser?.close();
    await server?.close();
  });
  return (name, body, look) =>
    test(name, async (t) => {
      ran += 1;
      const page = await browser.newPage();
      t.after(() => page.close());
      await page.goto(`${server.url}tests/js/package/blank.html`);
      const result = await page.evaluate(
        async ([body, options]) => {
          const library = await import('/target/npm/scatterwise/index.js');
          const helpers = await import('/tests/js/web/interop.js');
          if (options) await library.init(options);
          const request = async (descriptor) => (await navigator.gpu.requestAdapter()).requestDevice(descriptor);
          return new Function('library', 'helpers', 'request', `return (${body})(library, helpers, request)`)(library, helpers, request);
        },
        [body.toString(), options],
      );
      look(result);
      passed += 1;
    });
}

/**
 * Prints the line that `npm test` sums up (tools/counts.mjs): how many cases ran and passed on a backend, and how many were skipped, by
 * reason.
 */
export function say({ backend, adapter, suite, ran, passed, skipped = {} }) {
  const reasons = Object.entries(skipped).sort();
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  const why = total > 0 ? ` (${reasons.map(([reason, count]) => `${reason}: ${count}`).join(', ')})` : '';
  const counts = `ran=${ran} passed=${passed} skipped=${total}${why}`;
  console.log(`scatterwise-tests: backend=${backend} adapter="${adapter}" suite=${suite} ${counts}`);
}

/** The first `most` failures, each `{ id, got, expected }`, as text. */
export function list(failures, most = 20) {
  const shown = failures.slice(0, most).map(({ id, got, expected }) => `${id}\n    got      ${got}\n    expected ${expected}`);
  if (failures.length > most) shown.push(`… and ${failures.length - most} more`);
  return shown.join('\n');
}
