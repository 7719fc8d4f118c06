// What Rust asks of the platform's WebGPU. The first functions stand in the glue where wgpu would ask the platform itself, which can start
// devices of its own only, and in browsers only: see `own` in tools/package.mjs.

/** The caller's GPU object, where there is one. */
let source;

export function offer(gpu) {
  source = gpu;
}

/** The platform's WebGPU; undefined where it has none. */
export const platformGpu = () => source ?? globalThis.navigator?.gpu;

/** wgpu asks for WebGPU in pages and in workers. Node, which is neither, passes for a worker. */
export const workerScopeOf = (global) => global.WorkerGlobalScope ?? global;

/** The caller's GPUDevice, where there is one. */
let adopted;

export function adopt(device) {
  adopted = device;
}

/** What a platform says of an adapter that does not say it of a device. */
const noInfo = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 128 };

/** WebGPU for wgpu; with a device of the caller's, an object whose adapter has this device. */
export function gpu() {
  if (adopted === undefined) return platformGpu();
  const { features, limits, adapterInfo: info = noInfo } = adopted;
  const adapter = { features, limits, info, requestDevice: async () => adopted };
  return { requestAdapter: async () => adapter };
}

/** What the next buffer is to be. */
let lent;

export function lend_buffer(buffer) {
  lent = buffer;
}

/** A new buffer, or the caller's that was lent for it. */
export function createBuffer(device, descriptor) {
  const buffer = lent ?? device.createBuffer(descriptor);
  lent = undefined;
  return buffer;
}

/** wgpu knows two kinds of error and panics at any other, such as a GPUInternalError: that passes for one of validation. */
export const isOfValidation = (error) => !(error instanceof GPUOutOfMemoryError);

/** Hears of errors outside of every scope, beside whatever handler the device has. */
export function listen(device, handler) {
  device.addEventListener('uncapturederror', handler);
}

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
