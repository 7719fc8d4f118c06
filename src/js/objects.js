// Objects that Rust makes, recognises or asks: errors, tensors, steps, the platform. See values.js on why they share a file.

// The error classes, and their making from the facts that Rust sends.

export class ValueError extends Error {}
export class RuntimeError extends Error {}
export class IndexError extends RuntimeError {}
// Written out: a minifier renames the classes.
for (const [name, type] of Object.entries({ ValueError, RuntimeError, IndexError })) {
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
}

const classes = { TypeError, ValueError, RuntimeError, IndexError };

/** An object from its names, divided by blanks, and as many values; null without values. */
const named = (names, values) => (values ? Object.fromEntries(names.split(' ').map((name, at) => [name, values[at]])) : null);

const errorFacts = 'code op argument dim position value allowed shapes';

/** `shapes` are pairs of a name and sizes. Facts that are not there are no properties. */
export function make_error(name, message, values) {
  const facts = named(errorFacts, values);
  for (const key in facts) if (facts[key] === undefined) delete facts[key];
  if (facts.shapes) facts.shapes = Object.fromEntries(facts.shapes);
  return Object.assign(new classes[name](message), facts);
}

// What `backend` and `memory` return.

const limits =
  'maxBufferSize maxStorageBufferBindingSize maxStorageBuffersPerShaderStage maxComputeWorkgroupsPerDimension maxComputeInvocationsPerWorkgroup maxComputeWorkgroupStorageSize';

export function make_info(values) {
  const info = named('device webgpu simd numerics reason version', values);
  info.webgpu ??= null;
  // tools/package.mjs drops what has this label where there is no GPU code.
  GPU: {
    info.webgpu = named('vendor architecture description software limits features', info.webgpu);
    if (info.webgpu) info.webgpu.limits = named(limits, info.webgpu.limits);
  }
  info.numerics = named('float32 subnormals nan', info.numerics);
  return info;
}

export const make_memory = (values) => named('tensors cpu_bytes gpu_bytes gpu_pooled_bytes', values);

// Which JavaScript objects are tensors of this copy of the library, and where they are in its memory.

let Tensor;
let IndexPlan;

/** Learns the classes, which the glue has: it imports this file. */
export function register_classes(tensor, plan) {
  Tensor = tensor;
  IndexPlan = plan;
}

/** The address of a tensor; 0 when it was freed or never made, -1 for anything else, tensors of another copy included. */
export function tensor_pointer(value) {
  return value instanceof Tensor ? value.__wbg_ptr || 0 : -1;
}

/** The same for plans. */
export function plan_pointer(value) {
  return value instanceof IndexPlan ? value.__wbg_ptr || 0 : -1;
}

// The objects that `trace` returns.

/** Three places and three values are a write; with one value it is a read. */
export function make_trace(rows, result) {
  const steps = rows.map(([index, source, destination, ...values], k) => {
    const names = values.length > 1 ? 'before operand after' : 'value';
    return { k, index, source, destination, ...named(names, values) };
  });
  return { steps, result };
}

// What the platform tells of its GPU. wgpu passes on only a part of it.

/** What `ask_early` asked. */
let asked;

/** Asks for the facts that a start with these options will want, while its binary is still on the way. */
export function ask_early({ device, powerPreference }) {
  if (device === 'cpu') return;
  const facts = adapter_facts(powerPreference);
  facts.catch(() => {}); // the start reports it
  asked = { powerPreference, facts };
}

/** Facts of the adapter that a request would get; null without one. A missing navigator.gpu is a rejection with its reason. */
export async function adapter_facts(powerPreference) {
  const early = asked;
  asked = undefined;
  if (early && early.powerPreference === powerPreference) return early.facts;
  const gpu = globalThis.navigator?.gpu;
  if (!gpu) {
    throw globalThis.isSecureContext === false
      ? 'WebGPU needs a secure context: https or localhost'
      : 'this platform has no WebGPU (navigator.gpu is missing)';
  }
  const adapter = await gpu.requestAdapter({ powerPreference });
  if (!adapter) return null;
  const { vendor = '', architecture = '', description = '', isFallbackAdapter } = adapter.info ?? {};
  // In the order in which session.rs reads them.
  return [vendor, architecture, description, Boolean(isFallbackAdapter ?? adapter.isFallbackAdapter), [...adapter.features]];
}

// Sharing buffers with the page's own WebGPU code.

/** Whether it is a GPUBuffer, of this realm or another. */
export const is_gpu_buffer = (value) => Object.prototype.toString.call(value) === '[object GPUBuffer]';

/**
 * Copies from a caller's buffer, at once. Resolves to what the platform had against it: '' for nothing, 'device' for
 * a buffer of another device (or one that was never there), 'destroyed'.
 */
export async function copy_gpu_buffer(device, source, target, offset, size) {
  device.pushErrorScope('validation');
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, offset, target, 0, size);
  const commands = encoder.finish();
  const encoded = device.popErrorScope();
  device.pushErrorScope('validation');
  device.queue.submit([commands]);
  const submitted = device.popErrorScope();
  try {
    if (await encoded) return 'device';
    return (await submitted) ? 'destroyed' : '';
  } catch {
    return ''; // the device is lost, which is reported elsewhere
  }
}

// Firefox looks only every 100 ms whether the GPU is done, unless work is submitted meanwhile.

export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
