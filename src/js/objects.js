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

export function make_error(name, message, facts) {
  return Object.assign(new classes[name](message), facts);
}

// Which JavaScript objects are tensors of this copy of the library, and where they are in its memory.

let Tensor;
let IndexPlan;

/** Learns the classes from one instance each. */
export function register_classes(tensor, plan) {
  Tensor = tensor.constructor;
  IndexPlan = plan.constructor;
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

export function make_step(k, index, source, destination, before, operand, after) {
  return { k, index, source, destination, before, operand, after };
}

export function make_trace(steps, result) {
  return { steps, result };
}

// What the platform tells of its GPU. wgpu passes on only a part of it.

/** Facts of the adapter that a request would get; null without one. A missing navigator.gpu is a rejection with its reason. */
export async function adapter_facts(powerPreference) {
  const gpu = globalThis.navigator?.gpu;
  if (!gpu) {
    throw globalThis.isSecureContext === false
      ? 'WebGPU needs a secure context: https or localhost'
      : 'this platform has no WebGPU (navigator.gpu is missing)';
  }
  const adapter = await gpu.requestAdapter({ powerPreference });
  if (!adapter) return null;
  const { vendor = '', architecture = '', description = '', isFallbackAdapter } = adapter.info ?? {};
  return {
    vendor,
    architecture,
    description,
    software: Boolean(isFallbackAdapter ?? adapter.isFallbackAdapter),
    features: [...adapter.features],
  };
}

// Firefox looks only every 100 ms whether the GPU is done, unless work is submitted meanwhile.

export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
