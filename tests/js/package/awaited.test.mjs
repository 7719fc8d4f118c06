// A program that awaits values on the CPU and forgets its tensors: the task ends now and then, so that they are freed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as scatterwise from 'scatterwise';
import { load_npz, save_npz, save_safetensors } from 'scatterwise/files';

const { compress, ExactSum, flatnonzero, IndexPlan, init, memory, set_device, sync, Tensor, unique, warm_up } = scatterwise;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** A file of one tensor. */
let archive;
before(async () => {
  await init({ device: 'cpu' });
  archive = await save_npz({ t: t() });
});

/** What `forget` resolves to in a process of its own, which has to end by itself. */
async function inProcess(mib, rounds) {
  const script = `import * as scatterwise from 'scatterwise';
    import { forget } from './forget.js';
    await scatterwise.init({ device: 'cpu' });
    console.log(await forget(scatterwise, ${mib}, ${rounds}));`;
  const options = { cwd: fileURLToPath(new URL('.', import.meta.url)), timeout: 300_000 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options);
  return Number(stdout);
}

for (const [mib, rounds] of [[4, 600], [64, 100]]) {
  test(`${rounds} awaited rounds with tensors of ${mib} MiB take at most 1 GiB`, async () => {
    const most = await inProcess(mib, rounds);
    assert.ok(most > 0 && most <= 1024, `${most} MiB`);
  });
}

/** Makes so many tensors that the next read has to end the task. */
function makeMany() {
  for (let i = 0; i < 10_000; i++) Tensor.zeros([1]).dispose();
}

/** Whether a promise is settled without the end of the task. */
async function isSettledAtOnce(promise) {
  let isSettled = false;
  promise.then(() => (isSettled = true), () => (isSettled = true));
  for (let i = 0; i < 100; i++) await undefined;
  return isSettled;
}

const t = () => new Tensor([1, 2], { device: 'cpu' });
/** A call of each function that returns a promise. */
const calls = {
  init: () => init(),
  set_device: () => set_device('cpu'),
  warm_up: () => warm_up(),
  sync: () => sync(),
  to: () => t().to('cpu'),
  data: () => t().data(),
  tolist: () => t().tolist(),
  item: () => t().sum().item(),
  to_npy: () => t().to_npy(),
  to_image: () => Tensor.zeros([2, 2, 3], { dtype: 'uint8' }).to_image(),
  equals: () => t().equals(t()),
  to_bytes: () => new ExactSum([2]).to_bytes(),
  ready: () => IndexPlan.along([3], 0, [0, 1]).ready(),
  unique: () => unique([1, 1]),
  flatnonzero: () => flatnonzero([1, 0]),
  compress: () => compress([true, false], [1, 2]),
};
const files = {
  load_npz: () => load_npz(archive, { Tensor }),
  save_npz: () => save_npz({ t: t() }),
  save_safetensors: () => save_safetensors({ t: t() }),
};

test('this test knows each function that returns a promise', () => {
  const types = readFileSync(new URL('../../../target/npm/scatterwise/index.d.ts', import.meta.url), 'utf8');
  const names = [...types.matchAll(/^(?:export function| ) ?(\w+)(?:<.*>)?\(.*\): Promise</gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(names)].sort(), Object.keys(calls).sort());
});

for (const [name, call] of Object.entries({ ...calls, ...files })) {
  test(`${name} ends the task after many tensors, and only then`, async () => {
    makeMany();
    await t().data(); // whatever was due
    const expected = call();
    assert.ok(await isSettledAtOnce(expected), 'it ends the task without need');
    makeMany();
    const promise = call();
    assert.ok(!(await isSettledAtOnce(promise)), 'it does not end the task');
    const [one, two] = [await expected, await promise];
    if (!(one instanceof Tensor) && name !== 'unique' && name !== 'load_npz') assert.deepEqual(two, one);
  });
}

test('values are those at the time of the call, and reads resolve in their order', async () => {
  makeMany();
  const x = t();
  const order = [];
  const note = (name) => (value) => (order.push(name), value);
  const reads = [x.data().then(note('data')), x.tolist().then(note('tolist')), x.to('cpu').then(note('to')), x.sum().item().then(note('item'))];
  x.mul_(10);
  x.dispose();
  const [data, list, copy, sum] = await Promise.all(reads);
  assert.deepEqual([[...data], list, await copy.tolist(), sum], [[1, 2], [1, 2], [1, 2], 3]);
  assert.equal(order.length, 4);
  assert.deepEqual(order.filter((name) => name !== 'to'), ['data', 'tolist', 'item']);
});

test('errors are those of the call', async () => {
  makeMany();
  assert.throws(() => t().item(), { code: 'not-scalar' });
  await assert.rejects(t().to('webgpu'), { code: 'device-unavailable' });
  await t().data();
});

test('forgotten small tensors are freed', async () => {
  const { tensors } = memory();
  let most = 0;
  for (let round = 0; round < 100_000; round++) {
    await t().data();
    if (round % 10_000 === 9_000) gc();
    most = Math.max(most, memory().tensors - tensors);
  }
  assert.ok(most < 50_000, `${most} tensors at once`);
});

test('without messages a read resolves at once', async () => {
  const { MessageChannel } = globalThis;
  delete globalThis.MessageChannel;
  try {
    makeMany();
    assert.ok(await isSettledAtOnce(t().data()));
  } finally {
    globalThis.MessageChannel = MessageChannel;
  }
  makeMany();
  delete globalThis.MessageChannel; // after the end of the task was asked for
  try {
    assert.deepEqual([...(await t().data())], [1, 2]);
  } finally {
    globalThis.MessageChannel = MessageChannel;
  }
});
