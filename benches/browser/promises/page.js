// The page of one library: `measure(only)` makes the calls of the vectors by its adapter, and beside it by that of its CPU, and returns the report.

import { run } from '/vectors/index.js';
import { scatterwise } from '/vectors/adapters/scatterwise.js';
import { tfjs } from '/vectors/adapters/tfjs.js';
import { jaxjs } from './jax.js';
import { luma as lumaGL } from './luma.js';
import { onnx, runtime } from './onnx.js';

const query = new URLSearchParams(location.search);
const [library, device] = [query.get('library'), query.get('device')];
const version = query.get('version') ?? undefined;

const starts = {
  async scatterwise() {
    const entry = device === 'threads' ? '/scatterwise/threads.js' : '/scatterwise/index.js';
    const exports = await import(entry);
    const info = await exports.init({ device: device === 'webgpu' ? 'webgpu' : 'cpu', ...(device === 'threads' && { threads: 2 }) });
    if (device === 'threads' && info.threads?.count !== 2) throw new Error(`no threads: ${JSON.stringify(info)}`);
    const adapter = scatterwise(exports, device, version);
    if (device !== 'webgpu') return [adapter];
    const cpu = await import('/scatterwise/cpu.js');
    await cpu.init({ device: 'cpu' });
    return [adapter, scatterwise(cpu, 'cpu', version)];
  },
  async tfjs() {
    const tf = await import('@tensorflow/tfjs-core');
    await import('@tensorflow/tfjs-backend-cpu');
    if (device === 'wasm') (await import('@tensorflow/tfjs-backend-wasm')).setWasmPaths('/assets/');
    if (device === 'webgpu') {
      await import('@tensorflow/tfjs-backend-webgpu');
      tf.env().set('WEBGPU_CPU_FORWARD', false); // by default it computes small tensors on the CPU
    }
    const on = (backend) => {
      const adapter = tfjs(tf, backend);
      return { ...adapter, async call(...all) {
        await tf.setBackend(backend);
        return adapter.call(...all);
      } };
    };
    await tf.setBackend(device);
    await tf.ready();
    if (tf.getBackend() !== device) throw new Error(`the backend is ${tf.getBackend()}`);
    return device === 'webgpu' ? [on('webgpu'), on('cpu')] : [on(device)];
  },
  async onnx() {
    const ort = await (device === 'webgpu' ? import('onnxruntime-web/webgpu') : import('onnxruntime-web/wasm'));
    ort.env.wasm.wasmPaths = '/assets/';
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = 'fatal';
    const on = (provider) => onnx({ name: 'ONNX Runtime Web', version: ort.env.versions.web, device: provider, lacks: ['bfloat16'], evaluate: runtime(ort, provider) });
    return device === 'webgpu' ? [on('webgpu'), on('wasm')] : [on(device)];
  },
  async luma() {
    const { luma } = await import('@luma.gl/core');
    const backend = device === 'webgpu' ? (await import('@luma.gl/webgpu')).webgpuAdapter : (await import('@luma.gl/webgl')).webgl2Adapter;
    const gpu = await luma.createDevice({ type: device, adapters: [backend], createCanvasContext: device === 'webgl' });
    if (gpu.type !== device) throw new Error(`no ${device}`);
    return [lumaGL(gpu, version)];
  },
  async jax() {
    const jax = await import('@jax-js/jax');
    const available = await jax.init(device);
    if (!available.includes(device)) throw new Error(`no ${device}`);
    if (device === 'webgpu') await jax.init('wasm');
    const on = (backend) => {
      const adapter = jaxjs(jax, backend, version);
      return { ...adapter, call(...all) {
        jax.defaultDevice(backend);
        return adapter.call(...all);
      } };
    };
    return device === 'webgpu' ? [on('webgpu'), on('wasm')] : [on(device)];
  },
};

globalThis.started = starts[library]().then(([adapter, beside]) => {
  globalThis.measure = async (only, vectors) => {
    const report = await run(adapter, { only, vectors, beside });
    return { ...report, user_agent: navigator.userAgent };
  };
  globalThis.seen = 0;
});
