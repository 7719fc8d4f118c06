// The choice of device, and what the library tells of itself.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { flavour } from '#binary';
import { text } from './arguments.js';
import { call, requireStart } from './engine.js';
import { unknownWord, ValueError, wrongKind } from './errors.js';

const CHOICES = ['auto', 'cpu', 'webgpu'];
const wantedText = "'auto', 'cpu' or 'webgpu'";

let device = 'cpu';
let reason = 'the CPU: no device was chosen yet';
let isChosen = false;

/** Whether a device was chosen. */
export const wasChosen = () => isChosen;

/** Where new tensors go. */
export const defaultDevice = () => device;

export function readChoice(op, value) {
  if (value === undefined) return 'auto';
  const name = text(op, 'device', value, wantedText);
  if (CHOICES.includes(name)) return name;
  throw unknownWord(ValueError, 'unknown-device', op, 'device', name, `it must be ${wantedText}`, CHOICES);
}

const cpuAsked = flavour === 'cpu' ? 'the CPU: this build has no GPU code' : 'the CPU was asked for';

function use(chosen, why) {
  device = chosen;
  reason = why;
  isChosen = true;
}

export const useCpu = (why = cpuAsked) => use('cpu', why);

/** Makes a device the one of new tensors. */
export async function choose(op, choice, powerPreference) {
  if (choice === 'cpu' || (choice === 'auto' && flavour === 'cpu')) {
    useCpu();
    gpu.freePooled(); // the device stays, for the tensors on it and the way back
    return;
  }
  try {
    await gpu.start(op, choice === 'webgpu', powerPreference);
  } catch (error) {
    if (choice === 'webgpu') throw error;
    useCpu(`the CPU: ${error.message.replace(`${op}: `, '')}`);
    return;
  }
  const adapter = `${gpu.isSoftware() ? 'a software adapter' : 'a hardware adapter'} ${choice === 'auto' ? 'answered' : 'was asked for and answered'}`;
  use('webgpu', `WebGPU: ${gpu.isAdopted() ? 'on the gpu_device that init() was given' : adapter}`);
}

/** One after the other: the last one that was asked for is the one that stays. */
let turn = Promise.resolve();
export function inTurn(work) {
  const mine = turn.then(work);
  turn = mine.catch(() => {});
  return mine;
}

// ---------------------------------------------------------------- public

/** What runs, and why. */
export function backend() {
  return call('backend', () => {
    const loss = device === 'webgpu' ? gpu.loss() : undefined;
    const why = loss === undefined ? reason : `WebGPU: ${loss}`;
    return { device, ...gpu.describeGpu(), simd: rust.has_simd(), reason: why, version: VERSION };
  });
}

/**
 * For the site's page that times the ways to scatter: no export, and no part of the API. Has every scatter go one way, by its number,
 * and returns how many scatters went that way so far.
 */
Object.defineProperty(backend, Symbol.for('scatterwise.way'), {
  value: (way) => call('backend', () => gpu.forceWay(Number.isInteger(way) ? way : -1)),
});

/** Switches the device of new tensors. */
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

/** Waits for the GPU. */
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
