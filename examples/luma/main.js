import { Buffer, luma } from '@luma.gl/core';
import { Model } from '@luma.gl/engine';
import { webgpuAdapter } from '@luma.gl/webgpu';
import { init, Tensor } from 'scatterwise';

const bins = 16;
// Numbers from 0 to 15, in mixed order because 7919 and 20,000 have no common factor; the small ones are more frequent: 5,000 are 0.
const samples = Int32Array.from({ length: 20_000 }, (_, i) => bins * (((i * 7919) % 20_000) / 20_000) ** 2);

// One GPUDevice for both: that of luma.gl, on which deck.gl draws too.
const canvas = document.querySelector('canvas');
const device = await luma.createDevice({ type: 'webgpu', adapters: [webgpuAdapter], createCanvasContext: { canvas, useDevicePixels: false } });
await init({ gpu_device: device.handle });

// The tensor is the buffer of an attribute, which is made for both uses.
const usage = Buffer.VERTEX | Buffer.STORAGE | Buffer.COPY_SRC | Buffer.COPY_DST;
const counts = device.createBuffer({ byteLength: 4 * bins, usage });
const heights = Tensor.from_gpu_buffer(counts.handle, { shape: [bins], dtype: 'float32', borrow: true });
heights.scatter_add_(0, samples, 1);
heights.gpu_buffer(); // submits what was recorded

// A bar is a strip of four corners: bit 0 of a corner's number says right, bit 1 says top. A count of 5,000 is as high as the picture.
const bars = new Model(device, {
  source: `
    @vertex fn vertexMain(@builtin(vertex_index) corner: u32, @builtin(instance_index) bin: u32, @location(0) counts: f32) -> @builtin(position) vec4f {
      let at = vec2f(f32((corner & 1u) + bin) / ${bins}.0, f32(corner >> 1u) * counts / 5000.0);
      return vec4f(2.0 * at - 1.0, 0.0, 1.0);
    }
    @fragment fn fragmentMain() -> @location(0) vec4f {
      return vec4f(1.0, 0.65, 0.0, 1.0);
    }`,
  attributes: { counts },
  bufferLayout: [{ name: 'counts', format: 'float32', stepMode: 'instance' }],
  topology: 'triangle-strip',
  vertexCount: 4,
  instanceCount: bins,
});
const pass = device.beginRenderPass({ clearColor: [0, 0, 0, 1] });
bars.draw(pass);
pass.end();
device.submit();
document.querySelector('output').textContent = 'drawn';
