// What gpu.js is to the whole library, to the one without GPU code.

import { failure, RuntimeError } from './errors.js';

const refuse = (op) => {
  throw failure(RuntimeError, 'device-unavailable', op, "this build has no GPU code: import 'scatterwise' instead of 'scatterwise/cpu'");
};

export const prepare = () => {};
export const powerNumber = () => 0;
export const readDevice = (op, device) => (device === undefined ? undefined : refuse(op));
export const readSource = readDevice;
export const offer = refuse;
export const adopt = refuse;
export const isAdopted = () => false;
export const isRunning = () => false;
export const isSoftware = () => false;
export const start = async (op) => refuse(op);
export const loss = () => undefined;
export const describeGpu = () => ({ webgpu: null, numerics: null });
export const forceWay = () => 0;
export const freePooled = () => {};
export const bytes = () => [0, 0];
export const sync = async () => {};
export const upload = refuse;
export const download = async (op) => refuse(op);
export const readInto = async (op) => refuse(op);
export const planReady = async () => {};
export const deviceObject = refuse;
export const bufferObject = refuse;
export const readBuffer = refuse;
export const readOffset = refuse;
export const copyBuffer = refuse;
export const borrowBuffer = refuse;
export const copyPicture = refuse;
