// Buffers shared with WebGPU code of the page's own, and a device that is lost, refused or exhausted.

import assert from 'node:assert/strict';
import { rowsInPages } from './web.mjs';

const row = rowsInPages('interop', { device: 'webgpu' });

row(
  'a tensor is drawn on a canvas without a read-back',
  async (library, { draw }) => {
    const levels = library.Tensor.zeros([3, 4]);
    levels.scatter_(1, [[1, 3], [0, 2], [3, 0]], [[0.2, 0.4], [0.6, 0.8], [1, 0]]); // recorded, not submitted
    return draw(library, levels.mul(0.5));
  },
  (pixels) => {
    const red = [0, 0.1, 0, 0.2, 0.3, 0, 0.4, 0, 0, 0, 0, 0.5].map((level) => Math.round(level * 255));
    assert.deepEqual(pixels.map(([, whole]) => whole), red.map(() => 255), 'a binding with a size has that length');
    pixels.forEach(([level], k) => assert.ok(Math.abs(level - red[k]) <= 1, `pixel ${k}: ${level}, not ${red[k]}`));
  },
);

row(
  'buffers go both ways',
  async ({ Tensor, gpu_device, memory, sync }, { buffer_with, values_of }) => {
    const device = gpu_device();
    const source = buffer_with(device, new Float32Array([9, 1, 2, 3, 4, 5, 6]));
    const t = Tensor.from_gpu_buffer(source, { shape: [2, 3], dtype: 'float32', offset: 4, name: 'x', lod: [[0, 2]] });
    t.scatter_(0, [[1, 1, 1]], 10, { reduce: 'add' });
    const seen = await values_of(device, t.gpu_buffer(), 24);
    const untouched = await values_of(device, source, 28);
    const u8 = Tensor.from_gpu_buffer(source, { shape: [3], dtype: 'uint8' });
    const bools = Tensor.from_gpu_buffer(buffer_with(device, new Uint8Array([0, 7, 1, 255, 0, 0, 0, 0])), { shape: [5], dtype: 'bool' });
    const index = Tensor.from_gpu_buffer(buffer_with(device, new Int32Array([1, 9])), { shape: [2, 1], dtype: 'int32' });
    const late = [];
    const gathered = t.gather(0, index.reshape([2, 1]));
    await gathered.data().catch(({ name, position, value }) => late.push(name, position, value));
    const empty = Tensor.from_gpu_buffer(source, { shape: [0, 3], dtype: 'float32', offset: 28 });
    const self = Tensor.from_gpu_buffer(t.gpu_buffer(), { shape: [6], dtype: 'float32' });
    t.mul_(2);
    const numbers = [await t.tolist(), await self.tolist(), await empty.tolist()];
    const { name, lod } = t;
    for (const tensor of [t, u8, gathered, empty, self, index]) tensor.dispose();
    await sync();
    const still = await values_of(device, source, 28);
    return { seen, untouched, still, name, lod, numbers, late, bools: await bools.tolist(), again: gpu_device() === device, bytes: memory().gpu_bytes };
  },
  (got) => {
    assert.deepEqual(got.seen, [1, 2, 3, 14, 15, 16]);
    assert.deepEqual(got.untouched, [9, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(got.still, got.untouched, 'dispose() of a copy leaves the original');
    assert.deepEqual([got.name, got.lod, got.again], ['x', [[0, 2]], true]);
    assert.deepEqual(got.numbers, [[[2, 4, 6], [28, 30, 32]], [1, 2, 3, 14, 15, 16], []]);
    assert.deepEqual(got.late, ['IndexError', [1, 0], 9]);
    assert.deepEqual(got.bools, [false, true, true, true, false]);
    assert.ok(got.bytes < 1000);
  },
);

row(
  'buffers that cannot be copied are refused',
  async ({ Tensor, gpu_device, sync }, { buffer_with, refusal }) => {
    const device = gpu_device();
    const fine = buffer_with(device, new Float32Array(4));
    const options = { shape: [4], dtype: 'float32' };
    const make = (buffer, more) => refusal(() => Tensor.from_gpu_buffer(buffer, { ...options, ...more }));
    const storage = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE });
    const mapped = device.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true });
    const other = await (await navigator.gpu.requestAdapter()).requestDevice();
    const now = {
      number: await make(3),
      missing: await make(undefined),
      texture: await make(device.createTexture({ size: [1], format: 'r8unorm', usage: GPUTextureUsage.COPY_SRC })),
      usage: await make(storage),
      mapped: await make(mapped),
      small: await make(fine, { shape: [5] }),
      beyond: await make(fine, { offset: 4 }),
      odd: await make(fine, { offset: 2 }),
      negative: await make(fine, { offset: -4 }),
      cpu: await make(fine, { device: 'cpu' }),
      option: await make(fine, { length: 4 }),
      shape: await refusal(() => Tensor.from_gpu_buffer(fine, { dtype: 'float32' })),
      dtype: await refusal(() => Tensor.from_gpu_buffer(fine, { shape: [4] })),
      host: await refusal(() => new Tensor([1], { device: 'cpu' }).gpu_buffer()),
    };
    await sync();
    // What only the platform knows comes later, once, and spoils nothing else.
    const neighbour = new Tensor([1, 2]);
    neighbour.mul_(10);
    const foreign = Tensor.from_gpu_buffer(buffer_with(other, new Float32Array([1, 2, 3, 4])), options);
    neighbour.mul_(10);
    const late = { foreign: await refusal(() => neighbour.data()) };
    const gone = buffer_with(device, new Float32Array([1, 2, 3, 4]));
    gone.destroy();
    const destroyed = Tensor.from_gpu_buffer(gone, options);
    late.destroyed = await refusal(() => sync());
    const after = await refusal(() => sync());
    return { now, late, after, values: await Promise.all([neighbour, foreign, destroyed].map((t) => t.tolist())) };
  },
  ({ now, late, after, values }) => {
    const facts = (refused) => refused && [refused.name, refused.code, refused.argument];
    const expected = {
      number: ['TypeError', 'invalid-argument', 'buffer'],
      missing: ['TypeError', 'missing-argument', 'buffer'],
      texture: ['TypeError', 'invalid-argument', 'buffer'],
      usage: ['ValueError', 'invalid-buffer', 'buffer'],
      mapped: ['ValueError', 'invalid-buffer', 'buffer'],
      small: ['ValueError', 'invalid-buffer', 'buffer'],
      beyond: ['ValueError', 'invalid-buffer', 'buffer'],
      odd: ['ValueError', 'invalid-argument', 'offset'],
      negative: ['ValueError', 'invalid-argument', 'offset'],
      cpu: ['RuntimeError', 'wrong-device', 'device'],
      option: ['TypeError', 'unknown-option', 'options'],
      shape: ['TypeError', 'missing-argument', 'shape'],
      dtype: ['TypeError', 'missing-argument', 'dtype'],
      host: ['RuntimeError', 'wrong-device', undefined],
    };
    for (const [name, each] of Object.entries(expected)) assert.deepEqual(facts(now[name]), each, name);
    assert.match(now.usage.message, /COPY_SRC/);
    assert.match(now.small.message, /16 bytes.*20 bytes/);
    assert.deepEqual(facts(late.foreign), ['RuntimeError', 'wrong-device', 'buffer']);
    assert.deepEqual(facts(late.destroyed), ['RuntimeError', 'invalid-buffer', 'buffer']);
    assert.equal(after, null);
    assert.deepEqual(values, [[100, 200], [0, 0, 0, 0], [0, 0, 0, 0]]);
  },
);

