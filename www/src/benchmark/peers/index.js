/**
 * The libraries that a visitor may compare with, on one thread each. Each is a chunk of its own, loaded with its
 * WebAssembly when it is asked for. The calls themselves are those of this repository's benchmark. A `Peer` is a library that has started:
 * `prepare` makes a workload ready, or resolves to a text where the library lacks the operator; `choose` has to end before each use.
 * @typedef {{ prepare(workload: object, inputs: object, dtype: string): any, choose?(): Promise<unknown> }} Peer
 * @type {Record<string, () => Promise<{ start(): Promise<Peer> }>>}
 */
export const peers = {
  'tfjs-wasm': () => import('./tfjs-wasm.js'),
  'tfjs-cpu': () => import('./tfjs-cpu.js'),
  onnx: () => import('./onnx.js'),
  jax: () => import('./jax.js'),
};
