// The part of tests/js/web/interop.test.mjs that runs in the page: a user's own WebGPU code beside the library.

/** The error of a call, or of its promise, as data; null without an error. */
export async function refusal(call) {
  try {
    await call();
    return null;
  } catch (error) {
    const { name, code, op, argument, message } = error;
    return { name, code, op, argument, message };
  }
}

/**
 * Draws a float32 tensor of shape [height, width], of levels from 0 to 1, by plain WebGPU. Resolves to `[red, blue]` of each pixel, 0 to
 * 255: the level, and 255 where the shader sees a buffer of just the tensor's length.
 */
export async function draw({ gpu_device }, tensor) {
  const [height, width] = tensor.shape;
  const device = gpu_device();
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('webgpu');
  context.configure({ device, format: 'rgba8unorm' });
  const module = device.createShaderModule({
    code: `
      @group(0) @binding(0) var<storage, read> grey: array<f32>;
      // One triangle that covers the canvas.
      @vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
      }
      @fragment fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
        let level = grey[u32(at.y) * ${width}u + u32(at.x)];
        return vec4f(level, 0.0, select(0.0, 1.0, arrayLength(&grey) == ${width * height}u), 1.0);
      }`,
  });
  const pipeline = device.createRenderPipeline({
    layout: 'auto',
    vertex: { module, entryPoint: 'corner' },
    fragment: { module, entryPoint: 'pixel', targets: [{ format: 'rgba8unorm' }] },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({
    colorAttachments: [{ view: context.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'store' }],
  });
  pass.setPipeline(pipeline);
  const resource = { buffer: tensor.gpu_buffer(), size: tensor.size * 4 };
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource }] }));
  pass.draw(3);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const copy = new OffscreenCanvas(width, height).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  return Array.from({ length: width * height }, (_, k) => [data[4 * k], data[4 * k + 2]]);
}

/** A buffer of the device with these values, for such a `usage` and for being written to. */
export function buffer_with(device, values, usage = GPUBufferUsage.COPY_SRC) {
  const buffer = device.createBuffer({ size: values.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, values);
  return buffer;
}

/** The first `size` bytes of a buffer, as float32 numbers. */
export async function values_of(device, buffer, size) {
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  return [...new Float32Array(staging.getMappedRange().slice(0))];
}
