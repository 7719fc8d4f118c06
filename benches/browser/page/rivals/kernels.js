// Plain WebGPU without a library: the scatter kernel that others use, which retries a compare-exchange until no other
// thread came between (unchecked indices, any order), and the adapter's own copies as the limit.

import { serveBench } from '../harness.js';
import { readsOnly, traffic } from '../workloads.js';

let device;

/** Makes a device with the adapter's own limits for buffers. Resolves to the adapter's facts and how fast it copies. */
async function start() {
  const adapter = await navigator.gpu.requestAdapter();
  device = await adapter.requestDevice({ requiredLimits: {
    maxBufferSize: adapter.limits.maxBufferSize,
    maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
  } });
  device.addEventListener('uncapturederror', ({ error }) => console.error(error.message));
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  return { vendor, architecture, description, isFallbackAdapter, bandwidth: await measureBandwidth() };
}

/** Bytes read and written per second when 64 MiB are copied, the best of six: by copyBufferToBuffer (`buffer`), and by a kernel. */
async function measureBandwidth() {
  const bytes = 1 << 26;
  const [from, to] = [empty(bytes), empty(bytes)];
  const best = async (run) => {
    let least = Infinity;
    for (let round = 0; round < 6; round++) {
      const begin = performance.now();
      run();
      await device.queue.onSubmittedWorkDone();
      least = Math.min(least, performance.now() - begin);
    }
    return (2 * bytes * 1000) / least;
  };
  const kernel = copyKernel(from, to, bytes);
  const result = { buffer: await best(() => copyBuffer(from, to, bytes)), kernel: await best(() => submit(kernel)) };
  for (const one of [from, to]) one.destroy();
  return result;
}

// A function, because the constants are only there where WebGPU is.
const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
const empty = (size) => device.createBuffer({ size, usage: usage() });

/** A buffer with an array's bytes. */
function upload(array) {
  const buffer = empty(array.byteLength);
  device.queue.writeBuffer(buffer, 0, array);
  return buffer;
}

/** Resolves to the values in a buffer, as an array of class `Type`. */
async function download(buffer, Type) {
  const read = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  copyBuffer(buffer, read, buffer.size);
  await read.mapAsync(GPUMapMode.READ);
  const values = new Type(read.getMappedRange().slice(0));
  read.destroy();
  return values;
}

/** Submits a copy of `bytes` bytes, without waiting. */
function copyBuffer(from, to, bytes) {
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(from, 0, to, 0, bytes);
  device.queue.submit([encoder.finish()]);
}

/** A kernel of this code: a pipeline, its buffers bound in their order, and the number of workgroups of 256 that `threads` threads make. */
function bind(code, buffers, threads) {
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }), entryPoint: 'main' } });
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const bindings = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  return { pipeline, bindings, groups: Math.ceil(threads / 256) };
}

/** Submits a kernel of `bind`, after a copy { from, to } of a whole buffer if there is one, without waiting. */
function submit({ pipeline, bindings, groups }, copy) {
  const encoder = device.createCommandEncoder();
  if (copy) encoder.copyBufferToBuffer(copy.from, 0, copy.to, 0, copy.to.size);
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  const width = Math.min(groups, 65535); // the limit of each dimension of the grid
  pass.dispatchWorkgroups(width, Math.ceil(groups / width));
  pass.end();
  device.queue.submit([encoder.finish()]);
}

/** The beginning of a kernel: `k` is the number of the thread, which has to do nothing where `k` is too large. */
const thread = `@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let k = id.x + id.y * groups.x * 256u;`;

/** A kernel that copies `bytes` bytes, 16 in each thread. */
const copyKernel = (from, to, bytes) => bind(`
@group(0) @binding(0) var<storage, read> a: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4u>;
${thread}
  if (k < arrayLength(&a)) { b[k] = a[k]; }
}`, [from, to], bytes / 16);

/**
 * The code of a scatter: a thread for each element of an update, and its operator in a loop that retries until no other thread came
 * between; a scatter that replaces only stores. `at` is the code for the number of the table's element that is written.
 */
