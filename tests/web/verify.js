// What tests/web/verify.test.mjs does in its page: the entry as it is, and over tensors that are spoiled.

import { cases } from '../../src/js/verify/cases.js';
import { Tensor, backend, init, memory, set_device } from '../../target/npm/scatterwise/index.js';
import { verify } from '../../target/npm/scatterwise/verify.js';

/** A report, and what a run leaves behind of itself. */
export async function run(options, before = 'cpu') {
  await init();
  await set_device(before);
  const progress = [];
  const held = await quiet();
  const report = await verify({ ...options, on_progress: (done, of) => void progress.push([done, of]) });
  return { report, progress, held: [held, await quiet()], device: backend().device };
}

/** What tensors hold, but for the GPU's own start. */
async function quiet() {
  const { tensors, cpu_bytes, gpu_bytes } = memory();
  return { tensors, cpu_bytes, gpu_bytes };
}

/** A report of the package whose tensors on one device have another `data`. */
async function spoiled(device, data, options) {
  const real = Tensor.prototype.data;
  Tensor.prototype.data = function (...args) {
    return this.device === device ? data(() => real.apply(this, args), this) : real.apply(this, args);
  };
  try {
    return await verify(options);
  } finally {
    Tensor.prototype.data = real;
  }
}

/** One bit of the last element of every result of two dimensions is wrong. Resolves to the report, and what the first failure should say. */
export async function withBit(device) {
  const spoil = async (read, { shape }) => {
    const values = await read();
    if (shape.length === 2 && values.length > 0) bytesOf(values)[(values.length - 1) * values.BYTES_PER_ELEMENT] ^= 1;
    return values;
  };
  const report = await spoiled(device, spoil, { seed: 5 });
  const [{ id, result }] = report.failures;
  const { shape, data } = cases.find((row) => row.id === id).results[result];
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return { report, position: shape.map((size) => size - 1), last: bytes.at(-bytes.length / shape[0] / shape[1]) };
}
const bytesOf = ({ buffer }) => new Uint8Array(buffer);

/** Every read fails with an error that is none of the library's. */
export const withError = () => spoiled('webgpu', () => Promise.reject(new TypeError('planted')), { seed: 5 });

/** No read on WebGPU ever ends. */
export const withSilence = () => spoiled('webgpu', () => new Promise(() => {}), { seconds: 0.1 });

/** A run that somebody stops. */
export const stopped = () => verify({ on_progress: (done) => done < 5 });
