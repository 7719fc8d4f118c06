// What Rust asks of the platform's WebGPU. wgpu can only start devices itself, and only in browsers. So tools/package.mjs (`replacements`)
// puts calls of some of these into wasm-bindgen's glue, in the place of what wgpu asks for: `gpu`, `workerScopeOf`, `createBuffer`,
// `isOfValidation` and `listen`. Rust imports `nap` and the functions with an underscore in their names.

/** The caller's GPU object, where there is one. */
let callersGpu;

/** Sets the caller's GPU object; undefined for none. */
export function offer(gpu) {
  callersGpu = gpu;
}

/** The GPU object to start from, the caller's or the platform's own; undefined on a platform without WebGPU. */
export const platformGpu = () => callersGpu ?? globalThis.navigator?.gpu;

/** What wgpu takes for a worker's scope: that of a worker, or else anything, so that it asks for WebGPU in Node too, which is no worker. */
export const workerScopeOf = (global) => global.WorkerGlobalScope ?? global;

/** The caller's GPUDevice, where there is one. */
let callersDevice;

/** Sets the caller's GPUDevice; undefined for none. */
export function adopt(device) {
  callersDevice = device;
}

/** The info of an adapter, for a device of the caller's that does not tell it. */
const noInfo = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 128 };

/** The GPU object that wgpu gets: the platform's, or with a device of the caller's one whose only adapter gives that device. */
export function gpu() {
  if (callersDevice === undefined) return platformGpu();
  const { features, limits, adapterInfo: info = noInfo } = callersDevice;
  const adapter = { features, limits, info, requestDevice: async () => callersDevice };
  return { requestAdapter: async () => adapter };
}

/** The caller's buffer that the next one is to be; undefined for a new one. */
let lentBuffer;

/** Sets what `createBuffer` returns the next time; undefined takes it back. */
export function lend_buffer(buffer) {
  lentBuffer = buffer;
}

/** What wgpu gets where it asks for a buffer: a new one, or the caller's that was lent. */
export function createBuffer(device, descriptor) {
  const buffer = lentBuffer ?? device.createBuffer(descriptor);
  lentBuffer = undefined;
  return buffer;
}

/** Whether wgpu is to take an error for one of validation. It knows those and full memory, and panics at any other, such as a GPUInternalError. */
export const isOfValidation = (error) => !(error instanceof GPUOutOfMemoryError);

/** Adds a handler for errors outside of every scope. wgpu would replace the one that the device has, which may be the caller's. */
export function listen(device, handler) {
  device.addEventListener('uncapturederror', handler);
}

/**
 * Copies `size` bytes of the caller's buffer `source`, from byte `offset` on, to the start of `target`. The copy is submitted before this
 * returns. The promise says why the platform refused the source: 'device' for a buffer of another device (or one that was invalid from the
 * start), 'destroyed', or '' if it did not refuse it.
 */
export async function copy_gpu_buffer(device, source, target, offset, size) {
  // Encoding fails for a buffer of another device, and only the submission for one that was destroyed.
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

/** Whether this is Firefox: unless work comes, it looks only every 100 ms whether the GPU is done, so Rust submits empty work meanwhile. */
export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

/** A promise that resolves after 1 ms, the time between two submissions of empty work. */
export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
