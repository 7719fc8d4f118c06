// A GPUDevice of the page's own: the library works on it, leaves it alone, and explains what is wrong with a bad one.

import assert from 'node:assert/strict';
import { rowsInPages } from './web.mjs';

/** A test in a page of its own, where the library has not started: see `rowsInPages`. */
const row = rowsInPages('adopted');

row(
  'tensors live on the device that was given, also after a time on the CPU',
  async ({ backend, gpu_device, init, set_device, sync, Tensor }, { buffer_with, values_of, draw }, request) => {
    const device = await request({ requiredLimits: { maxBufferSize: 300 << 20 } }); // more than the default, 256 MiB
    let mine = 0;
    device.onuncapturederror = () => (mine += 1);
    const handler = device.onuncapturederror;
    const info = await init({ gpu_device: device });
    const t = Tensor.zeros([3, 4]);
    t.scatter_(1, [[1, 3], [0, 2], [3, 0]], [[0.2, 0.4], [0.6, 0.8], [1, 0]]);
    const drawn = (await draw({ gpu_device: () => device }, t)).map(([level]) => level);
    const copied = Tensor.from_gpu_buffer(buffer_with(device, new Float32Array([1, 2])), { shape: [2], dtype: 'float32' });
    const same = [gpu_device() === device];
    const cpu = (await set_device('cpu')).device;
    const there = Tensor.zeros([1]).device;
    await set_device('webgpu');
    same.push(gpu_device() === device);
    await init({ gpu_device: device });
    await init();
    same.push(gpu_device() === device);
    const sum = await copied.mul(t.gather(1, [[1], [0]]).reshape([2])).tolist();
    for (const each of [t, copied]) each.dispose();
    await sync();
    const kept = device.onuncapturederror === handler;
    // The device is as alive as before.
    const alive = await values_of(device, buffer_with(device, new Float32Array([5])), 4);
    device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE }); // which do not go together
    await device.queue.onSubmittedWorkDone();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { device: info.device, reason: info.reason, max: info.webgpu.limits.maxBufferSize, drawn, same, cpu, there, sum, kept, alive, mine, backend: backend().device };
  },
  ({ drawn, reason, ...rest }) => {
    assert.deepEqual(rest, {
      device: 'webgpu', max: 300 << 20, same: [true, true, true], cpu: 'cpu', there: 'cpu', sum: [0.20000000298023224, 1.2000000476837158], kept: true, alive: [5], mine: 1,
      backend: 'webgpu',
    });
    assert.match(reason, /gpu_device/);
    const levels = [0, 0.2, 0, 0.4, 0.6, 0, 0.8, 0, 0, 0, 0, 1].map((level) => Math.round(level * 255));
    drawn.forEach((level, k) => assert.ok(Math.abs(level - levels[k]) <= 1, `pixel ${k}: ${level}, not ${levels[k]}`));
  },
);

row(
  'a device in compatibility mode has workgroups of 128 threads',
  async ({ histogram, init, Tensor }) => {
    const adapter = await navigator.gpu.requestAdapter({ featureLevel: 'compatibility' });
    const device = await adapter.requestDevice();
    const most = device.limits.maxComputeInvocationsPerWorkgroup;
    await init({ gpu_device: device });
    const index = Int32Array.from({ length: 6000 }, (_, k) => (k * 7) % 5);
    const src = Float32Array.from({ length: 6000 }, (_, k) => 1 / (k + 1));
    const pairs = [];
    for (const place of ['webgpu', 'cpu']) {
      const x = await new Tensor(src).to(place);
      const sums = (await Tensor.zeros([5]).to(place)).scatter_add(0, await new Tensor(index).to(place), x);
      pairs.push([await sums.tolist(), Array.from(await x.argsort().data(), Number), await x.sum().item(), Array.from(await histogram(x, { bins: 9 }).hist.data(), Number)]);
    }
    return { most, same: JSON.stringify(pairs[0]) === JSON.stringify(pairs[1]) };
  },
  ({ most, same }) => {
    assert.equal(most, 128);
    assert.ok(same);
  },
);

row(
  'it may be given for later',
  async ({ gpu_device, init, set_device, Tensor }, helpers, request) => {
    const device = await request();
    const first = await init({ gpu_device: device, device: 'cpu' });
    const on_cpu = await Tensor.ones([2]).tolist();
    const second = await set_device('webgpu');
    return [first.device, on_cpu, second.device, gpu_device() === device, await Tensor.ones([2]).mul(3).tolist()];
  },
  (found) => assert.deepEqual(found, ['cpu', [1, 1], 'webgpu', true, [3, 3]]),
);