function scatterCode(w, dtype) {
  const float = dtype === 'float32';
  const type = float ? 'f32' : 'i32';
  const old = `bitcast<${type}>(old)`;
  const combined = { add: `${old} + value`, multiply: `${old} * value`, maximum: `max(${old}, value)` }[w.reduce];
  const value = w.scalar === undefined ? 'src[k]' : String(w.scalar) + (float ? '.0' : '');
  const length = w.op === 'rows' ? w.length : 1;
  const at = w.op !== 'rows' ? `(k / ${w.post * w.count}u * ${w.size}u + u32(index[k])) * ${w.post}u + k % ${w.post}u`
    : w.tuple === 1 ? `u32(index[k / ${length}u]) * ${length}u + k % ${length}u`
    : `(u32(index[k / ${length}u * 2u]) * ${w.shape[1]}u + u32(index[k / ${length}u * 2u + 1u])) * ${length}u + k % ${length}u`;
  const update = !w.reduce ? 'atomicStore(&table[at], bitcast<u32>(value));' : `
    var old = atomicLoad(&table[at]);
    loop {
      let swap = atomicCompareExchangeWeak(&table[at], old, bitcast<u32>(${combined}));
      if (swap.exchanged) { break; }
      old = swap.old_value;
    }`;
  return `
@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> index: array<i32>;
${w.scalar === undefined ? `@group(0) @binding(2) var<storage, read> src: array<${type}>;` : ''}
${thread}
  if (k < ${w.op === 'rows' ? w.source_elements : w.updates}u) {
    let at = ${at};
    let value: ${type} = ${value};
    ${update}
  }
}`;
}

/** See harness.js. Multiplies, and workloads that only read x, have no kernel here, only limits. */
function prepare(w, { x, index, src, unit }, dtype) {
  if (w.group) return 'no kernel here';
  const kept = []; // buffers to destroy
  const keep = (buffer) => kept[kept.push(buffer) - 1];
  const settle = () => device.queue.onSubmittedWorkDone();
  const modes = {};
  for (const mode of ['resident', 'in place']) {
    if (mode === 'in place' && readsOnly(w)) continue;
    // A copy reads and writes each byte, so it has half of them, in units of 16.
    const bytes = Math.ceil(traffic(w, mode) / 32) * 16;
    const [from, to] = [keep(empty(bytes)), keep(empty(bytes))];
    const kernel = copyKernel(from, to, bytes);
    modes[`${mode}: copy kernel`] = { limit: true, run: () => submit(kernel), settle };
    modes[`${mode}: copyBufferToBuffer`] = { limit: true, run: () => copyBuffer(from, to, bytes), settle };
  }
  const dispose = () => kept.forEach((buffer) => buffer.destroy());
  if (w.op === 'pair' || readsOnly(w)) return { modes, dispose };

  const code = scatterCode(w, dtype);
  const threads = w.op === 'rows' ? w.source_elements : w.updates;
  const scatter = (table, ...operands) => bind(code, [table, ...operands.filter(Boolean)], threads); // a scalar has no source to bind
  const [self, at, source, units] = [x, index, src, unit].map((array) => array && keep(upload(array)));
  const [table, out] = [keep(upload(x)), keep(empty(x.byteLength))];
  const [copying, inPlace] = [scatter(out, at, source), scatter(table, at, units)];
  /** From arrays to a promise of an array. */
  const whole = async () => {
    const buffers = [x, index, src].map((array) => array && upload(array));
    submit(scatter(...buffers));
    const values = await download(buffers[0], x.constructor);
    for (const one of buffers) one?.destroy();
    return values;
  };
  const note = w.reduce ? 'compare-exchange loop' : 'stores that race';
  modes.resident = { note, run: () => submit(copying, { from: self, to: out }), settle,
    result: () => (submit(copying, { from: self, to: out }), download(out, x.constructor)) };
  modes['in place'] = { note, run: () => submit(inPlace), settle, result: () => (submit(inPlace), download(table, x.constructor)) };
  modes['end to end'] = { note, run: whole, result: whole };
  return { modes, dispose };
}

serveBench({ start, prepare });
