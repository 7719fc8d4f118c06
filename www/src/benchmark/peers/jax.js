import { defaultDevice, init } from '@jax-js/jax';
import { prepare } from '../../../../benches/browser/page/rivals/jax.js';

/** Starts jax-js on its WebAssembly backend. @returns {Promise<import('./index.js').Peer>} */
export async function start() {
  if (!(await init('wasm')).includes('wasm')) throw new Error('jax-js: no WebAssembly here');
  defaultDevice('wasm');
  return { prepare: (...workload) => prepare(...workload, 'wasm') };
}