row(
  'a device that is lost is named, and another one takes its place',
  async ({ gpu_device, init, set_device, sync, Tensor }, { refusal }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const t = Tensor.ones([2]);
    device.destroy();
    const { reason } = await device.lost;
    const read = await refusal(() => t.data());
    const again = await refusal(() => set_device('webgpu'));
    const next = await request();
    await init({ gpu_device: next });
    const values = await Tensor.ones([2]).mul(2).tolist();
    const same = gpu_device() === next;
    next.destroy();
    await next.lost;
    await refusal(() => sync());
    await init({ gpu: navigator.gpu, device: 'webgpu' });
    values.push(...(await Tensor.ones([1]).mul(3).tolist()));
    return { reason, read: read.code, again, same, values, own: gpu_device() !== next };
  },
  ({ again, ...rest }) => {
    assert.deepEqual(rest, { reason: 'destroyed', read: 'device-lost', same: true, values: [2, 2, 3], own: true });
    assert.equal(again.code, 'device-unavailable');
    assert.match(again.message, /gpu_device is lost \(.*\): call init\(\{ gpu_device \}\) with another one/);
  },
);

row(
  'what is none, what is lost already, and a second one beside the first',
  async ({ gpu_device, init, Tensor }, { refusal }, request) => {
    const spoofed = { [Symbol.toStringTag]: 'GPUDevice', limits: {}, features: new Set() };
    const device = await request();
    const bad = [null, 1, 'webgpu', {}, spoofed, new Proxy(device, {}), Object.create(device), navigator.gpu];
    const none = [];
    for (const each of bad) none.push(await refusal(() => init({ gpu_device: each })));
    const dead = await request();
    dead.destroy();
    await dead.lost;
    const lost = await refusal(() => init({ gpu_device: dead }));
    await init({ gpu_device: device });
    const second = await refusal(async () => init({ gpu_device: await request() }));
    return { none, lost, second, same: gpu_device() === device, values: await Tensor.ones([1]).tolist() };
  },
  ({ none, lost, second, ...rest }) => {
    for (const { name, code, argument } of none) assert.deepEqual({ name, code, argument }, { name: 'TypeError', code: 'invalid-argument', argument: 'gpu_device' });
    assert.deepEqual([lost.code, /is lost/.test(lost.message)], ['device-unavailable', true]);
    assert.deepEqual([second.code, second.argument], ['already-started', 'gpu_device']);
    assert.deepEqual(rest, { same: true, values: [1] });
  },
);

row(
  'a borrowed buffer is read and written in place, in order with commands of the page',
  async ({ init, memory, sync, Tensor }, { buffer_with, values_of, draw }, request) => {
    const { twice } = await import('/tests/js/web/borrowed.js');
    const device = await request();
    await init({ gpu_device: device });
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = buffer_with(device, new Float32Array([1, 2, 3, 4]), all);
    const before = memory().gpu_bytes;
    const t = Tensor.from_gpu_buffer(buffer, { shape: [2, 2], dtype: 'float32', borrow: true });
    const same = t.gpu_buffer() === buffer;
    const held = memory().gpu_bytes - before;
    t.scatter_add_(1, [[0], [0]], [[10], [20]]); // 11 2 23 4
    t.gpu_buffer();
    await twice(device, buffer); // 22 4 46 8
    const read = t.tolist();
    t.mul_(0.5); // while that is read: 11 2 23 4
    const clone = t.clone();
    const flat = t.reshape([4]);
    t.scatter_(0, [[1, 1]], 0); // 11 2 0 0
    const copy = t.scatter_add(0, [[0, 0]], 100);
    const drawn = (await draw({ gpu_device: () => device }, t.mul(1 / 11))).map(([level]) => level);
    t.gpu_buffer();
    const seen = await values_of(device, buffer, 16);
    const values = [await read, await clone.tolist(), await flat.tolist(), await copy.tolist(), await t.tolist()];
    const still = t.gpu_buffer() === buffer;
    t.dispose();
    await sync();
    return { same, held, seen, values, still, drawn, after: await values_of(device, buffer, 16) };
  },
  ({ drawn, ...rest }) => {
    assert.deepEqual(rest, {
      same: true, held: 0, still: true, seen: [11, 2, 0, 0], after: [11, 2, 0, 0],
      values: [[[22, 4], [46, 8]], [[11, 2], [23, 4]], [11, 2, 23, 4], [[111, 102], [0, 0]], [[11, 2], [0, 0]]],
    });
    assert.deepEqual(drawn.map((level) => Math.round(level / 255 * 11)), [11, 2, 0, 0]);
  },
);

