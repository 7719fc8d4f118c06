import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { gpu_device, init, Tensor } from 'scatterwise';

const asked = new URLSearchParams(location.search).get('device') ?? 'auto';
const { device } = await init({ device: asked });
const sums = device === 'webgpu' ? await onOneGpu() : await withArrays();
document.querySelector('output').textContent = `${device}: ${sums}`;

/** Values go to and fro as typed arrays: works with every backend. */
async function withArrays() {
  await tf.setBackend('cpu');
  const rows = tf.mul(tf.tensor2d([[1, 2], [3, 4], [5, 6]]), 10);
  const here = new Tensor(await rows.data(), { shape: rows.shape });
  const sums = Tensor.zeros([2, 2]).scatter_add([[1], [0], [1]], here); // by row: the order of the sum is fixed
  const there = tf.tensor(await sums.data(), sums.shape);
  return JSON.stringify(await tf.add(there, 1).array());
}

/** Both libraries on one GPUDevice: values stay in its memory. */
async function onOneGpu() {
  const gpu = gpu_device();
  tf.removeBackend('webgpu'); // the one that would ask for a device of its own
  tf.registerBackend('webgpu', () => new WebGPUBackend(gpu, gpu.adapterInfo));
  tf.env().set('WEBGPU_CPU_FORWARD', false); // else small tensors stay on the CPU
  await tf.setBackend('webgpu');
  const rows = tf.mul(tf.tensor2d([[1, 2], [3, 4], [5, 6]]), 10);
  const { buffer, tensorRef } = rows.dataToGPU();
  const here = Tensor.from_gpu_buffer(buffer, { shape: rows.shape, dtype: 'float32' });
  tensorRef.dispose();
  const sums = Tensor.zeros([2, 2]).scatter_add([[1], [0], [1]], here);
  const there = tf.tensor({ buffer: sums.gpu_buffer() }, sums.shape, 'float32'); // copied: sums may go
  return JSON.stringify(await tf.add(there, 1).array());
}
