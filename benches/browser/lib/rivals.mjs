// Who is compared. Each has a page of its own, from page/rivals/.

/**
 * - `entry`: the page's script, and `query`, which is appended to its address.
 * - `package`: the npm package whose version is read. `crate`: the folder of the crate that is built for it, and `dependency` the
 *   name of the one whose version is read.
 * - `ours`: this library. `yardstick`: no library, so not a peer. `threaded`: not compared as a single-threaded peer.
 * - `isolated`: the page gets cross-origin isolation, which threads need.
 */
export const cpuRivals = [
  { id: 'scatterwise', name: 'scatterwise', entry: 'scatterwise.js', ours: true },
  { id: 'plain', name: 'plain Rust loop', entry: 'plain.js', crate: 'yardstick', yardstick: true },
  { id: 'javascript', name: 'JavaScript loop', entry: 'javascript.js', yardstick: true },
  { id: 'tfjs-cpu', name: 'tfjs cpu', entry: 'tfjs-cpu.js', package: '@tensorflow/tfjs-core' },
  { id: 'tfjs-wasm', name: 'tfjs wasm', entry: 'tfjs-wasm.js', package: '@tensorflow/tfjs-core' },
  { id: 'onnx-1', name: 'onnxruntime-web, 1 thread', entry: 'onnx-1.js', package: 'onnxruntime-web' },
  { id: 'onnx-2', name: 'onnxruntime-web, 2 threads', entry: 'onnx-2.js', package: 'onnxruntime-web', isolated: true, threaded: true },
  { id: 'jax-wasm', name: 'jax-js wasm', entry: 'jax-wasm.js', package: '@jax-js/jax' },
  { id: 'numpy', name: 'numpy-ts', entry: 'numpy.js', package: 'numpy-ts' },
  { id: 'candle', name: 'Candle', entry: 'candle.js', crate: 'candle', dependency: 'candle-core' },
  { id: 'burn', name: 'Burn', entry: 'burn.js', crate: 'burn', dependency: 'burn-flex' },
];

/**
 * The libraries that have threads, with each of these numbers of them, in isolated pages. `threads` is the number, and `base` the library. The
 * one without a number in its id is the measure of all.
 */
export const threadRivals = (counts) => counts.flatMap((threads) => {
  const common = { query: `?threads=${threads}`, isolated: true, threads, threaded: threads > 1 };
  const words = `${threads} thread${threads > 1 ? 's' : ''}`;
  return [
    { ...common, id: threads === 1 ? 'scatterwise' : `scatterwise-${threads}`, base: 'scatterwise', name: `scatterwise, ${words}`, entry: 'scatterwise.js', ours: threads === 1 },
    { ...common, id: `onnx-${threads}`, base: 'onnx', name: `onnxruntime-web, ${words}`, entry: 'onnx-1.js', package: 'onnxruntime-web' },
    { ...common, id: `jax-wasm-${threads}`, base: 'jax', name: `jax-js wasm, ${words}`, entry: 'jax-wasm.js', package: '@jax-js/jax' },
  ];
});

export const gpuRivals = [
  { id: 'scatterwise', name: 'scatterwise', entry: 'scatterwise.js', query: '?device=webgpu', ours: true },
  { id: 'kernels', name: 'compare-exchange kernel', entry: 'kernels.js', yardstick: true },
  { id: 'tfjs-webgpu', name: 'tfjs webgpu', entry: 'tfjs-webgpu.js', package: '@tensorflow/tfjs-core' },
  { id: 'onnx-webgpu', name: 'onnxruntime-web webgpu', entry: 'onnx-webgpu.js', package: 'onnxruntime-web' },
  { id: 'jax-webgpu', name: 'jax-js webgpu', entry: 'jax-webgpu.js', package: '@jax-js/jax' },
  { id: 'luma', name: 'luma.gl', entry: 'luma.js', package: '@luma.gl/gpgpu' },
];

/** The cold starts: `entry` is the name of a script in page/cold/, which does the least for a first result. */
export const cpuStarts = [
  { name: 'scatterwise/cpu', entry: 'scatterwise-cpu', ours: true },
  { name: 'scatterwise/cpu/inline', entry: 'scatterwise-cpu-inline', ours: true },
  { name: 'scatterwise', entry: 'scatterwise', ours: true },
  { name: 'JavaScript loop', entry: 'javascript' },
  { name: 'tfjs cpu', entry: 'tfjs-cpu' },
  { name: 'tfjs wasm', entry: 'tfjs-wasm' },
  { name: 'onnxruntime-web', entry: 'onnx-wasm' },
  { name: 'jax-js wasm', entry: 'jax-wasm' },
  { name: 'numpy-ts', entry: 'numpy' },
];

export const gpuStarts = [
  { name: 'scatterwise', entry: 'scatterwise-webgpu', ours: true },
  { name: 'tfjs webgpu', entry: 'tfjs-webgpu' },
  { name: 'onnxruntime-web webgpu', entry: 'onnx-webgpu' },
  { name: 'jax-js webgpu', entry: 'jax-webgpu' },
];
