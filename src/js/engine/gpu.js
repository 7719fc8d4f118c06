// WebGPU: start-up, uploads and read-backs of tensors, and buffers of the page's own code. gpu.none.js replaces it in builds without GPU
// code.
//
// Errors begin with `op`, the name of the function that the caller called. `handle` is the handle of a tensor, unless a comment says
// otherwise. The facts of an adapter are a list: vendor, architecture, description, whether it computes on the CPU, and its features
// (Rust takes them as one text separated by spaces, and returns an array). "Within a call" means between `enter` and `leave` of
// engine.js. A function that returns a promise makes a call of its own.

import * as rust from '#glue';
import { CALL, call, DTYPE_OF, fail, made, setDims } from './engine.js';
import { errorOf, failure, readable, RuntimeError, ValueError, wrongKind } from './errors.js';
import * as platform from './platform.js';
import { inTime } from './time.js';

const POWERS = ['low-power', 'high-performance'];

/** The number of the option powerPreference: 0 if missing, else its place in POWERS plus 1. Throws for another word. */
export function powerNumber(op, power) {
  if (power === undefined) return 0;
  const number = POWERS.indexOf(power) + 1;
  if (number > 0) return number;
  throw Object.assign(wrongKind(op, 'powerPreference', "'low-power' or 'high-performance'", power), { allowed: POWERS });
}

const unavailable = (op, why, cause) => failure(RuntimeError, 'device-unavailable', op, why, { cause });

/** `{ powerPreference, facts }`: the promise of the adapter's facts that `prepare` requested with that option, if any. */
let earlyRequest;

/** Requests an adapter's facts for `start` while the binary is still loading. `device` is the choice of init(). */
export function prepare({ device, powerPreference }) {
  earlyRequest = undefined;
  if (device === 'cpu' || callersDevice) return;
  const facts = adapterFacts('init', powerPreference);
  facts.catch(() => {}); // `start` reports the error; until then it must not count as unhandled
  earlyRequest = { powerPreference, facts };
}

/** Checks the option `gpu`, a GPU object of the caller; `device` is the option gpu_device. Each may be undefined. */
export function checkGpuObject(op, gpu, device) {
  if (gpu === undefined) return;
  if (device !== undefined) throw failure(ValueError, 'invalid-argument', op, 'gpu and gpu_device are both given: a device has its own GPU, so leave gpu out', { argument: 'gpu' });
  if (typeof globalThis.GPU === 'undefined') {
    const text = "gpu is given, and its classes (GPU, GPUBuffer, …) are not: with the package 'webgpu', first Object.assign(globalThis, globals)";
    throw failure(RuntimeError, 'device-unavailable', op, text, { argument: 'gpu' });
  }
  if (!isGpu(gpu)) throw wrongKind(op, 'gpu', 'a GPU object, such as navigator.gpu', gpu);
}

const isCalled = (type, object) => Object.prototype.toString.call(object) === `[object ${type}]`;

/** Whether an object is a GPU object of the platform: one of that class's methods works on no other object. */
function isGpu(gpu) {
  try {
    return isCalled('GPU', gpu) && typeof GPU.prototype.getPreferredCanvasFormat.call(gpu) === 'string';
  } catch {
    return false;
  }
}

/**
 * Takes WebGPU from the caller's GPU object from now on, and returns whether that is a change. Throws while a device of another object
 * runs. Forgets a lost device of the caller.
 */
export function offer(op, gpu) {
  // No change: the object is in use. But it also replaces a lost device of the caller.
  if (gpu === platform.platformGpu() && (callersDevice === undefined || isRunning())) return false;
  if (isRunning()) {
    const text = 'tensors live on a device of another GPU object already: give gpu to the first init(), before WebGPU has started, or after its device was lost';
    throw failure(RuntimeError, 'already-started', op, text, { argument: 'gpu' });
  }
  earlyRequest = callersDevice = undefined;
  platform.adopt(undefined);
  platform.offer(gpu);
  return true;
}

