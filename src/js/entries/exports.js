// The exports of every entry, except `init`, which depends on where the .wasm comes from. Those between `// #if NAME` and `// #end` are of
// entries with that family: tools/package.mjs leaves the others out.

export { IndexError, RuntimeError, ValueError } from '../engine/errors.js';
export {
  activate, elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mul, elementwise_sub, scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_sub,
  scatter_update,
} from '../tensor/functions.js';
export { bincount } from '../tensor/histogram.js';
export { IndexPlan } from '../tensor/index_plan.js';
export { with_data } from '../tensor/lending.js';
export { scope } from '../tensor/scope.js';
export { backend, gpu_device, memory, set_device, sync } from '../start/session.js';
export { initSync } from '../start/startup.js';
export { Parameter, Tensor } from '../tensor/tensor.js';
export { warm_up } from '../tensor/warm_up.js';

// #if exact
export { ExactSum } from '../tensor/exact_sum.js';
// #end
// #if gradients
export { vjp } from '../tensor/gradients.js';
// #end
// #if groups
export { scatter_logsumexp, scatter_softmax } from '../tensor/groups.js';
export { spmm } from '../tensor/spmm.js';
// #end
// #if histograms
export { binned_statistic, histogram, histogramdd } from '../tensor/histogram.js';
// #end
// #if segments
export { segment_reduce } from '../tensor/segments.js';
// #end
// #if sort
export { searchsorted, unique } from '../tensor/distinct.js';
// #end
// #if trace
export { trace } from '../tensor/trace.js';
// #end
