import { env } from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import binary from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import { startTfjs } from './tfjs.js';

/** Starts TensorFlow.js on WebAssembly with SIMD. @returns {Promise<import('./index.js').Peer>} */
export function start() {
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false); // one thread, as everyone else here
  // Whichever of its binaries the backend asks for, it gets the one that is in the build.
  const names = ['tfjs-backend-wasm', 'tfjs-backend-wasm-simd', 'tfjs-backend-wasm-threaded-simd'];
  setWasmPaths(Object.fromEntries(names.map((name) => [`${name}.wasm`, binary])));
  return startTfjs('wasm');
}
