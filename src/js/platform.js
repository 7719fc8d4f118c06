// What Rust asks of the platform's WebGPU.

/**
 * Copies from a caller's buffer, at once. Resolves to what the platform had against it: '' for nothing, 'device' for
 * a buffer of another device (or one that was never there), 'destroyed'.
 */
export async function copy_gpu_buffer(device, source, target, offset, size) {
  device.pushErrorScope('validation');
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, offset, target, 0, size);
  const commands = encoder.finish();
  const encoded = device.popErrorScope();
  device.pushErrorScope('validation');
  device.queue.submit([commands]);
  const submitted = device.popErrorScope();
  try {
    if (await encoded) return 'device';
    return (await submitted) ? 'destroyed' : '';
  } catch {
    return ''; // the device is lost, which is reported elsewhere
  }
}

// Firefox looks only every 100 ms whether the GPU is done, unless work is submitted meanwhile.

export const needs_nudging = () => /\bFirefox\//.test(globalThis.navigator?.userAgent ?? '');

export const nap = () => new Promise((resolve) => setTimeout(resolve, 1));
