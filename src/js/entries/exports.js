// The exports of every entry, except `init`, which depends on where the .wasm comes from.

export { IndexError, RuntimeError, ValueError } from '../engine/errors.js';
export { searchsorted, unique } from '../tensor/distinct.js';
export { ExactSum } from '../tensor/exact_sum.js';
export {
  activate, elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mul, elementwise_sub, scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_sub,
  scatter_update,
} from '../tensor/functions.js';
export { vjp } from '../tensor/gradients.js';
export { scatter_logsumexp, scatter_softmax } from '../tensor/groups.js';
export { bincount, binned_statistic, histogram, histogramdd } from '../tensor/histogram.js';
export { IndexPlan } from '../tensor/index_plan.js';
export { with_data } from '../tensor/lending.js';
export { scope } from '../tensor/scope.js';
export { backend, gpu_device, memory, set_device, sync } from '../start/session.js';
export { segment_reduce } from '../tensor/segments.js';
export { spmm } from '../tensor/spmm.js';
export { initSync } from '../start/startup.js';
export { Parameter, Tensor } from '../tensor/tensor.js';
export { trace } from '../tensor/trace.js';
export { warm_up } from '../tensor/warm_up.js';
