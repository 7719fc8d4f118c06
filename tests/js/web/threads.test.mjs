// scatterwise/threads in pages of Chromium and Firefox: the tables and the fuzzer on several threads where a page is isolated, and one thread
// with the reason where it is not.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { entriesOf, readProject } from '../../../tools/api.mjs';
import { browsers, inPage, isolated, published } from './threads.mjs';

const files = readdirSync(new URL('../../vectors', import.meta.url)).filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''));

/** Runs in a page: the vectors, in chunks of single columns. */
const runVectors = async ([files, threads]) => {
  const { backend, divide, init } = await import(`${location.origin}/target/npm/scatterwise/index.js`);
  await init({ device: 'cpu', threads });
  divide(0);
  const { runFile } = await import(`${location.origin}/tests/js/web/conformance.js`);
  const outcome = { threads: backend().threads, ran: 0, failures: [] };
  for (const file of files) {
    const { ran, failures } = await runFile(file, 'cpu');
    outcome.ran += ran;
    outcome.failures.push(...failures);
  }
  return outcome;
};

/** Runs in a page: random calls. */
const runCalls = async ([count, threads]) => {
  const { backend, divide, init } = await import(`${location.origin}/target/npm/scatterwise/index.js`);
  await init({ device: 'cpu', threads });
  divide(0);
  const { runRandom } = await import(`${location.origin}/tests/js/web/random.js`);
  const { failures } = await runRandom({ seed: 5, count, devices: ['cpu'] });
  return { threads: backend().threads, ran: count, failures: failures.cpu };
};

/** Runs in a page: calls whose updates collide, and calls of several jobs. */
const runTogether = async ([work, threads]) => {
  const library = await import(`${location.origin}/target/npm/scatterwise/index.js`);
  const { threads: running } = await library.init({ device: 'cpu', threads });
  const { runColliding } = await import(`${location.origin}/tests/js/package/threads.colliding.mjs`);
  return { threads: running, ...runColliding(library, work) };
};

/** Runs in a page: adversarial values, random calls and calls within calls. */
const runFuzz = async ([calls, threads]) => {
  const { fuzz } = await import(`${location.origin}/tests/js/fuzz/run.js`);
  const counts = [];
  const load = async () => {
    const lib = await import(`${location.origin}/target/npm/threads.testing.js?copy=${counts.length}`);
    await lib.init({ device: 'cpu', threads });
    counts.push(lib.backend().threads.count);
    return lib;
  };
  // Adversarial values reject promises that nobody waits for.
  addEventListener('unhandledrejection', (event) => event.preventDefault());
  const { counts: made, faults } = await fuzz({ load, seed: 1, calls, chosen: ['adversarial', 'oracle', 'reentry'] });
  return { counts, ran: Object.values(made).reduce((sum, count) => sum + count, 0), faults };
};

/** Runs in a page: what the published entry says of its threads, and whether a product is right. */
const startPublished = async () => {
  const { init, keep_awake, Tensor } = await import(`${location.origin}/target/npm/scatterwise/threads.js`);
  const { threads } = await init({ device: 'cpu', threads: 2 });
  const t = Tensor.full([1 << 20], 1.5);
  return { threads, value: keep_awake(() => t.mul(t).data_sync().every((value) => value === 2.25)) };
};

for (const [name, { missing, start }] of Object.entries(browsers)) {
  describe(name, { skip: missing }, () => {
    let browser;
    before(async () => {
      browser = await start();
    });
    after(() => browser?.close());

    for (const threads of [2, 4]) {
      test(`the vectors on ${threads} threads, in chunks of single columns and with threads that come late`, async () => {
        const outcome = await inPage(browser, {}, runVectors, [files, threads]);
        assert.deepEqual(outcome.threads, { count: threads });
        assert.ok(outcome.ran > 2000, `${outcome.ran} ran`);
        assert.deepEqual(outcome.failures.slice(0, 10), []);
      });

      test(`random calls on ${threads} threads, in chunks of single columns and with threads that come late`, async () => {
        const outcome = await inPage(browser, {}, runCalls, [1000, threads]);
        assert.deepEqual(outcome, { threads: { count: threads }, ran: 1000, failures: [] });
      });

      test(`calls whose updates collide, and calls of several jobs, on ${threads} threads`, async () => {
        for (const work of [0, 64]) {
          const { ran, ...outcome } = await inPage(browser, {}, runTogether, [work, threads]);
          assert.deepEqual(outcome, { threads: { count: threads }, failures: [] });
          assert.ok(ran >= 900, `${ran} ran`);
        }
      });
    }

    for (const threads of [2, 4]) {
      test(`the fuzzer finds nothing on ${threads} threads, in chunks of single columns`, async () => {
        const { counts, ran, faults } = await inPage(browser, {}, runFuzz, [4000 / threads, threads]);
        assert.ok(counts.length > 0 && counts.every((count) => count === threads), `${counts} threads`);
        assert.ok(ran > 500, `${ran} ran`);
        assert.deepEqual(faults.slice(0, 10), []);
      });
    }

    test('the published entry in an isolated page', async () => {
      assert.deepEqual(await inPage(browser, {}, startPublished), { threads: { count: 2 }, value: true });
    });

    test('a page that is not isolated runs on one thread and says why', async () => {
      const { threads, value } = await inPage(browser, { headers: {} }, startPublished);
      assert.equal(threads.count, 1);
      assert.match(threads.reason, /not cross-origin isolated.*Cross-Origin-Opener-Policy/);
      assert.equal(value, true);
    });

    test('other ways of isolation, and a content security policy', async () => {
      const policy = { 'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:" };
      const ways = { credentialless: { ...isolated, 'cross-origin-embedder-policy': 'credentialless' } };
      // Firefox has no Document-Isolation-Policy, and its WebDriver evaluates text, which the policy forbids.
      if (name === 'Chromium') Object.assign(ways, { document: { 'document-isolation-policy': 'isolate-and-require-corp' }, policy: { ...isolated, ...policy } });
      for (const [way, headers] of Object.entries(ways)) assert.deepEqual(await inPage(browser, { headers }, startPublished), { threads: { count: 2 }, value: true }, way);
      if (name === 'Chromium') {
        const without = await inPage(browser, { headers: { ...isolated, 'content-security-policy': policy['content-security-policy'].replace("worker-src 'self'", "worker-src 'none'") } }, startPublished);
        assert.match(without.threads.reason, /could not be started/);
        assert.equal(without.value, true);
      }
    });

    test('the examples of the types do what they say', async () => {
      const own = (await entriesOf((await readProject()).project)).filter(({ module }) => module === 'scatterwise/threads');
      const examples = own.flatMap(({ examples }) => examples);
      assert.equal(examples.length, 3);
      const markdown = examples.map((code) => `\`\`\`js\n${code}\n\`\`\`\n`).join('\n');
      const { ran, passed, faults } = await inPage(browser, { texts: published }, async (text) => {
        const { runExamples } = await import(`${location.origin}/tests/js/web/examples.js`);
        const { init } = await import(`${location.origin}/target/npm/scatterwise/index.js`);
        await init({ device: 'cpu', threads: 2 });
        return runExamples(text);
      }, markdown);
      assert.deepEqual(faults, []);
      assert.ok(ran >= 4 && passed === ran, `${passed} of ${ran}`);
    });
  });
}
