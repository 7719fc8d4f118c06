// The choice of device, and the public state of the library. types.d.ts describes each public function.
//
// Errors begin with `op`, the name of the called function. A choice is one of CHOICES. tools/package.mjs defines VERSION, and HAS: whether
// the build has GPU code.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { refuseOptions, word } from '../arguments/arguments.js';
import { call, grownBytes, isStarted, requireStart } from '../engine/engine.js';
import { wrongKind } from '../engine/errors.js';
import { resolved } from '../engine/task.js';
import { threadFacts } from '../engine/threads.js';

const CHOICES = ['auto', 'cpu', 'webgpu'];
const wantedText = "'auto', 'cpu' or 'webgpu'";

let device = 'cpu';
let reason = 'the CPU: no device was chosen yet';
let isChosen = false;

/** Whether a start or the caller has already chosen a device. */
export const wasChosen = () => isChosen;

export const defaultDevice = () => device;

/** Checks the caller's choice of device; `auto` if missing. */
export function readChoice(op, value) {
  return value === undefined ? 'auto' : word(op, 'device', value, wantedText, CHOICES, 'unknown-device', wantedText);
}

/** The reason if the caller chose the CPU, or the build has no GPU code. */
const cpuAsked = HAS.webgpu ? 'the CPU was asked for' : 'the CPU: this build has no GPU code';

/** Makes `chosen` the device of new tensors; `why` is the reason. */
function use(chosen, why) {
  device = chosen;
  reason = why;
  isChosen = true;
}

export const useCpu = (why = cpuAsked) => use('cpu', why);

/**
 * Makes the device of a choice that of new tensors, and starts WebGPU if needed. `auto` takes the CPU if there is no hardware adapter.
 * `webgpu` also accepts a software adapter; without any adapter, the promise rejects.
 */
export async function choose(op, choice, powerPreference) {
  if (choice === 'cpu' || (choice === 'auto' && !HAS.webgpu)) {
    useCpu();
    gpu.freePooled(); // the device stays, for its tensors and for switching back
    return;
  }
  try {
    const allowSoftware = choice === 'webgpu';
    await gpu.start(op, allowSoftware, powerPreference);
  } catch (error) {
    if (choice === 'webgpu') throw error;
    useCpu(`the CPU: ${error.message.replace(`${op}: `, '')}`);
    return;
  }
  const adapter = `${gpu.isSoftware() ? 'a software adapter' : 'a hardware adapter'} ${choice === 'auto' ? 'answered' : 'was asked for and answered'}`;
  use('webgpu', `WebGPU: ${gpu.isAdopted() ? 'on the gpu_device that init() was given' : adapter}`);
}

/** Resolves when all earlier work of `inTurn` has ended, also by a failure. */
let earlierWork = Promise.resolve();

/** Does work after all earlier work, so that the last choice of a device wins. Returns a promise of its result. */
export function inTurn(work) {
  const result = earlierWork.then(work);
  earlierWork = result.catch(() => {});
  return result;
}

// ---------------------------------------------------------------- public

/** The running device and the reason. The reason for a lost GPU device is its loss. */
export function backend(options) {
  const op = 'backend';
  refuseOptions(op, options);
  return call(op, () => {
    const loss = device === 'webgpu' ? gpu.loss() : undefined;
    const why = loss === undefined ? reason : `WebGPU: ${loss}`;
    const threads = threadFacts();
    return { device, ...gpu.describeGpu(), simd: rust.has_simd(), ...(threads && { threads }), reason: why, version: VERSION };
  });
}

/** Whether the start has ended: there is a device. */
export function is_ready(options) {
  refuseOptions('is_ready', options);
  return isStarted() && isChosen;
}

/** Switches the device of new tensors to the choice `wanted`. */
export function set_device(wanted, options) {
  const op = 'set_device';
  refuseOptions(op, options);
  requireStart(op);
  if (wanted === undefined) throw wrongKind(op, 'device', wantedText, wanted);
  const choice = readChoice(op, wanted);
  return inTurn(async () => {
    await choose(op, choice);
    return resolved(backend());
  });
}

/** Resolves to undefined when the GPU has done all work. Rejects with the first fault of that work. */
export function sync(options) {
  const op = 'sync';
  refuseOptions(op, options);
  requireStart(op);
  return gpu.sync().then(() => resolved());
}

export function memory(options) {
  const op = 'memory';
  refuseOptions(op, options);
  return call(op, () => {
    const [gpu_bytes, gpu_pooled_bytes] = gpu.bytes();
    const cpu_bytes = rust.host_bytes();
    const cpu_reserved_bytes = Math.max(grownBytes() - cpu_bytes, 0);
    return { tensors: rust.live_tensors(), cpu_bytes, cpu_reserved_bytes, gpu_bytes, gpu_pooled_bytes };
  });
}

export function gpu_device(options) {
  const op = 'gpu_device';
  refuseOptions(op, options);
  requireStart(op);
  return gpu.deviceObject(op);
}
