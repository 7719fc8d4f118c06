// Functions between Rust and the platform's WebGPU. wgpu can only start devices itself, and only in browsers. So tools/package.mjs
// (`replacements`) replaces some of its requests in wasm-bindgen's glue by calls of `gpu`, `workerScopeOf`, `createBuffer`, `isOfValidation` and
// `listen`. Rust imports `nap` and the functions with an underscore in their names.

/** The caller's GPU object, if any. */
let callersGpu;

/** Sets the caller's GPU object; undefined for none. */
export function offer(gpu) {
  callersGpu = gpu;
}

/** The GPU object to start from, the caller's or the platform's own; undefined on a platform without WebGPU. */
export const platformGpu = () => callersGpu ?? globalThis.navigator?.gpu;

/** The scope that wgpu takes for a worker's: a worker's own, or else any object, so that it requests WebGPU in Node, too. */
export const workerScopeOf = (global) => global.WorkerGlobalScope ?? global;

/** The caller's GPUDevice, if any. */
let callersDevice;

/** Sets the caller's GPUDevice; undefined for none. */
export function adopt(device) {
  callersDevice = device;
}

/** The info of an adapter, for a device of the caller that has none. */
const noInfo = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 128 };

/** The GPU object for wgpu: the platform's, or for a device of the caller an object whose only adapter returns that device. */
export function gpu() {
  if (callersDevice === undefined) return platformGpu();
  const { features, limits, adapterInfo: info = noInfo } = callersDevice;
  const adapter = { features, limits, info, requestDevice: async () => callersDevice };
  return { requestAdapter: async () => adapter };
}

/** The caller's buffer that `createBuffer` returns next; undefined for a new one. */
let lentBuffer;

/** Sets what `createBuffer` returns the next time; undefined takes it back. */
export function lend_buffer(buffer) {
  lentBuffer = buffer;
}

/** The buffer for a request of wgpu: a new one, or the caller's that was lent. */
export function createBuffer(device, descriptor) {
  const buffer = lentBuffer ?? device.createBuffer(descriptor);
  lentBuffer = undefined;
  return buffer;
}

/** Whether wgpu takes an error as one of validation. It knows those and full memory, and panics at any other, such as a GPUInternalError. */
export const isOfValidation = (error) => !(error instanceof GPUOutOfMemoryError);

/** Adds a handler for errors outside every scope. wgpu would replace the device's handler, which may be the caller's. */
export function listen(device, handler) {
  device.addEventListener('uncapturederror', handler);
}

/**
 * Copies `size` bytes of the caller's buffer `source`, from byte `offset` on, to the start of `target`. The copy is submitted before this
 * returns. The promise says why the platform refused the source: 'device' for a buffer of another device (or one that was invalid from the
 * start), 'destroyed', or '' if it did not refuse it.
 */
export async function copy_gpu_buffer(device, source, target, offset, size) {
  // For a buffer of another device, encoding fails; for a destroyed one, only the submission does.
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

/** Whether this is Firefox. Without new work it checks only every 100 ms whether the GPU is done, so Rust submits empty work meanwhile. */
export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

/** A promise that resolves after 1 ms, the time between two submissions of empty work. */
export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
