import type { Tensor } from './index.js';

/**
 * Shows tensors in the console of Chromium's and Firefox's developer tools with shape, dtype and device. The display opens to the values
 * in NumPy's layout, except for tensors on WebGPU, whose values need a wait. Enable custom formatters in the settings of the tools.
 * Calling it again for the same class does nothing.
 *
 * @example
 * import { Tensor } from 'scatterwise';
 * import { show_in_devtools } from 'scatterwise/devtools';
 * show_in_devtools(Tensor);
 */
export function show_in_devtools(type: typeof Tensor): void;
