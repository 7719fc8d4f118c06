// Calls with a bad index, in the page that imports this. Each function resolves to data that can be sent to Node.

import { Tensor, sync } from '../../../target/npm/scatterwise/index.js';

/** What the calls write to: of 4 elements, so that 9 is out of range. */
const table = (device) => new Tensor([10, 20, 30, 40], { dtype: 'float32', device });
const GOOD_THEN_BAD = [0, 9, 1];

/** An error as data. */
const told = ({ name, message, code, op, position, value, allowed }) => ({ name, message, code, op, position, value, allowed });
const read = async (tensor) => Array.from(await tensor.data());
/** What a promise was rejected with, or that it was not. */
const rejection = (promise) => promise.then(() => ({ name: 'no error' }), told);

/** Calls with a bad index that was made in JavaScript, in each way of making one: their errors, and the values of self after them. */
async function atOnce(device) {
  const self = table(device);
  const indices = [
    GOOD_THEN_BAD,
    new Int32Array(GOOD_THEN_BAD),
    new BigInt64Array(GOOD_THEN_BAD.map(BigInt)),
    new Tensor(GOOD_THEN_BAD, { dtype: 'int32', device }),
    new Tensor(GOOD_THEN_BAD, { dtype: 'int64', device }),
    new Tensor(GOOD_THEN_BAD, { dtype: 'int64', device: 'cpu' }),
  ];
  const errors = [];
  for (const index of indices) {
    for (const reduce of [undefined, 'add', 'multiply']) {
      for (const source of [[1, 2, 3], 5]) {
        try {
          self.scatter_(0, index, source, reduce && { reduce });
          errors.push({ name: 'no error' });
        } catch (error) {
          errors.push(told(error));
        }
      }
    }
  }
  return { errors, after: await read(self) };
}
export const atOnce_cpu = () => atOnce('cpu');
export const atOnce_webgpu = () => atOnce('webgpu');

/** An index whose values only the GPU knows. */
function computed(values, dtype = 'int32') {
  const one = new Tensor([1], { dtype, device: 'webgpu' });
  return new Tensor(values, { dtype, device: 'webgpu' }).mul(one);
}

/** A bad index of either dtype, by each reduce, and then three reads. 2^32 must not be taken for its lower 32 bits, which are 0. */
export async function atFirstRead() {
  const results = [];
  for (const index of [computed(GOOD_THEN_BAD), computed([0n, 9n, 1n], 'int64'), computed([0n, 2n ** 32n, 1n], 'int64')]) {
    for (const reduce of [undefined, 'add', 'multiply']) {
      for (const source of [[1, 2, 3], 5]) {
        const [self, other] = [table('webgpu'), table('webgpu')];
        self.scatter_(0, index, source, reduce && { reduce });
        results.push({ first: await rejection(self.data()), second: await read(self), other: await read(other) });
      }
    }
  }
  return results;
}

/** Two calls that fail, and then three reads: of either tensor, of a third one, of none. */
export async function twoFaults() {
  const sequences = [
    ({ one, other, third }) => [() => one.data(), () => other.data(), () => read(third)],
    ({ one, other, third }) => [() => other.data(), () => third.data(), () => read(one)],
    ({ other }) => [sync, sync, () => read(other)],
  ];
  const results = [];
  for (const sequence of sequences) {
    const tensors = { one: table('webgpu'), other: table('webgpu'), third: table('webgpu') };
    tensors.one.scatter_(0, computed(GOOD_THEN_BAD), 5, { reduce: 'add' });
    tensors.other.scatter_(0, computed([-5, 0]), [1, 2]);
    const [first, second, third] = sequence(tensors);
    results.push({ first: await rejection(first()), second: await rejection(second()), third: await third() });
  }
  return results;
}