row(
  'a borrowed buffer is read as it is at the call, belongs to one tensor, and is not the library\'s own',
  async ({ init, Tensor, trace }, { buffer_with, refusal }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = buffer_with(device, new Float32Array([1, 2, 3, 4]), all);
    const options = { shape: [4], dtype: 'float32', borrow: true };
    const t = Tensor.from_gpu_buffer(buffer, options);
    const reads = [t.data(), t.tolist(), t.equals(new Tensor([1, 2, 3, 4]))];
    device.queue.writeBuffer(buffer, 0, new Float32Array([9, 9, 9, 9]));
    const [values, list, isEqual] = await Promise.all(reads);
    const own = Tensor.ones([4]);
    const refused = [
      await refusal(() => t.scatter_(0, [0, 1, 2, 3], t)),
      await refusal(() => Tensor.from_gpu_buffer(own.gpu_buffer(), options)),
      await refusal(() => Tensor.from_gpu_buffer(new Proxy(buffer, {}), options)),
      await refusal(() => trace('scatter_', own, 0, [0], 1)),
    ];
    return { values: [...values], list, isEqual, later: await t.tolist(), refused };
  },
  ({ refused, ...rest }) => {
    assert.deepEqual(rest, { values: [1, 2, 3, 4], list: [1, 2, 3, 4], isEqual: true, later: [9, 9, 9, 9] });
    const facts = refused.map(({ code, op, argument }) => [code, op, argument]);
    assert.deepEqual(facts, [
      ['invalid-argument', 'Tensor.scatter_', undefined],
      ['invalid-buffer', 'Tensor.from_gpu_buffer', 'buffer'],
      ['invalid-argument', 'Tensor.from_gpu_buffer', 'buffer'],
      ['wrong-device', 'Tensor.scatter_', 'self'],
    ]);
    assert.match(refused[2].message, /not a Proxy or a copy of one/);
    assert.match(refused[3].message, /a trace runs on the CPU/);
  },
);

row(
  'errors of the page on its device are told once',
  async ({ init, Tensor }, { refusal }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const t = new Tensor([1, 2]);
    await t.data();
    device.addEventListener('uncapturederror', (event) => event.preventDefault());
    for (let k = 0; k < 3; k++) device.createBuffer({ size: 16, usage: 0xffffff }); // not all of these bits are usages
    const told = await refusal(() => t.data());
    return { told, values: await t.tolist() };
  },
  ({ told, values }) => {
    assert.equal(told.code, 'device-error');
    assert.match(told.message, /and 2 errors that came with it/);
    assert.deepEqual(values, [1, 2]);
  },
);

row(
  'an index that is borrowed is checked in every call, and a plan has its own',
  async ({ init, IndexPlan, Tensor }, { buffer_with, refusal }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = buffer_with(device, new Int32Array([0, 2, 0, 0]), all);
    const index = Tensor.from_gpu_buffer(buffer, { shape: [2], dtype: 'int32', borrow: true });
    const t = new Tensor([5, 6, 7]);
    const plan = IndexPlan.along([3], 0, index);
    const first = await t.gather(0, index).tolist();
    device.queue.writeBuffer(buffer, 0, new Int32Array([9, 1]));
    const second = await refusal(() => t.gather(0, index).tolist());
    return { first, second: [second.name, second.code], planned: await t.gather(plan).tolist() };
  },
  (found) => assert.deepEqual(found, { first: [5, 7], second: ['IndexError', 'index-out-of-range'], planned: [5, 7] }),
);

