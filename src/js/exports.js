// What every entry exports beside `init`, which depends on where the .wasm comes from.

export { IndexError, RuntimeError, ValueError } from './errors.js';
export { elementwise_mul, scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_sub, scatter_update, trace } from './functions.js';
export { vjp } from './gradients.js';
export { bincount, histogram, histogramdd } from './histogram.js';
export { IndexPlan } from './index_plan.js';
export { backend, gpu_device, memory, set_device, sync } from './session.js';
export { segment_reduce } from './segments.js';
export { initSync } from './startup.js';
export { Parameter, Tensor } from './tensor.js';
export { warm_up } from './warm_up.js';