row(
  'a buffer that was given out is not used again for another tensor',
  async ({ Tensor, gpu_device, sync }, { refusal, values_of }) => {
    const device = gpu_device();
    device.addEventListener('uncapturederror', (event) => event.preventDefault());
    const t = new Tensor([1, 2, 3, 4]);
    const buffer = t.gpu_buffer();
    t.dispose();
    const next = new Tensor([5, 6, 7, 8]);
    await sync();
    device.pushErrorScope('validation');
    await values_of(device, buffer, 16).catch(() => {});
    const error = await device.popErrorScope();
    return { refused: error !== null, next: await next.tolist(), other: next.gpu_buffer() !== buffer };
  },
  (got) => assert.deepEqual(got, { refused: true, next: [5, 6, 7, 8], other: true }),
);

row(
  'a lost device is a typed rejection, and the library goes on',
  async ({ Tensor, backend, gpu_device, set_device, init, sync, memory }, { refusal }) => {
    const host = new Tensor([1, 2, 3], { device: 'cpu' });
    const t = await host.to('webgpu');
    t.mul_(2);
    const device = gpu_device();
    const early = refusal(() => t.data());
    device.destroy();
    const reads = [await early, await refusal(() => t.data()), await refusal(() => sync()), await refusal(() => t.to('cpu'))];
    await device.lost;
    const calls = [
      await refusal(() => t.data()),
      await refusal(() => t.mul(2)),
      await refusal(() => t.scatter_(0, [0], 1)),
      await refusal(() => t.gpu_buffer()),
      await refusal(() => gpu_device()),
      await refusal(() => host.to('webgpu')),
      await refusal(() => new Tensor([1])),
    ];
    const lost = { gpu_bytes: memory().gpu_bytes, webgpu: backend().webgpu };
    host.mul_(10);
    const { device: now } = await set_device('webgpu');
    const fresh = await host.to('webgpu');
    fresh.mul_(fresh);
    const mixed = await refusal(() => fresh.mul(t));
    t.dispose();
    return { reads, calls, lost, now, values: await fresh.tolist(), host: await host.tolist(), mixed, other: gpu_device() !== device, clean: await refusal(() => sync()) };
  },
  ({ reads, calls, lost, now, values, host, mixed, other, clean }) => {
    for (const [k, refused] of reads.entries()) {
      // A read that was asked for before the loss may still arrive.
      if (k > 0 || refused) assert.deepEqual([refused?.name, refused?.code], ['RuntimeError', 'device-lost'], `read ${k}`);
    }
    const codes = calls.map((refused) => refused?.code);
    assert.deepEqual(codes.slice(0, 4), ['device-lost', 'device-lost', 'device-lost', 'device-lost']);
    assert.deepEqual(codes.slice(4), ['device-unavailable', 'device-unavailable', 'device-unavailable']);
    assert.match(calls[0].message, /set_device\('webgpu'\)/);
    assert.deepEqual(lost, { gpu_bytes: 0, webgpu: null });
    assert.deepEqual([now, values, host], ['webgpu', [100, 400, 900], [10, 20, 30]]);
    assert.deepEqual([mixed?.code, other, clean], ['device-lost', true, null]);
  },
);

