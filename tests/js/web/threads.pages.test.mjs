// scatterwise/threads and the life of a page: pages that close, navigate or come back, workers that are ended during a call, and several
// instances. In Chromium, which tells of every worker that exists; Firefox tells of none.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, serve } from '../browser.mjs';
import { root } from '../../../tools/shell.mjs';
import { blank, isolated } from './threads.mjs';

/** A worker of a page that has the library, so its threads are workers of a worker. It answers each message with what `compute` returns. */
const texts = {
  '/tests/library.worker.js': `import { init, keep_awake, Tensor } from '/target/npm/scatterwise/threads.js';
    const { threads } = await init({ device: 'cpu', threads: 2 });
    const x = Tensor.full([1 << 20], 1.5);
    onmessage = ({ data: calls }) => postMessage(keep_awake(() => {
      let sum = 0;
      for (let call = 0; call < calls; call++) {
        const y = x.mul(x);
        sum += y.data_sync()[call % 999];
        y.dispose();
      }
      return sum;
    }));
    postMessage(threads);`,
};

let browser;
let server;
let session; // of the protocol by which Chromium tells of workers
before(async () => {
  browser = await launch({ webgpu: false });
  server = await serve(root, { headers: isolated, texts });
  session = await browser.newBrowserCDPSession();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a blank page, isolated. */
async function openBlank(from = browser) {
  const page = await (await from.newContext()).newPage();
  await page.goto(blank(server));
  return page;
}

/** How many workers there are in all pages whose script is one of the library's threads. */
async function countThreads() {
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
  return targetInfos.filter(({ type, url }) => type === 'worker' && url.endsWith('threads.worker.js')).length;
}

/** Waits until there are so many. */
async function untilThreads(wanted) {
  let count;
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((next) => setTimeout(next, 50))) {
    count = await countThreads();
    if (count === wanted) return;
  }
  assert.equal(count, wanted, 'threads that exist');
}

/** Runs in a page: starts the library and resolves to its threads; `globalThis.right()` makes calls, and tells whether they are right. */
const start = async () => {
  const { init, Tensor } = await import('/target/npm/scatterwise/threads.js');
  const { threads } = await init({ device: 'cpu', threads: 2 });
  const x = Tensor.full([1 << 20], 1.5);
  globalThis.right = () => {
    for (let call = 0; call < 20; call++) {
      const y = x.mul([call]);
      const isRight = y.data_sync().every((value) => value === 1.5 * call);
      y.dispose();
      if (!isRight) return false;
    }
    return true;
  };
  return threads;
};

/** Runs in a page: begins calls that go on for minutes, in the page itself. */
const begin = async () => {
  const { keep_awake, Tensor } = await import('/target/npm/scatterwise/threads.js');
  const x = Tensor.full([1 << 20], 1.5);
  setTimeout(() => keep_awake(() => {
    for (let call = 0; call < 1e6; call++) x.mul(x).dispose();
  }), 50);
};

test('threads end with a page that closes between calls, and with one that closes during a call', async () => {
  for (const isBusy of [false, true]) {
    const page = await openBlank();
    assert.deepEqual(await page.evaluate(start), { count: 2 });
    await untilThreads(1);
    if (isBusy) {
      await page.evaluate(begin);
      await new Promise((next) => setTimeout(next, 300));
    }
    await page.context().close();
    await untilThreads(0);
  }
});

test('a page that navigates while its library starts, and one that navigates during calls of a worker', async () => {
  const page = await openBlank();
  await page.evaluate(() => void import('/target/npm/scatterwise/threads.js').then(({ init }) => init({ device: 'cpu', threads: 4 })));
  await page.goto(blank(server));
  await untilThreads(0);
  await page.evaluate(() => new Promise((ready) => {
    const worker = new Worker('/tests/library.worker.js', { type: 'module' });
    worker.onmessage = () => ready(worker.postMessage(1e6));
  }));
  await untilThreads(1);
  await page.goto('about:blank');
  await untilThreads(0);
  await page.context().close();
});

test('a worker that has the library and is ended during a call takes its threads along, and the next one works', async () => {
  const page = await openBlank();
  const ask = (calls, isEnded) => page.evaluate(([calls, isEnded]) => new Promise((answer, fail) => {
    const worker = new Worker('/tests/library.worker.js', { type: 'module' });
    worker.onerror = ({ message }) => fail(new Error(message));
    worker.onmessage = ({ data: threads }) => {
      worker.onmessage = ({ data: sum }) => answer([threads, sum]);
      worker.postMessage(calls);
      if (isEnded) setTimeout(() => answer([threads, worker.terminate()]), 200);
    };
  }), [calls, isEnded]);
  assert.deepEqual(await ask(1e6, true), [{ count: 2 }, undefined]);
  await untilThreads(0);
  assert.deepEqual(await ask(100, false), [{ count: 2 }, 225]);
  await untilThreads(1);
  await page.context().close();
});

test('a page that a visitor comes back to', async (t) => {
  const keeping = await launch({ webgpu: false, keepsPages: true });
  t.after(() => keeping.close());
  const page = await openBlank(keeping);
  assert.deepEqual(await page.evaluate(start), { count: 2 });
  assert.equal(await page.evaluate(() => right()), true);
  await page.evaluate(() => {
    globalThis.kept = false;
    addEventListener('pageshow', ({ persisted }) => (globalThis.kept = persisted));
  });
  await page.goto(`${server.url}tests/js/package/blank.html?other`);
  await page.goBack({ waitUntil: 'commit' }); // a page that was kept does not load
  const isKept = await page.evaluate(() => globalThis.kept === true);
  t.diagnostic(`the page ${isKept ? 'was kept, with its threads' : 'was loaded again'}`);
  if (!isKept) await page.evaluate(start);
  assert.equal(await page.evaluate(() => right()), true);
});

test('two instances in one page beside the entry without threads, each started twice', async () => {
  const page = await openBlank();
  const found = await page.evaluate(async () => {
    const libraries = [];
    for (const file of ['threads.js?copy=1', 'threads.js?copy=2', 'index.js']) libraries.push(await import(`/target/npm/scatterwise/${file}`));
    const infos = await Promise.all(libraries.flatMap((library) => [library.init({ device: 'cpu' }), library.init({ device: 'cpu' })]));
    const bits = libraries.map(({ Tensor }) => {
      const values = Float32Array.from({ length: 1 << 20 }, (_, at) => Math.sin(at) * 1000);
      const x = new Tensor(values, { shape: [1024, 1024] });
      return () => {
        const y = x.mul(x);
        const sum = y.data_sync().reduce((hash, value) => (Math.imul(hash, 31) + value) | 0, 7);
        y.dispose();
        return sum;
      };
    });
    const sums = [];
    for (let round = 0; round < 10; round++) sums.push(...bits.map((call) => call()));
    return { threads: infos.map(({ threads }) => threads?.count ?? 0), sums: new Set(sums).size };
  });
  const [count] = found.threads;
  assert.deepEqual(found, { threads: [count, count, count, count, 0, 0], sums: 1 });
  await untilThreads(2 * (count - 1));
  await page.context().close();
  await untilThreads(0);
});
