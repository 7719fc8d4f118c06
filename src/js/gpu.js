// WebGPU: start-up, moving and reading tensors, and buffers of the page's own code. gpu.none.js is the same without GPU code.

import * as rust from '#glue';
import { CALL, call, lastError, made, setDims } from './engine.js';
import { errorOf, failure, RuntimeError, ValueError, wrongKind } from './errors.js';

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
  if (device === 'cpu') return;
  const facts = adapterFacts('init', powerPreference);
  facts.catch(() => {}); // the start reports it
  asked = { powerPreference, facts };
}

/** Facts of the adapter that a request would get, of which wgpu passes on only a part. */
async function adapterFacts(op, powerPreference) {
  const gpu = globalThis.navigator?.gpu;
  if (!gpu) {
    const isInsecure = globalThis.isSecureContext === false;
    throw unavailable(op, isInsecure ? 'WebGPU needs a secure context: https or localhost' : 'this platform has no WebGPU (navigator.gpu is missing)');
  }
  let adapter;
  try {
    adapter = await gpu.requestAdapter({ powerPreference });
  } catch (cause) {
    throw unavailable(op, `the platform refused an adapter: ${cause?.message ?? cause}`, cause);
  }
  if (!adapter) throw unavailable(op, 'no GPU adapter answered');
  const { vendor = '', architecture = '', description = '', isFallbackAdapter } = adapter.info ?? {};
  return [vendor, architecture, description, Boolean(isFallbackAdapter ?? adapter.isFallbackAdapter), [...adapter.features].join(' ')];
}

const LOST = 3;
const SOFTWARE = 1;
export const isRunning = () => [1, 2].includes(rust.gpu_state());
export const isSoftware = () => rust.gpu_state() === SOFTWARE;

/** Starts a device, or takes the one that runs. `software`: whether an adapter that computes on the CPU will do. */
export async function start(op, software, powerPreference) {
  if (isRunning() && (software || !isSoftware())) return;
  const early = asked;
  asked = undefined;
  const asEarly = early !== undefined && early.powerPreference === powerPreference;
  const facts = await (asEarly ? early.facts.catch((error) => Promise.reject(renamed(error, op))) : adapterFacts(op, powerPreference));
  await finished(rust.gpu_start(CALL[op], powerNumber(op, powerPreference), software, ...facts));
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

function fail(op) {
  throw lastError(op);
}

// ---------------------------------------------------------------- buffers of the page

const COPY_SRC = 4; // GPUBufferUsage.COPY_SRC

/** What can be seen of a buffer, read from it once. */
export function readBuffer(op, buffer) {
  if (Object.prototype.toString.call(buffer) !== '[object GPUBuffer]') throw wrongKind(op, 'buffer', 'a GPUBuffer', buffer);
  const { size, usage, mapState } = buffer;
  return { size, usage, mapState };
}

export function readOffset(op, offset = 0) {
  if (typeof offset !== 'number') throw wrongKind(op, 'offset', 'a number of bytes', offset);
  if (offset >= 0 && offset % 4 === 0) return offset;
  throw failure(ValueError, 'invalid-argument', op, `offset is ${offset}; it must be a multiple of 4 bytes, and not negative`, { argument: 'offset', value: offset });
}

/** A tensor copied from a buffer, of so many bytes; its handle. To be used within a call. */
export function copyBuffer(op, buffer, { size, usage, mapState }, dtype, shape, offset, length) {
  const refuse = (why) => {
    throw failure(ValueError, 'invalid-buffer', op, why, { argument: 'buffer' });
  };
  if ((usage & COPY_SRC) === 0) refuse('buffer was made without GPUBufferUsage.COPY_SRC, which copying it needs');
  if (typeof mapState === 'string' && mapState !== 'unmapped') refuse('buffer is mapped: unmap() it first');
  const needed = Math.ceil(length / 4) * 4; // copies move whole words
  if (offset + needed > size) refuse(`buffer has ${size} bytes; ${needed} bytes from offset ${offset} on end behind it`);
  setDims(shape);
  return made(op, rust.copy_gpu_buffer_in(buffer, CALL[op], dtype, shape.length, offset));
}
