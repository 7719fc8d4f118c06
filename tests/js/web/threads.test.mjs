// scatterwise/threads in a page: the vectors on two threads where the page is isolated, and one thread with the reason where it is not.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, serve } from '../browser.mjs';
import { root } from '../../../tools/shell.mjs';

const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
let browser;
before(async () => {
  browser = await launch({ webgpu: false });
});
after(() => browser?.close());

/** Opens a blank page of this server, runs `body` in it with `argument`, and closes both. */
async function inPage(headers, body, argument) {
  const server = await serve(root, { headers });
  const page = await browser.newPage();
  try {
    // The tables import the package by this file.
    const text = "export * from '/target/npm/threads.testing.js';\n";
    await page.route('**/target/npm/scatterwise/index.js', (route) => route.fulfill({ contentType: 'text/javascript', body: text, headers }));
    await page.goto(`${server.url}tests/js/package/blank.html`);
    return await page.evaluate(body, argument);
  } finally {
    await page.close();
    await server.close();
  }
}

test('the vectors on two threads, in chunks of single columns and with threads that come late', async () => {
  const files = readdirSync(new URL('../../vectors', import.meta.url)).filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''));
  const outcome = await inPage(isolated, async (files) => {
    const { backend, divide, init } = await import('/target/npm/scatterwise/index.js');
    await init({ device: 'cpu', threads: 2 });
    divide(0);
    const { runFile } = await import('/tests/js/web/conformance.js');
    const outcome = { threads: backend().threads, ran: 0, failures: [] };
    for (const file of files) {
      const { ran, failures } = await runFile(file, 'cpu');
      outcome.ran += ran;
      outcome.failures.push(...failures);
    }
    return outcome;
  }, files);
  assert.deepEqual(outcome.threads, { count: 2 });
  assert.ok(outcome.ran > 2000, `${outcome.ran} ran`);
  assert.deepEqual(outcome.failures.slice(0, 10), []);
});

/** What the published entry says of its threads, and the bits of a product. */
const startPublished = async () => {
  const { init, keep_awake, Tensor } = await import('/target/npm/scatterwise/threads.js');
  const { threads } = await init({ device: 'cpu', threads: 2 });
  const t = Tensor.full([1 << 20], 1.5);
  return { threads, value: keep_awake(() => t.mul(t).data_sync().every((value) => value === 2.25)) };
};

test('the published entry in an isolated page', async () => {
  assert.deepEqual(await inPage(isolated, startPublished), { threads: { count: 2 }, value: true });
});

test('a page that is not isolated runs on one thread and says why', async () => {
  const { threads, value } = await inPage({}, startPublished);
  assert.equal(threads.count, 1);
  assert.match(threads.reason, /not cross-origin isolated.*Cross-Origin-Opener-Policy/);
  assert.equal(value, true);
});
