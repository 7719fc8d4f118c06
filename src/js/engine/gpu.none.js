// Replaces gpu.js in the library without GPU code. Each name returns what is true without a GPU, or throws the error for a call that
// needs one. gpu.js describes each. tools/package.mjs defines ENTRY, the name by which the entry is imported.

import { failure, RuntimeError } from './errors.js';

/** Throws the error for a call that needs a GPU. `op` is the name of the function that the caller called. */
const refuse = (op) => {
  throw failure(RuntimeError, 'device-unavailable', op, `this build has no GPU code: import 'scatterwise' instead of '${ENTRY}'`);
};

// Options: `powerPreference` is ignored. Options that need GPU code are refused if they are given.
export const powerNumber = () => 0;
export const checkDevice = (op, device) => (device === undefined ? undefined : refuse(op));
export const checkGpuObject = checkDevice;

// No device runs, was lost or was the caller's, and no scatter ran on a GPU.
export const isAdopted = () => false;
export const isRunning = () => false;
export const isSoftware = () => false;
export const loss = () => undefined;
export const describeGpu = () => ({ webgpu: null, numerics: null });
export const bytes = () => [0, 0];

// Nothing to prepare, to free or to wait for.
export const prepare = () => {};
export const freePooled = () => {};
export const sync = async () => {};
export const planReady = async () => {};

// Calls that need a GPU throw. Where gpu.js returns a promise, the promise rejects.
export const start = async (op) => refuse(op);
export const download = async (op) => refuse(op);
export const downloadSums = download;
export const readInto = async (op) => refuse(op);
export const offer = refuse;
export const adopt = refuse;
export const upload = refuse;
export const deviceObject = refuse;
export const bufferObject = refuse;
export const readBuffer = refuse;
export const readOffset = refuse;
export const copyBuffer = refuse;
export const borrowBuffer = refuse;
export const copyPicture = refuse;
