// WebGPU: start-up, moving and reading tensors, and buffers of the page's own code. gpu.none.js is the same without GPU code.

import * as rust from '#glue';
import { CALL, call, DTYPE_OF, fail, made, setDims } from './engine.js';
import { errorOf, failure, readable, RuntimeError, ValueError, wrongKind } from './errors.js';
import * as platform from './platform.js';

const POWERS = ['low-power', 'high-performance'];

/** Checks the option; its number. */
export function powerNumber(op, power) {
  if (power === undefined) return 0;
  const number = POWERS.indexOf(power) + 1;
  if (number > 0) return number;
  throw Object.assign(wrongKind(op, 'powerPreference', "'low-power' or 'high-performance'", power), { allowed: POWERS });
}

const unavailable = (op, why, cause) => failure(RuntimeError, 'device-unavailable', op, why, { cause });

/** What an adapter told early, for the options it was asked with. */
let asked;

/** Asks for the adapter's facts, which a start with these options will want, while its binary is still on the way. */
export function prepare({ device, powerPreference }) {
  asked = undefined;
  if (device === 'cpu' || adopted) return;
  const facts = adapterFacts('init', powerPreference);
  facts.catch(() => {}); // the start reports it
  asked = { powerPreference, facts };
}

/** Checks the option `gpu`. */
export function readSource(op, gpu, device) {
  if (gpu === undefined) return;
  if (device !== undefined) throw failure(ValueError, 'invalid-argument', op, 'gpu and gpu_device are both given: a device has its own GPU, so leave gpu out', { argument: 'gpu' });
  if (typeof globalThis.GPU === 'undefined') {
    const text = "gpu is given, and its classes (GPU, GPUBuffer, …) are not: with the package 'webgpu', first Object.assign(globalThis, globals)";
    throw failure(RuntimeError, 'device-unavailable', op, text, { argument: 'gpu' });
  }
  if (!isGpu(gpu)) throw wrongKind(op, 'gpu', 'a GPU object, such as navigator.gpu', gpu);
}

const isCalled = (type, object) => Object.prototype.toString.call(object) === `[object ${type}]`;

function isGpu(gpu) {
  try {
    return isCalled('GPU', gpu) && typeof GPU.prototype.getPreferredCanvasFormat.call(gpu) === 'string';
  } catch {
    return false;
  }
}

/** Takes WebGPU from the caller's object from now on, and forgets a device of the caller's that was lost. Returns whether anything changed. */
export function offer(op, gpu) {
  if (gpu === platform.platformGpu() && (adopted === undefined || isRunning())) return false;
  if (isRunning()) {
    const text = 'tensors live on a device of another GPU object already: give gpu to the first init(), before WebGPU has started, or after its device was lost';
    throw failure(RuntimeError, 'already-started', op, text, { argument: 'gpu' });
  }
  asked = adopted = undefined;
  platform.adopt(undefined);
  platform.offer(gpu);
  return true;
}

/** The caller's device, where init() was given one. */
let adopted;

/** What every shader needs: the limits that WebGPU promises of each device, but of one in compatibility mode. */
const least = {
  maxStorageBuffersPerShaderStage: 8, maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 16384, maxComputeWorkgroupsPerDimension: 65535,
};

/** Checks the option `gpu_device`. */
export function readDevice(op, device) {
  if (device === undefined) return;
  readable(op, 'gpu_device', () => {
    // Dawn's devices have their limits as properties, and what all objects of WebGPU have, a label, by a getter.
    const isDevice = ownGetter('GPUDevice', 'label', device) !== undefined;
    const limits = ownGetter('GPUDevice', 'limits', device) ?? (isDevice ? device.limits : undefined);
    if (limits === undefined) throw wrongKind(op, 'gpu_device', 'a GPUDevice', device);
    for (const [name, needed] of Object.entries(least)) {
      const has = limits[name];
      if (has >= needed) continue;
      const text = `gpu_device has ${name} ${has}, and at least ${needed} is needed: request the device with requiredLimits: { ${name}: ${needed} }, and no adapter in compatibility mode`;
      throw failure(ValueError, 'invalid-argument', op, text, { argument: 'gpu_device', value: has });
    }
  });
}

/**
 * What the platform's own getter finds; undefined for an object of another class, whatever name that has. The name is looked at first all
 * the same: in Node, a getter of Dawn's that is called on an object of another of its classes ends the process.
 */
function ownGetter(type, name, object) {
  const own = Object.getOwnPropertyDescriptor(globalThis[type]?.prototype ?? {}, name);
  try {
    return isCalled(type, object) ? own?.get.call(object) : undefined;
  } catch {
    return undefined;
  }
}

