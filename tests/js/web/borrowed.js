// Plain WebGPU on a buffer that a tensor borrows, for tests/js/web/adopted.test.mjs.

/** Doubles each float32 of a buffer, in place: records and submits that, and does not wait for it. */
export async function twice(device, buffer) {
  const code = `
    @group(0) @binding(0) var<storage, read_write> values: array<f32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      if (id.x < arrayLength(&values)) { values[id.x] *= 2.0; }
    }`;
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }), entryPoint: 'main' } });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(buffer.size / (64 * 4))); // 64 elements of 4 bytes in each
  pass.end();
  device.queue.submit([encoder.finish()]);
}
