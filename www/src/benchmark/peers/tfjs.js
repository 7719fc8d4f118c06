import { ready, setBackend } from '@tensorflow/tfjs-core';
import { prepare } from '../../../../benches/browser/page/rivals/tfjs.js';

/** The library has one backend at a time: `choose` must come before each use where two are compared. */
export async function startTfjs(backend) {
  const choose = () => setBackend(backend);
  if (!(await choose())) throw new Error(`tfjs: no backend ${backend}`);
  await ready();
  return { choose, prepare };
}