row(
  'a hundred switches there and back leave nothing behind',
  async ({ Tensor, gpu_device, memory, set_device, sync }) => {
    const kept = new Tensor([1, 2, 3]);
    const first = gpu_device();
    const seen = [];
    for (let k = 0; k < 100; k++) {
      await set_device('webgpu');
      const t = Tensor.ones([1000]);
      t.scatter_(0, [1, 2], [3, 4]);
      if (k % 10 === 0) await t.data();
      t.dispose();
      await set_device('cpu');
      seen.push(JSON.stringify(memory()));
    }
    kept.mul_(2);
    return { seen: [...new Set(seen)], same: gpu_device() === first, kept: await kept.tolist() };
  },
  ({ seen, same, kept }) => {
    assert.deepEqual([same, kept], [true, [2, 4, 6]]);
    assert.equal(seen.length, 1, seen.join('\n'));
    assert.equal(JSON.parse(seen[0]).gpu_pooled_bytes, 0);
    assert.equal(JSON.parse(seen[0]).tensors, 1);
  },
);

row(
  'twenty lost devices are replaced, and not kept',
  async ({ Tensor, gpu_device, memory, set_device }) => {
    const devices = new Set();
    for (let k = 0; k < 20; k++) {
      await set_device('webgpu');
      const t = new Tensor([1, 2, 3]);
      t.mul_(k);
      const values = await t.tolist();
      if (values[2] !== 3 * k) throw new Error(`${values}`);
      t.dispose();
      devices.add(gpu_device());
      gpu_device().destroy();
      await gpu_device().lost;
    }
    await set_device('webgpu');
    return { devices: devices.size, memory: memory() };
  },
  ({ devices, memory }) => {
    assert.equal(devices, 20);
    assert.deepEqual([memory.tensors, memory.gpu_bytes], [0, 0]);
  },
);