/** From now on WebGPU is the caller's device. */
export function adopt(op, device) {
  if (device === adopted) return;
  if (isRunning()) {
    const text = 'tensors live on another GPUDevice already: give gpu_device to the first init(), before WebGPU has started, or after it was lost';
    throw failure(RuntimeError, 'already-started', op, text, { argument: 'gpu_device' });
  }
  adopted = device;
  platform.adopt(device);
}

export const isAdopted = () => adopted !== undefined;

/** The same facts of the caller's device. */
async function adoptedFacts(op) {
  const lost = await Promise.race([adopted.lost, undefined]); // what has happened already comes first
  if (lost !== undefined) throw unavailable(op, `gpu_device is lost (${lost.message || lost.reason}): call init({ gpu_device }) with another one, or init({ gpu: navigator.gpu })`);
  return factsOf(adopted.adapterInfo, adopted);
}

function factsOf(info, { features, isFallbackAdapter }) {
  const { vendor = '', architecture = '', description = '', isFallbackAdapter: isFallback = isFallbackAdapter } = info ?? {};
  return [vendor, architecture, description, Boolean(isFallback), [...features].join(' ')];
}

/** Facts about the adapter that a request would get; wgpu passes on only a part of them. */
async function adapterFacts(op, powerPreference) {
  const gpu = platform.platformGpu();
  if (!gpu) {
    const isInsecure = globalThis.isSecureContext === false;
    throw unavailable(op, isInsecure ? 'WebGPU needs a secure context: https or localhost' : 'this platform has no WebGPU (navigator.gpu is missing, and init({ gpu }) was given none)');
  }
  let adapter;
  try {
    adapter = await gpu.requestAdapter({ powerPreference });
  } catch (cause) {
    throw unavailable(op, `the platform refused an adapter: ${cause?.message ?? cause}`, cause);
  }
  if (!adapter) throw unavailable(op, 'no GPU adapter answered');
  return factsOf(adapter.info, adapter);
}

const LOST = 3;
const SOFTWARE = 1;
export const isRunning = () => [1, 2].includes(rust.gpu_state());
export const isSoftware = () => rust.gpu_state() === SOFTWARE;

/** Starts a device, or takes the one that runs. `software`: whether an adapter that computes on the CPU will do. */
export async function start(op, software, powerPreference) {
  if (isRunning() && (software || adopted || !isSoftware())) return;
  if (adopted) {
    await finished(rust.gpu_start(CALL[op], 0, true, ...(await adoptedFacts(op)), true));
    return;
  }
  const early = asked;
  asked = undefined;
  const asEarly = early !== undefined && early.powerPreference === powerPreference;
  const facts = await (asEarly ? early.facts.catch((error) => Promise.reject(renamed(error, op))) : adapterFacts(op, powerPreference));
  await finished(rust.gpu_start(CALL[op], powerNumber(op, powerPreference), software, ...facts, false));
}

const renamed = (error, op) => failure(error.constructor, error.code, op, error.message.replace(/^[\w.]+: /, ''), { cause: error.cause });

/** Why the device is gone that ran last; undefined where it is not. */
export const loss = () => (rust.gpu_state() === LOST ? errorOf(rust.gpu_loss()).message.replace(/^backend: /, '') : undefined);

const limitNames = [
  'maxBufferSize', 'maxStorageBufferBindingSize', 'maxStorageBuffersPerShaderStage', 'maxComputeWorkgroupsPerDimension',
  'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupStorageSize',
];

/** The parts of `backend()` that tell of the GPU. */
export function describeGpu() {
  const facts = rust.gpu_facts();
  if (facts === undefined) return { webgpu: null, numerics: null };
  const [[vendor, architecture, description, software, features], limits, [isNative, keepsSubnormals, keepsNan], demoted] = facts;
  const named = Object.fromEntries(limitNames.map((name, at) => [name, limits[at]]));
  return {
    webgpu: { vendor, architecture, description, software, limits: named, features },
    numerics: { float32: isNative ? 'native' : 'strict', subnormals: keepsSubnormals ? 'kept' : 'flushed', nan: keepsNan ? 'kept' : 'lost', demoted },
  };
}

/** Any number that is no way leaves the choice to the library. */
export const forceWay = (way) => rust.gpu_force_way(way);
export const freePooled = () => rust.gpu_free_pooled();
export const bytes = () => [rust.gpu_bytes(), rust.gpu_pooled_bytes()];
export const sync = () => finished(call('sync', () => rust.gpu_sync()));

