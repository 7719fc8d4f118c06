// scatterwise/threads: the bits of one thread, in chunks of any size and with threads that come late; and what can go wrong with a thread.
// The tables run in processes of their own, on threads.testing.js, which `node tools/package.mjs --timing` makes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { init as initPlain, Tensor as PlainTensor } from 'scatterwise';
import { backend, ExactSum, IndexPlan, init, keep_awake, memory, Tensor, with_data } from 'scatterwise/threads';

const run = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Runs a table on threads: see threads.tables.mjs. `fault` is planted in the workers. */
async function runTable(threads, work, what, fault = '') {
  const env = { ...process.env, THREADS_FAULT: fault };
  const { stdout } = await run(process.execPath, ['--import', new URL('threads.node.mjs', import.meta.url).href, here('threads.tables.mjs'), threads, work, what], { env });
  return JSON.parse(stdout);
}

for (const threads of [2, 4]) {
  for (const [work, name] of [[0, 'single columns'], [64, '64 elements']]) {
    for (const what of ['vectors', 'random']) {
      test(`${what} on ${threads} threads in chunks of ${name}`, async () => {
        const outcome = await runTable(threads, work, what);
        assert.equal(outcome.threads.count, threads);
        assert.deepEqual(outcome.failures, []);
        assert.ok(outcome.ran >= 2000, `${outcome.ran} ran`);
      });
    }
  }
}

for (const threads of [2, 4]) {
  for (const work of [0, 64]) {
    test(`calls whose updates collide, and calls of several jobs, are divided among ${threads} threads, in chunks of ${work}`, async () => {
      const outcome = await runTable(threads, work, 'colliding');
      assert.deepEqual(outcome.failures, []);
      assert.ok(outcome.ran >= 900, `${outcome.ran} ran`);
    });
  }
}

test('a chunk that a worker loses is found', async () => {
  // What nobody wrote may be an index, which makes a kernel trap.
  const { failures } = await runTable(2, 0, 'vectors', 'lose').catch(() => ({ failures: ['a trap'] }));
  assert.ok(failures.length > 0);
});

test('a worker that traps stops the library, and one that does not start is done without', async () => {
  const trapped = await runTable(2, 0, 'trap', 'trap');
  assert.equal(trapped.code, 'library-stopped');
  const alone = await runTable(2, 0, 'vectors', 'absent');
  assert.equal(alone.threads.count, 1);
  assert.match(alone.threads.reason, /could not be started .*does not start/);
  assert.deepEqual(alone.failures, []);
});

test('the start: how many threads, twice, and wrong numbers', async () => {
  for (const threads of [0, -1, 17, 1.5, '2', NaN]) await assert.rejects(init({ threads }), { argument: 'threads' });
  const [one, two] = await Promise.all([init({ device: 'cpu', threads: 2 }), init({ device: 'cpu' })]);
  assert.deepEqual([one.threads, two.threads, backend().threads], [{ count: 2 }, { count: 2 }, { count: 2 }]);
  await assert.rejects(init({ threads: 3 }), { code: 'already-started', argument: 'threads' });
  assert.deepEqual((await init({ threads: 2 })).threads, { count: 2 });
});

/** Calls whose updates collide, with a plan that is used twice. */
function colliding({ Tensor, IndexPlan }, x) {
  const [long, values] = [x.astype('int32').reshape([1 << 20]), x.reshape([1 << 20])];
  const table = Tensor.zeros([50_000], { device: 'cpu' });
  const index = new Tensor(Int32Array.from({ length: 1 << 20 }, (_, k) => (k * 7919) % 50_000), { device: 'cpu' });
  const plan = IndexPlan.along([50_000], 0, index);
  const twice = [1, 2].map(() => table.scatter_add(plan, values));
  const rows = Tensor.zeros([100, 1024], { device: 'cpu' }).index_add(0, new Tensor(Int32Array.from({ length: 1024 }, (_, k) => k % 100), { device: 'cpu' }), x);
  return [...twice, table.scatter_add(0, index, values, { sum: 'exact' }), table.astype('int32').scatter_add(0, index, long), rows];
}

/** Some calls large enough for threads: the bytes of their results. */
function results({ Tensor, IndexPlan }) {
  const n = 1 << 20;
  const values = Float32Array.from({ length: n }, (_, k) => Math.sin(k) * 1000);
  const x = new Tensor(values, { shape: [1024, 1024], device: 'cpu' });
  const index = new Tensor(Int32Array.from({ length: n }, (_, k) => ((k * 7919) % 1024) - (k % 3 ? 0 : 1024)), { shape: [1024, 1024], device: 'cpu' });
  const plan = IndexPlan.along([1024, 1024], 0, index);
  const all = [x.mul(x), x.mul([2]), x.gather(1, index), x.scatter(1, index, x), x.scatter_add(0, index, x), x.scatter_add(plan, x), ...colliding({ Tensor, IndexPlan }, x), x.astype('int16'), x.astype('float16')];
  return all.map((each) => Buffer.from(each.data_sync().buffer).toString('latin1'));
}

