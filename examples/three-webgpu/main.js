import { Mesh, MeshBasicNodeMaterial, OrthographicCamera, PlaneGeometry, Scene, WebGPURenderer } from 'three/webgpu';
import { instancedArray, instanceIndex, positionLocal, vec3 } from 'three/tsl';
import { init, Tensor } from 'scatterwise';

const bins = 16;
// Numbers from 0 to 15, in mixed order because 7919 and 20,000 have no common factor; the small ones are more frequent: 5,000 are 0.
const samples = Int32Array.from({ length: 20_000 }, (_, i) => bins * (((i * 7919) % 20_000) / 20_000) ** 2);

// One GPUDevice for both: that of three.js.
const renderer = new WebGPURenderer({ canvas: document.querySelector('canvas') });
await renderer.init();
await init({ gpu_device: renderer.backend.device });

// A bar for each bin, as high as its number in a storage buffer. A count of 5,000 is as high as the picture.
const counts = instancedArray(bins, 'float');
const material = new MeshBasicNodeMaterial({ color: 'orange' });
const x = positionLocal.x.add(instanceIndex.toFloat()).div(bins);
material.positionNode = vec3(x, positionLocal.y.mul(counts.toAttribute()).div(5000), 0);
const bars = new Mesh(new PlaneGeometry().translate(0.5, 0.5, 0), material);
bars.count = bins;
bars.frustumCulled = false;
const scene = new Scene().add(bars);
const camera = new OrthographicCamera(0, 1, 1, 0, -1, 1);
renderer.render(scene, camera); // makes the buffer

// The tensor is that buffer: what scatter_add_ writes is what three.js draws next.
const { buffer } = renderer.backend.get(counts.value);
const heights = Tensor.from_gpu_buffer(buffer, { shape: [bins], dtype: 'float32', borrow: true });
// Each frame counts the next 1,000 samples and draws, until all 20,000 are counted.
let frame = 0;
renderer.setAnimationLoop(() => {
  heights.scatter_add_(0, samples.subarray(1000 * frame, 1000 * (frame + 1)), 1);
  heights.gpu_buffer(); // submits what was recorded
  renderer.render(scene, camera);
  if (++frame < 20) return;
  renderer.setAnimationLoop(null);
  document.querySelector('output').textContent = `${frame} frames drawn`;
});