/** The caller's device, if init() was given one. */
let callersDevice;

/** The limits that the shaders need. Every WebGPU device has them, in compatibility mode too. */
const leastLimits = {
  maxStorageBuffersPerShaderStage: 5, maxComputeInvocationsPerWorkgroup: 128, maxComputeWorkgroupSizeX: 128,
  maxComputeWorkgroupStorageSize: 16384, maxComputeWorkgroupsPerDimension: 65535,
};

/** Checks that the option `gpu_device` is undefined, or a GPUDevice with the limits that the shaders need. */
export function checkDevice(op, device) {
  if (device === undefined) return;
  readable(op, 'gpu_device', () => {
    // In Dawn a device's limits are its own property. The label, which every WebGPU object has, is a getter of the class.
    const isDevice = platformGetter('GPUDevice', 'label', device) !== undefined;
    const limits = platformGetter('GPUDevice', 'limits', device) ?? (isDevice ? device.limits : undefined);
    if (limits === undefined) throw wrongKind(op, 'gpu_device', 'a GPUDevice', device);
    for (const [name, needed] of Object.entries(leastLimits)) {
      const has = limits[name];
      if (has >= needed) continue;
      const text = `gpu_device has ${name} ${has}, and at least ${needed} is needed: request the device with requiredLimits: { ${name}: ${needed} }`;
      throw failure(ValueError, 'invalid-argument', op, text, { argument: 'gpu_device', value: has });
    }
  });
}

/**
 * Reads a property by the getter `name` of the platform's class `type`; undefined for an object of another class, whatever it claims.
 * Checks the tag first: in Node, a getter of Dawn ends the process if it is called on another class of Dawn.
 */
