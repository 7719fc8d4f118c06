import * as ort from 'onnxruntime-web/webgpu';
import { gpu_device, init, Tensor } from 'scatterwise';

const asked = new URLSearchParams(location.search).get('device') ?? 'auto';
const { device } = await init({ device: asked });
ort.env.wasm.numThreads = 1; // so that no headers are needed
const bins = Tensor.zeros([4]).scatter_add_(0, [3, 1, 3], [2, -5, 4]); // [0, -5, 0, 6]
const result = device === 'webgpu' ? await onOneGpu() : await withArrays();
document.querySelector('output').textContent = `${device}: ${JSON.stringify(await result.tolist())}`;

/** Values go to and fro as typed arrays: works with every execution provider. */
async function withArrays() {
  const session = await ort.InferenceSession.create('./relu.onnx', { executionProviders: ['wasm'] });
  const { y } = await session.run({ x: new ort.Tensor('float32', await bins.data(), bins.shape) });
  return new Tensor(y.data, { shape: y.dims });
}

/** Both libraries on one GPUDevice: values stay in its memory. */
async function onOneGpu() {
  const session = await ort.InferenceSession.create('./relu.onnx', {
    executionProviders: [{ name: 'webgpu', device: gpu_device() }],
    preferredOutputLocation: 'gpu-buffer',
  });
  const x = ort.Tensor.fromGpuBuffer(bins.gpu_buffer(), { dataType: 'float32', dims: bins.shape });
  const { y } = await session.run({ x });
  // A copy on the GPU, which is submitted when this returns: y may go.
  const result = Tensor.from_gpu_buffer(y.gpuBuffer, { shape: y.dims, dtype: 'float32' });
  y.dispose();
  return result;
}
