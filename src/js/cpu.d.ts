// The types of the entries without GPU code: those of the whole library, without a choice of device.

import type { BackendInfo, InitOptions } from './index.js';

export * from './index.js';

export interface CpuInitOptions extends Omit<InitOptions, 'device' | 'powerPreference' | 'gpu' | 'gpu_device'> {
  /** The CPU, either way; `'webgpu'` is a RuntimeError that names the entry with GPU code. */
  device?: 'auto' | 'cpu' | undefined;
}

/**
 * Starts the library on the CPU. Idempotent and safe to call concurrently; a failed start may be tried again.
 *
 * @example
 * import { init, Tensor } from 'scatterwise/cpu';
 * await init();
 */
export function init(options?: CpuInitOptions): Promise<BackendInfo>;
export default init;
/** For code written for both entries: the only device is the CPU. */
export function set_device(device: 'auto' | 'cpu'): Promise<BackendInfo>;