function platformGetter(type, name, object) {
  const property = Object.getOwnPropertyDescriptor(globalThis[type]?.prototype ?? {}, name); // undefined without such a class
  try {
    return isCalled(type, object) ? property?.get.call(object) : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the caller's device for WebGPU from now on. Throws while another device runs. */
export function adopt(op, device) {
  if (device === callersDevice) return;
  if (isRunning()) {
    const text = 'tensors live on another GPUDevice already: give gpu_device to the first init(), before WebGPU has started, or after it was lost';
    throw failure(RuntimeError, 'already-started', op, text, { argument: 'gpu_device' });
  }
  callersDevice = device;
  platform.adopt(device);
}

export const isAdopted = () => callersDevice !== undefined;

/** The facts of the adapter of the caller's device. Rejects if the device was lost. */
async function adoptedFacts(op) {
  const lost = await Promise.race([callersDevice.lost, undefined]); // undefined unless the device is already lost: the race goes to the first settled one
  if (lost !== undefined) throw unavailable(op, `gpu_device is lost (${lost.message || lost.reason}): call init({ gpu_device }) with another one, or init({ gpu: navigator.gpu })`);
  return factsOf(callersDevice.adapterInfo, callersDevice);
}

/** The facts of an adapter, from its info and from the adapter or the device. On older platforms isFallbackAdapter is on the adapter. */
function factsOf(info, { features, isFallbackAdapter }) {
  const { vendor = '', architecture = '', description = '', isFallbackAdapter: isFallback = isFallbackAdapter } = info ?? {};
  return [vendor, architecture, description, Boolean(isFallback), [...features].join(' ')];
}

/** Requests an adapter and returns its facts: wgpu passes on only some of them. */
async function adapterFacts(op, powerPreference) {
  const gpu = platform.platformGpu();
  if (!gpu) {
    const isInsecure = globalThis.isSecureContext === false;
    throw unavailable(op, isInsecure ? 'WebGPU needs a secure context: https or localhost' : 'this platform has no WebGPU (navigator.gpu is missing, and init({ gpu }) was given none)');
  }
  let facts;
  try {
    const adapter = await gpu.requestAdapter({ powerPreference });
    facts = adapter ? factsOf(adapter.info, adapter) : undefined;
  } catch (cause) {
    throw unavailable(op, `the platform refused an adapter: ${cause?.message ?? cause}`, cause);
  }
  if (facts === undefined) throw unavailable(op, 'no GPU adapter answered');
  return facts;
}

/** The results of Rust's `gpu_state`; 0 means no device. */
const [SOFTWARE, HARDWARE, LOST] = [1, 2, 3];
export const isRunning = () => [SOFTWARE, HARDWARE].includes(rust.gpu_state());
export const isSoftware = () => rust.gpu_state() === SOFTWARE;

/** The time limit of a start, in ms: some platforms never answer when their GPU process fails. */
const MOST_TIME = 60_000;

/** As `startNow`, but rejects if the platform does not answer in time. */
export async function start(op, allowSoftware, powerPreference) {
  const late = () => unavailable(op, `the platform has not answered in ${MOST_TIME / 1000} s`);
  await inTime(startNow(op, allowSoftware, powerPreference), MOST_TIME, late);
}

/**
 * Starts a device, or takes the running one. `allowSoftware`: whether an adapter may compute on the CPU. A device of the caller ignores
 * that and `powerPreference`. Facts that `prepare` requested with the same preference are used once.
 */
async function startNow(op, allowSoftware, powerPreference) {
  if (isRunning() && (allowSoftware || callersDevice || !isSoftware())) return;
  if (callersDevice) {
    const [noPreference, anyAdapter, isCallers] = [0, true, true];
    await finished(rust.gpu_start(CALL[op], noPreference, anyAdapter, ...(await adoptedFacts(op)), isCallers));
    return;
  }
  const early = earlyRequest;
  earlyRequest = undefined;
  const isSameRequest = early !== undefined && early.powerPreference === powerPreference;
  const facts = await (isSameRequest ? early.facts.catch((error) => Promise.reject(renamed(error, op))) : adapterFacts(op, powerPreference));
  const isCallers = false;
  try {
    await finished(rust.gpu_start(CALL[op], powerNumber(op, powerPreference), allowSoftware, ...facts, isCallers));
  } catch (error) {
    // wgpu writes an error of the platform as debug text: (JsValue(OperationError: message
    // stack)). Keep only its first line.
    error.message = error.message.replace(/JsValue\((.*)[^]*\)\)$/, '$1)');
    throw error;
  }
}

const renamed = (error, op) => failure(error.constructor, error.code, op, error.message.replace(/^[\w.]+: /, ''), { cause: error.cause });

/** Why the last device was lost, without the `op` of Rust's error; undefined if no device was lost. */
export const loss = () => (rust.gpu_state() === LOST ? errorOf(rust.gpu_loss()).message.replace(/^backend: /, '') : undefined);

/** The limits in the order in which Rust returns them (`gpu_facts` in gpu.rs). */
const limitNames = [
  'maxBufferSize', 'maxStorageBufferBindingSize', 'maxStorageBuffersPerShaderStage', 'maxComputeWorkgroupsPerDimension',
  'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupStorageSize',
];

/** The GPU properties of `backend()`; each is null while no device runs. */
export function describeGpu() {
  const facts = rust.gpu_facts();
  if (facts === undefined) return { webgpu: null, numerics: null };
  const [[vendor, architecture, description, software, features], limits, [float32, keepsSubnormals, keepsNan], demoted] = facts;
  const named = Object.fromEntries(limitNames.map((name, at) => [name, limits[at]]));
  return {
    webgpu: { vendor, architecture, description, software, limits: named, features },
    numerics: { float32, subnormals: keepsSubnormals ? 'kept' : 'flushed', nan: keepsNan ? 'kept' : 'lost', demoted },
  };
}

export const freePooled = () => rust.gpu_free_pooled();
/** Bytes on the device: in use by tensors, plans and calls; and kept for later tensors. */
export const bytes = () => [rust.gpu_bytes(), rust.gpu_pooled_bytes()];
export const sync = () => finished(call('sync', () => rust.gpu_sync()));

/** Waits for a promise of Rust. It never rejects; a text is the facts of a failure, for which this throws the error. */
async function finished(promise) {
  const outcome = await promise;
  if (typeof outcome === 'string') throw errorOf(outcome);
  return outcome;
}

/** The handle of a new tensor on the GPU with the values of another. Within a call. */
export const upload = (op, handle) => made(op, rust.upload(handle, CALL[op]));
/** A promise of the handle of a new tensor on the CPU with the values of another at the time of the call. */
export const download = (op, handle) => finished(call(op, () => rust.download(handle, CALL[op])));
/** A promise of the handle of new exact sums on the CPU with the terms of others at the time of the call. */
export const downloadSums = (op, handle) => finished(call(op, () => rust.exact_sum_download(handle)));
/** Copies the bytes of a tensor on the GPU to a new array of the library's, which spans its buffer and has the tensor's size. Returns a promise. */
export const readInto = (op, handle, array) => finished(call(op, () => rust.read_into(handle, CALL[op], new Uint8Array(array.buffer))));
export const planReady = (op, handle) => finished(call(op, () => rust.plan_ready(handle)));

export function deviceObject(op) {
  return call(op, () => rust.gpu_device_object(CALL[op]) ?? fail(op));
}

/** The caller's buffers that tensors have borrowed, and the library's buffers that the caller got. */
const [borrowed, handedOut] = [new WeakSet(), new WeakSet()];

/** The GPUBuffer of a tensor; throws for a tensor on the CPU. Notes a buffer of the library, for `borrowBuffer`. */
export function bufferObject(op, handle) {
  const buffer = call(op, () => rust.gpu_buffer_object(handle, CALL[op]) ?? fail(op));
  if (!borrowed.has(buffer)) handedOut.add(buffer);
  return buffer;
}

// ---------------------------------------------------------------- buffers of the page

const COPY_SRC = 4; // GPUBufferUsage.COPY_SRC

/** The facts of the caller's GPUBuffer, each read once: `{ size, usage, mapState }`. Size is in bytes; the others may be undefined. */
export function readBuffer(op, buffer) {
  const size = platformGetter('GPUBuffer', 'size', buffer);
  if (size === undefined) throw wrongKind(op, 'buffer', 'a GPUBuffer', buffer);
  return { size, usage: platformGetter('GPUBuffer', 'usage', buffer), mapState: platformGetter('GPUBuffer', 'mapState', buffer) };
}

/** Checks the option `offset`, in bytes; 0 if missing. */
export function readOffset(op, offset = 0) {
  if (typeof offset !== 'number') throw wrongKind(op, 'offset', 'a number of bytes', offset);
  if (offset >= 0 && offset % 4 === 0) return offset;
  throw failure(ValueError, 'invalid-argument', op, `offset is ${offset}; it must be a multiple of 4 bytes, and not negative`, { argument: 'offset', value: offset });
}

const refuse = (op, why) => {
  throw failure(ValueError, 'invalid-buffer', op, why, { argument: 'buffer' });
};

/** Throws for a mapped buffer, if the platform tells. */
function refuseMapped(op, mapState) {
  if (typeof mapState === 'string' && mapState !== 'unmapped') refuse(op, 'buffer is mapped: unmap() it first');
}

/** The usages that a borrowed buffer needs: bits of GPUBufferUsage. */
const USAGES = { COPY_SRC, COPY_DST: 8, STORAGE: 128 };

/**
 * The handle of a tensor that lives in the caller's GPUBuffer, with the facts from `readBuffer`. `dtype` is a number; the data has
 * `length` bytes and begins at `offset`, which must be 0. Within a call.
 */
export function borrowBuffer(op, buffer, { size, usage, mapState }, dtype, shape, offset, length) {
  const lacks = Object.keys(USAGES).filter((name) => (usage & USAGES[name]) === 0);
  if (lacks.length > 0) refuse(op, `buffer was made without GPUBufferUsage.${lacks.join(' and ')}: borrowing it needs STORAGE | COPY_SRC | COPY_DST`);
  refuseMapped(op, mapState);
  if (handedOut.has(buffer)) refuse(op, 'buffer is that of a tensor already, from its gpu_buffer(): use that tensor, or leave borrow out for a copy');
  if (dtype === DTYPE_OF.bool) throw failure(ValueError, 'invalid-argument', op, "a buffer may hold any byte, and a bool only 0 and 1: borrow it as 'uint8', or leave borrow out", { argument: 'dtype' });
  if (offset !== 0) throw failure(ValueError, 'invalid-argument', op, `offset is ${offset}; a buffer is borrowed from its start`, { argument: 'offset', value: offset });
  const needed = Math.max(Math.ceil(length / 16), 1) * 16; // shaders write four words at a time
  if (size < needed || size % 4 !== 0) refuse(op, `buffer has ${size} bytes; to be borrowed for ${length} bytes it needs ${needed} or more, a multiple of 4`);
  setDims(shape);
  const created = made(op, rust.borrow_gpu_buffer(buffer, CALL[op], dtype, shape.length, size));
  borrowed.add(buffer);
  return created;
}

/** The handle of a new tensor, copied from `length` bytes of a GPUBuffer from byte `offset` on; the other parameters are as for `borrowBuffer`. */
export function copyBuffer(op, buffer, { size, usage, mapState }, dtype, shape, offset, length) {
  if ((usage & COPY_SRC) === 0) refuse(op, 'buffer was made without GPUBufferUsage.COPY_SRC, which copying it needs');
  refuseMapped(op, mapState);
  const needed = Math.ceil(length / 4) * 4; // copies move whole words
  if (offset + needed > size) refuse(op, `buffer has ${size} bytes; ${needed} bytes from offset ${offset} on end behind it`);
  setDims(shape);
  return made(op, rust.copy_gpu_buffer_in(buffer, CALL[op], dtype, shape.length, offset));
}

const TEXTURE_USAGE = 1 | 2 | 16; // COPY_SRC | COPY_DST | RENDER_ATTACHMENT

/**
 * A new GPUBuffer with the pixels of a picture that has a `source` (see image.js), as RGBA of 8 bits, copied on the GPU. Undefined if the
 * platform does not copy this kind or size of picture. The caller must destroy the buffer.
 */
export function copyPicture(op, { source, width, height }) {
  const device = deviceObject(op);
  const { maxTextureDimension2D, maxBufferSize } = device.limits;
  const size = 4 * width * height;
  if (Math.max(width, height) > maxTextureDimension2D || size > maxBufferSize) return undefined;
  const texture = device.createTexture({ size: [width, height], format: 'rgba8unorm', usage: TEXTURE_USAGE });
  try {
    device.queue.copyExternalImageToTexture({ source }, { texture, premultipliedAlpha: false }, [width, height]);
  } catch {
    texture.destroy();
    return undefined;
  }
  const buffer = device.createBuffer({ size, usage: COPY_SRC | USAGES.COPY_DST });
  const encoder = device.createCommandEncoder();
  // In a copy of several rows, each row in the buffer must have a multiple of 256 bytes. Otherwise each row is copied alone.
  const rows = (4 * width) % 256 === 0 ? height : 1;
  for (let y = 0; y < height; y += rows) {
    encoder.copyTextureToBuffer({ texture, origin: [0, y] }, { buffer, offset: 4 * width * y, bytesPerRow: rows === 1 ? undefined : 4 * width }, [width, rows]);
  }
  device.queue.submit([encoder.finish()]);
  texture.destroy();
  return buffer;
}
