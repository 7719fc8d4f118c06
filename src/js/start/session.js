// The choice of device, and the state of the library for the public. types.d.ts says what each public function does.
//
// `op`: the name of the function that was called, with which errors begin. A choice is one of CHOICES. tools/package.mjs defines VERSION.

import { flavour } from '#binary';
import * as rust from '#glue';
import * as gpu from '#gpu';
import { word } from '../arguments/arguments.js';
import { call, requireStart } from '../engine/engine.js';
import { wrongKind } from '../engine/errors.js';

const CHOICES = ['auto', 'cpu', 'webgpu'];
/** What a choice must be, in errors. */
const wantedText = "'auto', 'cpu' or 'webgpu'";

/** Where new tensors go: `cpu` or `webgpu`. */
let device = 'cpu';
/** Why they go there, in words. */
let reason = 'the CPU: no device was chosen yet';
let isChosen = false;

/** Whether a device was chosen already, by a start or by the caller. */
export const wasChosen = () => isChosen;

/** Where new tensors go. */
export const defaultDevice = () => device;

/** Checks the caller's choice of device; `auto` if it was left out. */
export function readChoice(op, value) {
  return value === undefined ? 'auto' : word(op, 'device', value, wantedText, CHOICES, 'unknown-device', wantedText);
}

/** The reason if the caller chose the CPU, or the build has nothing else. */
const cpuAsked = flavour === 'cpu' ? 'the CPU: this build has no GPU code' : 'the CPU was asked for';

/** Makes a device the one of new tensors; `why` is the reason in words. */
function use(chosen, why) {
  device = chosen;
  reason = why;
  isChosen = true;
}

/** Makes the CPU the device of new tensors. */
export const useCpu = (why = cpuAsked) => use('cpu', why);

/**
 * Makes the device of a choice the one of new tensors, and starts WebGPU where it is needed. `auto` takes the CPU where there is no hardware
 * adapter. `webgpu` also takes a software adapter, and the promise rejects where there is no adapter.
 */
export async function choose(op, choice, powerPreference) {
  if (choice === 'cpu' || (choice === 'auto' && flavour === 'cpu')) {
    useCpu();
    gpu.freePooled(); // the device stays, for the tensors on it and the way back
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

/** Resolves when all earlier work of `inTurn` is done, also if it failed. */
let earlierWork = Promise.resolve();

/** Does work after all earlier work, so that the last choice of a device stays. Returns a promise of its result. */
export function inTurn(work) {
  const result = earlierWork.then(work);
  earlierWork = result.catch(() => {});
  return result;
}

// ---------------------------------------------------------------- public

/** What runs, and why. The reason of a GPU device that was lost is its loss. */
export function backend() {
  return call('backend', () => {
    const loss = device === 'webgpu' ? gpu.loss() : undefined;
    const why = loss === undefined ? reason : `WebGPU: ${loss}`;
    return { device, ...gpu.describeGpu(), simd: rust.has_simd(), reason: why, version: VERSION };
  });
}

/** Switches the device of new tensors to the choice `wanted`. */
export function set_device(wanted) {
  const op = 'set_device';
  requireStart(op);
  if (wanted === undefined) throw wrongKind(op, 'device', wantedText, wanted);
  const choice = readChoice(op, wanted);
  return inTurn(async () => {
    await choose(op, choice);
    return backend();
  });
}

/** Resolves to undefined when the GPU has done all work; rejects with the first fault of that work. */
export function sync() {
  requireStart('sync');
  return gpu.sync().then(() => undefined);
}

export function memory() {
  return call('memory', () => {
    const [gpu_bytes, gpu_pooled_bytes] = gpu.bytes();
    return { tensors: rust.live_tensors(), cpu_bytes: rust.host_bytes(), gpu_bytes, gpu_pooled_bytes };
  });
}

export function gpu_device() {
  requireStart('gpu_device');
  return gpu.deviceObject('gpu_device');
}
