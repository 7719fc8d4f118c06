// The part of tests/js/web/verify.test.mjs that runs in its page: the entry unchanged, and with spoiled tensors.

import { cases } from '../../../target/pkg/cases.js';
import { Tensor, backend, init, memory, set_device } from '../../../target/npm/scatterwise/index.js';
import { verify } from '../../../target/npm/scatterwise/verify.js';

/**
 * Runs verify() where new tensors go to the device `before`. Resolves to its report, the `progress` that it told, what tensors held before
 * and after it (`held`), and the device of new tensors after it.
 */
export async function run(options, before = 'cpu') {
  await init();
  await set_device(before);
  const progress = [];
  const held = heldNow();
  const report = await verify({ ...options, on_progress: (done, of) => void progress.push([done, of]) });
  return { report, progress, held: [held, heldNow()], device: backend().device };
}

/** The memory that tensors hold, without pooled memory. */
function heldNow() {
  const { tensors, cpu_bytes, gpu_bytes } = memory();
  return { tensors, cpu_bytes, gpu_bytes };
}

/** The report of verify() while `data(read, tensor)` replaces data() of tensors on one device; `read` is the original. */
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

/**
 * The report where one bit is wrong of the last element of every result of two dimensions on that device; and what its first failure should
 * say: the `position` of the element, and its `lowest` byte as it was recorded, the first of them.
 */
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
  return { report, position: shape.map((size) => size - 1), lowest: bytes.at(-bytes.length / shape[0] / shape[1]) };
}
/** The bytes of a typed array, which has a buffer of its own. */
const bytesOf = ({ buffer }) => new Uint8Array(buffer);

/** Every read fails with an error that is not the library's. */
export const withError = () => spoiled('webgpu', () => Promise.reject(new TypeError('planted')), { seed: 5 });

/** No read on WebGPU ever ends. */
export const withSilence = () => spoiled('webgpu', () => new Promise(() => {}), { seconds: 0.1 });

/** A run that is stopped, by returning false, after five comparisons. */
export const stopped = () => verify({ on_progress: (done) => done < 5 });
