// The exports of every entry, except `init`, which depends on where the .wasm comes from. Those between `// #if NAME` and `// #end` are of
// entries with that family: tools/package.mjs leaves the others out. A file of operators exports operators and nothing else; a file that adds
// methods to Tensor has to be named here too.

export { IndexError, RuntimeError, ValueError } from '../engine/errors.js';
export * from '../tensor/elementwise.js';
export { bincount } from '../tensor/histogram.js';
export { IndexPlan } from '../tensor/index_plan.js';
export { with_data } from '../tensor/lending.js';
export * from '../tensor/scatter.js';
export { open_scope, scope } from '../tensor/scope.js';
export { backend, gpu_device, is_ready, memory, set_device, sync } from '../start/session.js';
export { initSync } from '../start/startup.js';
export { Parameter, Tensor } from '../tensor/tensor.js';
export { warm_up } from '../tensor/warm_up.js';

// #if dims
import '../tensor/dims.js';
// #end
// #if exact
export { ExactSum } from '../tensor/exact_sum.js';
// #end
// #if gradients
export { vjp } from '../tensor/gradients.js';
// #end
// #if group_by
export { group_by, Groups } from '../tensor/group_by.js';
// #end
// #if groups
export * from '../tensor/groups.js';
// #end
// #if histograms
export * from '../tensor/histogram.js';
// #end
// #if masks
export * from '../tensor/masks.js';
// #end
// #if segments
export * from '../tensor/segments.js';
// #end
// #if sort
export * from '../tensor/sort.js';
// #end
// #if trace
export { trace } from '../tensor/trace.js';
// #end
