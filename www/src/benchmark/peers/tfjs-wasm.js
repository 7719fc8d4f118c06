import { env } from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import binary from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import { startTfjs } from './tfjs.js';

export function start() {
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false); // one thread, as everyone else here
  const names = ['tfjs-backend-wasm', 'tfjs-backend-wasm-simd', 'tfjs-backend-wasm-threaded-simd'];
  setWasmPaths(Object.fromEntries(names.map((name) => [`${name}.wasm`, binary])));
  return startTfjs('wasm');
}