/** What a promise of Rust's resolves to; the facts of a failure are an error. */
async function finished(promise) {
  const outcome = await promise;
  if (typeof outcome === 'string') throw errorOf(outcome);
  return outcome;
}

/** A tensor on the GPU with the values of one on the CPU: its handle. To be used within a call. */
export const upload = (op, handle) => made(op, rust.upload(handle, CALL[op]));
/** A tensor on the CPU with the values of another: a promise of its handle. */
export const download = (op, handle) => finished(call(op, () => rust.download(handle, CALL[op])));
/** Copies the bytes of a tensor on the GPU to a new array of ours. */
export const readInto = (op, handle, array) => finished(call(op, () => rust.read_into(handle, CALL[op], new Uint8Array(array.buffer))));
export const planReady = (op, handle) => finished(call(op, () => rust.plan_ready(handle)));

/** The GPUDevice. */
export function deviceObject(op) {
  return call(op, () => rust.gpu_device_object(CALL[op]) ?? fail(op));
}

export function bufferObject(op, handle) {
  return call(op, () => rust.gpu_buffer_object(handle, CALL[op]) ?? fail(op));
}

// ---------------------------------------------------------------- buffers of the page

const COPY_SRC = 4; // GPUBufferUsage.COPY_SRC

/** What can be seen of a buffer, read from it once. */
export function readBuffer(op, buffer) {
  const size = ownGetter('GPUBuffer', 'size', buffer);
  if (size === undefined) throw wrongKind(op, 'buffer', 'a GPUBuffer', buffer);
  return { size, usage: ownGetter('GPUBuffer', 'usage', buffer), mapState: ownGetter('GPUBuffer', 'mapState', buffer) };
}

export function readOffset(op, offset = 0) {
  if (typeof offset !== 'number') throw wrongKind(op, 'offset', 'a number of bytes', offset);
  if (offset >= 0 && offset % 4 === 0) return offset;
  throw failure(ValueError, 'invalid-argument', op, `offset is ${offset}; it must be a multiple of 4 bytes, and not negative`, { argument: 'offset', value: offset });
}

const refuse = (op, why) => {
  throw failure(ValueError, 'invalid-buffer', op, why, { argument: 'buffer' });
};

const refuseMapped = (op, mapState) => typeof mapState === 'string' && mapState !== 'unmapped' && refuse(op, 'buffer is mapped: unmap() it first');

/** What a borrowed buffer is used for. */
const USAGES = { COPY_SRC, COPY_DST: 8, STORAGE: 128 };

/** The handle of a tensor whose memory is `length` bytes of `buffer`, from byte `offset` on. To be used within a call. */
export function borrowBuffer(op, buffer, { size, usage, mapState }, dtype, shape, offset, length) {
  const lacks = Object.keys(USAGES).filter((name) => (usage & USAGES[name]) === 0);
  if (lacks.length > 0) refuse(op, `buffer was made without GPUBufferUsage.${lacks.join(' and ')}: borrowing it needs STORAGE | COPY_SRC | COPY_DST`);
  refuseMapped(op, mapState);
  if (dtype === DTYPE_OF.bool) throw failure(ValueError, 'invalid-argument', op, "a buffer may hold any byte, and a bool only 0 and 1: borrow it as 'uint8', or leave borrow out", { argument: 'dtype' });
  if (offset !== 0) throw failure(ValueError, 'invalid-argument', op, `offset is ${offset}; a buffer is borrowed from its start`, { argument: 'offset', value: offset });
  const needed = Math.max(Math.ceil(length / 16), 1) * 16; // shaders write four words at a time
  if (size < needed || size % 4 !== 0) refuse(op, `buffer has ${size} bytes; to be borrowed for ${length} bytes it needs ${needed} or more, a multiple of 4`);
  setDims(shape);
  return made(op, rust.borrow_gpu_buffer(buffer, CALL[op], dtype, shape.length, size));
}

/** The handle of a new tensor, copied from `length` bytes of `buffer`, from byte `offset` on. To be used within a call. */
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
 * The pixels of a picture in a buffer of ours, without a way through memory; nothing where the platform does not copy this kind of
 * picture, or not one of this size.
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
  // Copies of several rows have rows of whole 256 bytes.
  const rows = (4 * width) % 256 === 0 ? height : 1;
  for (let y = 0; y < height; y += rows) {
    encoder.copyTextureToBuffer({ texture, origin: [0, y] }, { buffer, offset: 4 * width * y, bytesPerRow: rows === 1 ? undefined : 4 * width }, [width, rows]);
  }
  device.queue.submit([encoder.finish()]);
  texture.destroy();
  return buffer;
}