test('two instances in one program, and the bits of one thread', async () => {
  await initPlain({ device: 'cpu' });
  const [shared, plain] = [results({ Tensor, IndexPlan }), results({ Tensor: PlainTensor, IndexPlan: (await import('scatterwise')).IndexPlan })];
  shared.forEach((bytes, at) => assert.ok(bytes === plain[at], `result ${at}`));
  assert.ok(keep_awake(() => results({ Tensor, IndexPlan })).every((bytes, at) => bytes === plain[at]));
  assert.throws(() => keep_awake(async () => {}), { name: 'TypeError', argument: 'fn' });
});

test('the first bad index in row-major order is the one that is reported', () => {
  const n = 1 << 20;
  const index = new Int32Array(n);
  for (const [at, value] of [[n - 1, 7000], [700_001, 6000], [300_000, 5000]]) index[at] = value;
  const x = Tensor.zeros([1024, 1024], { device: 'cpu' });
  const wrong = { name: 'IndexError', value: 5000, position: [292, 992] };
  const given = new Tensor(index, { shape: [1024, 1024] });
  assert.throws(() => x.scatter_(1, given, 1), wrong);
  assert.throws(() => x.gather(1, given), wrong);
  assert.deepEqual(new Set(x.data_sync()), new Set([0]), 'nothing was written');
});

test('memory that grows, and memory that is lent', () => {
  const held = [];
  for (let k = 0; k < 8; k++) held.push(Tensor.full([1 << 20], k, { device: 'cpu' }).mul(2));
  assert.deepEqual(held.map((each) => each.data_sync()[77]), [0, 2, 4, 6, 8, 10, 12, 14]);
  const [one, flags] = [held[1], Tensor.zeros([3], { dtype: 'bool', device: 'cpu' })];
  let kept;
  with_data([one, flags], (view, truths) => {
    kept = view;
    assert.ok(!(view.buffer instanceof SharedArrayBuffer));
    view[5] = 77;
    truths.fill(9);
  });
  assert.deepEqual([one.data_sync()[5], [...flags.data_sync()], kept.length], [77, [1, 1, 1], 0]);
  assert.ok(memory().cpu_bytes > 0);
  const sums = new ExactSum([4], { device: 'cpu' }).add([[1]], [0.5]);
  assert.deepEqual([...sums.sum().data_sync()], [0, 0.5, 0, 0]);
});

test('the fuzzer finds nothing on threads, in chunks of single columns', async () => {
  const env = { ...process.env, SCATTERWISE_ENTRY: here('../../../target/npm/threads.testing.js') };
  const { stdout } = await run(process.execPath, [here('../fuzz/fuzz.mjs'), '--calls', '3000', '--seed', '2'], { env });
  assert.match(stdout, /, 0 wrong, 0 kinds of fault/);
});

/** Runs a program in a process of its own, and returns what it prints, as JSON. */
async function runProgram(text) {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', `import { backend, init, initSync, keep_awake, Tensor, with_data } from 'scatterwise/threads'; ${text}`], { cwd: here('.'), timeout: 60_000 });
  return JSON.parse(stdout);
}

test('starts at the same time: the first one counts', async () => {
  const [one, two, value] = await runProgram(`
    const [one, two] = await Promise.all([init({ device: 'cpu', threads: 1 }), init({ device: 'cpu', threads: 2 })]);
    console.log(JSON.stringify([one.threads, two.threads, Tensor.ones([1 << 20]).mul(3).data_sync()[9]]));`);
  assert.deepEqual([one.count, two.count, value], [1, 1, 3]);
  const [status, threads] = await runProgram(`
    const results = await Promise.allSettled([init({ device: 'webgpu', threads: 2 }), init({ device: 'cpu' })]);
    console.log(JSON.stringify([results.map(({ status }) => status), backend().threads]));`);
  assert.deepEqual([status, threads], [['rejected', 'fulfilled'], { count: 2 }]);
  assert.match((await runProgram(`
    initSync((await import('node:fs')).readFileSync(new URL('scatterwise_simd.wasm', import.meta.resolve('scatterwise'))));
    console.log(JSON.stringify((await init()).threads));`)).reason, /initSync/);
});

test('a lent array that is given away, and keep_awake in keep_awake', async () => {
  const [values, awake] = await runProgram(`
    await init({ device: 'cpu', threads: 2 });
    const t = Tensor.ones([3]);
    with_data([t], (view) => { view[0] = 7; structuredClone(view, { transfer: [view.buffer] }); });
    with_data([t], (view) => { view[1] = 5; Object.defineProperty(view, 'buffer', { get() { throw new Error('mine'); } }); });
    console.log(JSON.stringify([[...t.mul(1).data_sync()], keep_awake(() => keep_awake(() => 1) + 1)]));`);
  assert.deepEqual([values, awake], [[1, 5, 1], 2]);
});

test('a program ends by itself', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', `
    import { init, Tensor } from 'scatterwise/threads';
    await init({ device: 'cpu', threads: 2 });
    console.log(Tensor.ones([1 << 20]).mul(3).data_sync()[9]);
  `], { cwd: here('.'), timeout: 60_000 });
  assert.equal(stdout.trim(), '3');
});
