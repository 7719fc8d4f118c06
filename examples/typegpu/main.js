import tgpu, { d } from 'typegpu';
import { init, Tensor } from 'scatterwise';

const bins = 16;
// Numbers from 0 to 15, in mixed order because 7919 and 20,000 have no common factor; the small ones are more frequent: 5,000 are 0.
const samples = Int32Array.from({ length: 20_000 }, (_, i) => bins * (((i * 7919) % 20_000) / 20_000) ** 2);

// One GPUDevice for both: that of TypeGPU.
const root = await tgpu.init();
const { device } = root;
await init({ gpu_device: device });

// The tensor is a buffer of TypeGPU's, whose type its shaders know.
const Counts = d.arrayOf(d.f32, bins);
const counts = root.createBuffer(Counts).$usage('storage');
const heights = Tensor.from_gpu_buffer(root.unwrap(counts), { shape: [bins], dtype: 'float32', borrow: true });
heights.scatter_add_(0, samples, 1);
heights.gpu_buffer(); // submits what was recorded

// A bar is a strip of four corners: bit 0 of a corner's number says right, bit 1 says top. A count of 5,000 is as high as the picture.
const layout = tgpu.bindGroupLayout({ counts: { storage: Counts, visibility: ['vertex'] } });
const group = root.createBindGroup(layout, { counts });
const code = tgpu.resolve({
  template: `
    @vertex fn corner(@builtin(vertex_index) corner: u32, @builtin(instance_index) bin: u32) -> @builtin(position) vec4f {
      let at = vec2f(f32((corner & 1u) + bin) / ${bins}.0, f32(corner >> 1u) * layout.$.counts[bin] / 5000.0);
      return vec4f(2.0 * at - 1.0, 0.0, 1.0);
    }
    @fragment fn color() -> @location(0) vec4f {
      return vec4f(1.0, 0.65, 0.0, 1.0);
    }`,
  externals: { layout },
});

const format = navigator.gpu.getPreferredCanvasFormat();
const context = document.querySelector('canvas').getContext('webgpu');
context.configure({ device, format });
const module = device.createShaderModule({ code });
const pipeline = device.createRenderPipeline({
  layout: device.createPipelineLayout({ bindGroupLayouts: [root.unwrap(layout)] }),
  vertex: { module },
  fragment: { module, targets: [{ format }] },
  primitive: { topology: 'triangle-strip' },
});
const encoder = device.createCommandEncoder();
const view = context.getCurrentTexture().createView();
const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', clearValue: [0, 0, 0, 1], storeOp: 'store' }] });
pass.setPipeline(pipeline);
pass.setBindGroup(0, root.unwrap(group));
pass.draw(4, bins);
pass.end();
device.queue.submit([encoder.finish()]);
document.querySelector('output').textContent = 'drawn';
