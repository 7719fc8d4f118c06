import { ready, setBackend } from '@tensorflow/tfjs-core';
import { prepare } from '../../../../benches/browser/page/rivals/tfjs.js';

/**
 * Starts TensorFlow.js on a backend. It has one backend at a time for all that it does: `choose` sets this one, before each use, as another
 * may have been set meanwhile.
 * @param {'cpu' | 'wasm'} backend @returns {Promise<import('./index.js').Peer>}
 */
export async function startTfjs(backend) {
  const choose = () => setBackend(backend);
  if (!(await choose())) throw new Error(`tfjs: no backend ${backend}`);
  await ready();
  return { choose, prepare };
}
