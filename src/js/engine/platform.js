// Functions between Rust and the platform's WebGPU. wgpu can start only its own devices, and only in browsers. So tools/package.mjs
// (`replacements`) replaces some requests in wasm-bindgen's glue by calls of `gpu`, `workerScopeOf`, `createBuffer`, `isOfValidation` and
// `listen`. Rust imports `nap` and the functions with an underscore in their names.

let callersGpu;

export function offer(gpu) {
  callersGpu = gpu;
}

/** The GPU object to start from: the caller's or the platform's own; undefined on a platform without WebGPU. */
export const platformGpu = () => callersGpu ?? globalThis.navigator?.gpu;

/** The scope that wgpu takes for a worker's. In Node any object serves, so that wgpu requests WebGPU there too. */
export const workerScopeOf = (global) => global.WorkerGlobalScope ?? global;

let callersDevice;

export function adopt(device) {
  callersDevice = device;
}

/** The info of an adapter, for a caller's device without one. */
const noInfo = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 128 };

/** The GPU object for wgpu: the platform's, or an object whose only adapter returns the caller's device. */
export function gpu() {
  if (callersDevice === undefined) return platformGpu();
  const { features, limits, adapterInfo: info = noInfo } = callersDevice;
  const adapter = { features, limits, info, requestDevice: async () => callersDevice };
  return { requestAdapter: async () => adapter };
}

/** The caller's buffer that the next `createBuffer` returns; undefined for a new buffer. */
let lentBuffer;

/** Sets the buffer that the next `createBuffer` returns; undefined cancels that. */
export function lend_buffer(buffer) {
  lentBuffer = buffer;
}

/** The buffer for a request of wgpu: a new one, or the one that the caller lent. */
export function createBuffer(device, descriptor) {
  const buffer = lentBuffer ?? device.createBuffer(descriptor);
  lentBuffer = undefined;
  return buffer;
}

/**
 * Whether wgpu treats an error as a validation error. It knows only those and out-of-memory, and panics at any other, such as
 * GPUInternalError.
 */
export const isOfValidation = (error) => !(error instanceof GPUOutOfMemoryError);

/** Adds a handler for uncaptured errors. wgpu would replace the device's handler, which may be the caller's. */
export function listen(device, handler) {
  device.addEventListener('uncapturederror', handler);
}

/**
 * Copies `size` bytes of the caller's buffer `source`, from byte `offset` on, to the start of `target`. Submits the copy before it
 * returns. The promise says why the platform refused the source: 'device' for a buffer of another device (or one that was always
 * invalid), 'destroyed', or '' if it was accepted.
 */
export async function copy_gpu_buffer(device, source, target, offset, size) {
  // With a buffer of another device, encoding fails. With a destroyed buffer, only the submission fails.
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
    return ''; // the device is lost, and another place reports that
  }
}

/** Whether this is Firefox. Without new work it checks only every 100 ms whether the GPU has finished, so Rust submits empty work. */
export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

/** A promise that resolves after 1 ms, between two submissions of empty work. */
export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