row(
  'an adapter or a device that is refused is a typed rejection, and may be had later',
  async ({ Tensor, gpu_device, set_device, backend }, { refusal }) => {
    const t = new Tensor([1, 2]);
    gpu_device().destroy();
    await gpu_device().lost;
    const refused = [];
    const { requestAdapter } = GPU.prototype;
    for (const replacement of [async () => null, async () => Promise.reject(new Error('no GPU today'))]) {
      GPU.prototype.requestAdapter = replacement;
      refused.push(await refusal(() => set_device('webgpu')));
      await set_device('auto');
      refused.push(backend().device);
    }
    GPU.prototype.requestAdapter = requestAdapter;
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async () => Promise.reject(new DOMException('not now', 'OperationError'));
    refused.push(await refusal(() => set_device('webgpu')));
    GPUAdapter.prototype.requestDevice = requestDevice;
    const { device } = await set_device('webgpu');
    return { refused, device, values: await new Tensor([3, 4]).mul(2).tolist() };
  },
  ({ refused, device, values }) => {
    const [none, cpu, thrown, again, noDevice] = refused;
    for (const each of [none, thrown, noDevice]) assert.deepEqual([each?.name, each?.code], ['RuntimeError', 'device-unavailable']);
    assert.match(thrown.message, /no GPU today/);
    assert.deepEqual([cpu, again, device, values], ['cpu', 'cpu', 'webgpu', [6, 8]]);
  },
);

row(
  'a tensor on WebGPU stays there when another is made of it, and equals() frees its copies when a read fails',
  async ({ memory, Tensor }, { refusal }) => {
    const t = new Tensor([1, 2]);
    const refused = await refusal(() => new Tensor(t, { device: 'cpu' }));
    const copy = new Tensor(t, { dtype: 'int32' });
    const device = copy.device;
    copy.dispose();
    const index = Tensor.full([1], 9, { dtype: 'int32' }).mul(1); // on the GPU alone, so that it is checked there
    const [wrong, other] = [t.gather(0, index), Tensor.ones([1])];
    const before = memory().tensors;
    const failed = await refusal(() => wrong.equals(other));
    return { refused, device, failed, kept: memory().tensors - before };
  },
  ({ refused, device, failed, kept }) => {
    assert.deepEqual([refused.code, refused.argument, device], ['wrong-device', 'device', 'webgpu']);
    assert.match(refused.message, /await data\.to\('cpu'\)/);
    assert.deepEqual([failed.name, kept], ['IndexError', 0]);
  },
);

row(
  'what is too large is refused, and the library goes on',
  async ({ Tensor, backend, sync }, { refusal }) => {
    const { maxStorageBufferBindingSize, maxBufferSize } = backend().webgpu.limits;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize - 16, 2 ** 31 - 16); // a read needs 16 bytes more
    const column = Tensor.ones([1 << 15, 1], { dtype: 'float64' });
    const row = Tensor.ones([1, Math.floor(most / 8 / (1 << 15)) + 1], { dtype: 'float64' });
    const refused = await refusal(() => column.mul(row));
    return { most, bytes: (8 << 15) * row.size, refused, clean: await refusal(() => sync()), values: await Tensor.ones([2]).mul(3).tolist() };
  },
  ({ most, bytes, refused, clean, values }) => {
    assert.deepEqual([refused?.name, refused?.code], ['RuntimeError', 'out-of-memory']);
    assert.match(refused.message, new RegExp(`${bytes} bytes.*${most}.*CPU`));
    assert.deepEqual([clean, values], [null, [3, 3]]);
  },
);

row(
  'the memory of a tensor on the CPU is lent, and of one on WebGPU it is said where to go',
  async ({ Tensor }, { refusal }) => {
    const there = await refusal(() => Tensor.zeros([2]).with_data(() => {}));
    const t = new Tensor([1, 2], { dtype: 'float16', device: 'cpu' });
    let kept;
    const kind = t.with_data((view) => {
      kept = view;
      view[0] = view[1];
      return view.constructor.name;
    });
    const wanted = globalThis.Float16Array ? 'Float16Array' : 'Uint16Array';
    return { there, kind, wanted, left: kept.length, values: await t.tolist() };
  },
  ({ there, kind, wanted, left, values }) => {
    assert.deepEqual([there.name, there.code, there.op], ['RuntimeError', 'wrong-device', 'Tensor.with_data']);
    assert.match(there.message, /t\.to\('cpu'\)/);
    assert.deepEqual([kind, left, values], [wanted, 0, [2, 2]]);
  },
);