row(
  'what cannot be borrowed',
  async ({ init, Tensor }, { buffer_with, refusal }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const make = (usage = all, size = 16, more = {}) => device.createBuffer({ size, usage, ...more });
    const take = (buffer, options) => refusal(() => Tensor.from_gpu_buffer(buffer, { shape: [4], dtype: 'float32', borrow: true, ...options }));
    const refused = {
      usage: await take(make(GPUBufferUsage.COPY_SRC)),
      size: await take(make(all, 12)),
      tail: await take(make(all, 20), { shape: [5] }), // shaders write 16 bytes at a time: it needs 32
      mapped: await take(make(all, 16, { mappedAtCreation: true })),
      offset: await take(make(all, 32), { offset: 16 }),
      bool: await take(make(), { dtype: 'bool' }),
      word: await take(make(), { borrow: 'yes' }),
    };
    const t = Tensor.from_gpu_buffer(buffer_with(device, new Float32Array([1, 2, 3, 4]), all), { shape: [4], dtype: 'float32', borrow: true });
    refused.self = await refusal(() => t.mul_(t));
    refused.source = await refusal(() => t.scatter_(0, [0, 1, 2, 3], t));
    const values = await t.mul_(t.clone()).tolist();
    const destroyed = make();
    destroyed.destroy();
    const gone = Tensor.from_gpu_buffer(destroyed, { shape: [4], dtype: 'float32', borrow: true });
    // Each fault is reported once: by the look at the buffer, and by the work that it spoiled.
    const faults = async () => {
      const found = [];
      for (let tries = 0; tries < 6; tries++) {
        const fault = await refusal(() => t.tolist());
        if (fault) found.push(fault.code);
      }
      return found;
    };
    const late = [(await refusal(() => gone.tolist())).code, ...(await faults())];
    const other = await request();
    const foreign = Tensor.from_gpu_buffer(buffer_with(other, new Float32Array(4), all), { shape: [4], dtype: 'float32', borrow: true });
    const wrong = [(await refusal(() => foreign.tolist())).code, ...(await faults())];
    return { refused, values, late, wrong, fine: await t.tolist() };
  },
  ({ refused, late, wrong, ...rest }) => {
    assert.ok(late.includes('invalid-buffer'), late.join());
    assert.ok(wrong.includes('wrong-device'), wrong.join());
    const codes = Object.fromEntries(Object.entries(refused).map(([name, error]) => [name, error && `${error.code} ${error.argument}`]));
    assert.deepEqual(codes, {
      usage: 'invalid-buffer buffer', size: 'invalid-buffer buffer', tail: 'invalid-buffer buffer', mapped: 'invalid-buffer buffer',
      offset: 'invalid-argument offset', bool: 'invalid-argument dtype', word: 'invalid-argument borrow',
      self: 'invalid-argument undefined', source: 'invalid-argument undefined',
    });
    assert.match(refused.usage.message, /COPY_DST and STORAGE/);
    assert.deepEqual(rest, { values: [1, 4, 9, 16], fine: [1, 4, 9, 16] });
  },
);

row(
  'one buffer that is borrowed twice is no operand of its own update',
  async ({ init, Tensor }, { buffer_with, refusal }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = buffer_with(device, new Float32Array([1, 2, 3, 4]), all);
    const [one, other] = [0, 1].map(() => Tensor.from_gpu_buffer(buffer, { shape: [4], dtype: 'float32', borrow: true }));
    const kept = Tensor.ones([2]).mul(3); // of the same batch
    const refused = [await refusal(() => one.mul_(other)), await refusal(() => one.scatter_add_(0, [0, 1, 2, 3], other))];
    one.mul_(other.clone());
    return { refused, values: [await other.tolist(), await kept.tolist()] };
  },
  ({ refused, values }) => {
    for (const { code, message } of refused) assert.deepEqual([code, /give t\.clone\(\) as the operand/.test(message)], ['invalid-argument', true]);
    assert.deepEqual(values, [[1, 4, 9, 16], [3, 3]]);
  },
);

row(
  'samples may be their own weights, in one buffer that is borrowed twice',
  async ({ histogram, init, Tensor }, { buffer_with }, request) => {
    const device = await request();
    await init({ gpu_device: device });
    const all = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = buffer_with(device, new Int32Array([1, 2, 3, 3]), all);
    const [x, weights] = [0, 1].map(() => Tensor.from_gpu_buffer(buffer, { shape: [4], dtype: 'int32', borrow: true }));
    return histogram(x, { bins: 3, range: [1, 4], weights }).hist.tolist();
  },
  (sums) => assert.deepEqual(sums, [1, 2, 6]),
);

row(
  'init({ gpu }) takes the object that WebGPU comes from, and no other',
  async ({ backend, init, Tensor }, _helpers, request) => {
    const refusal = async (options) => init(options).then(() => 'accepted', ({ name, code, argument }) => `${name} ${code} ${argument}`);
    const wrong = [{}, Object.create(GPU.prototype), Object.assign(Object.create(navigator.gpu), {}), null, 'webgpu'];
    const refused = [];
    for (const gpu of wrong) refused.push(await refusal({ gpu, device: 'webgpu' }));
    refused.push(await refusal({ gpu: navigator.gpu, gpu_device: await request() }));
    const { gpu } = navigator;
    Object.defineProperty(navigator, 'gpu', { value: undefined, configurable: true });
    const without = await init().then(({ reason }) => reason);
    const { device } = await init({ gpu, device: 'webgpu' });
    const again = await init({ gpu });
    return { refused, without, devices: [device, again.device], values: await Tensor.zeros([3]).scatter_add_(0, [1, 1], 2).tolist() };
  },
  ({ refused, without, devices, values }) => {
    assert.deepEqual(refused, [...Array(5).fill('TypeError invalid-argument gpu'), 'ValueError invalid-argument gpu']);
    assert.match(without, /navigator\.gpu is missing, and init\(\{ gpu \}\) was given none/);
    assert.deepEqual(devices, ['webgpu', 'webgpu']);
    assert.deepEqual(values, [0, 4, 0]);
  },
);
