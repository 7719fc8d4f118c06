import { Tensor, sync } from 'scatterwise';
import { sized } from '../../../benches/browser/page/workloads.js';

/**
 * A way to run a workload: `run` is done when its promise is; `result` is what the newest call made, or one call more.
 * @typedef {{ run(count: number): Promise<void>, result(): Promise<ArrayLike<number>>, dispose(): unknown, before?(): unknown }} Way
 */

/** By hand, in JavaScript. @returns {Way} */
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

/** By this library, operands uploaded beforehand. @returns {Way} */
export function byUs(workload, arrays, device) {
  const tensors = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, new Tensor(array, { device })]));
  let last;
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

/** By another library: it makes a new tensor each time. @returns {Promise<Way | null>} null where it lacks the operator */
export async function byPeer(workload, arrays, peer) {
  await peer.choose?.();
  const { table, index, src, x = table, y = src } = arrays;
  const dtype = x instanceof Int32Array ? 'int32' : 'float32';
  const description = sized({ ...workload.operator, full: { shape: [x.length], other: [x.length], index: [index?.length] } }, 'full');
  const prepared = await peer.prepare(description, { x, index, src: y }, dtype);
  if (typeof prepared === 'string') return null;
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
