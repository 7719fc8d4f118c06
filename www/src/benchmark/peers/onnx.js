import * as ort from 'onnxruntime-web/wasm';
import { prepare } from '../../../../benches/browser/page/rivals/onnx.js';

/** Starts ONNX Runtime Web on WebAssembly, with one thread. @returns {Promise<import('./index.js').Peer>} */
export async function start() {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return { prepare: (...workload) => prepare(ort, 'wasm', ...workload) };
}
