import { Tensor, sync } from 'scatterwise';
import { sized } from '../../../benches/browser/page/workloads.js';

/**
 * An implementation of a workload that is ready to run. `run` makes `count` calls, and its promise resolves when all of them are done, on a
 * GPU too. `result` makes one more call and reads its result. `before` has to end before time is taken.
 * @typedef {{ run(count: number): Promise<void>, result(): Promise<ArrayLike<number>>, dispose(): unknown, before?(): unknown }} Way
 */

/**
 * The loop written by hand, in JavaScript, on copies of the operands.
 * @param {import('./workloads.js').Workload} workload @param {Record<string, Int32Array | Float32Array>} arrays the operands by name @returns {Way}
 */
export function byHand(workload, arrays) {
  const own = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, array.slice()]));
  return {
    async run(count) {
      for (let call = 0; call < count; call += 1) workload.loop(own);
    },
    async result() {
      workload.loop(own);
      return own[workload.out];
    },
    dispose() {},
  };
}

/** This library on one device, with operands that are uploaded beforehand. @param {'cpu' | 'webgpu'} device @returns {Way} */
export function byUs(workload, arrays, device) {
  const tensors = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, new Tensor(array, { device })]));
  let last; // the newest result of a workload that makes a new tensor in each call
  const call = () => {
    const made = workload.run(tensors);
    if (!workload.fresh) return;
    last?.dispose();
    last = made;
  };
  return {
    async run(count) {
      for (let at = 0; at < count; at += 1) call();
      if (device === 'webgpu') await sync();
    },
    result() {
      call();
      return (workload.fresh ? last : tensors[workload.out]).data();
    },
    dispose() {
      last?.dispose();
      for (const tensor of Object.values(tensors)) tensor.dispose();
    },
  };
}

/**
 * Another library, with operands that are uploaded beforehand; it makes a new tensor in each call.
 * @param {import('./peers/index.js').Peer} peer @returns {Promise<Way | null>} null where it lacks the operator
 */
export async function byPeer(workload, arrays, peer) {
  await peer.choose?.();
  // The adapters call the operands x, index and src, and take descriptions as the benchmark of this repository has them.
  const { table, index, src, x = table, y = src } = arrays;
  const dtype = x instanceof Int32Array ? 'int32' : 'float32';
  const description = sized({ ...workload.operator, full: { shape: [x.length], other: [x.length], index: [index?.length] } }, 'full');
  const prepared = await peer.prepare(description, { x, index, src: y }, dtype);
  if (typeof prepared === 'string') return null; // why there is no such operator
  const { resident } = prepared.modes;
  return {
    before: peer.choose,
    async run(count) {
      for (let call = 0; call < count; call += 1) {
        const done = resident.run();
        if (done instanceof Promise) await done;
      }
    },
    result: async () => resident.result(),
    dispose: () => prepared.dispose(),
  };
}
