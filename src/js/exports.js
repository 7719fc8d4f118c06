// What every entry exports beside `init`, which depends on where the .wasm comes from.

import { __IndexError as IndexError, __RuntimeError as RuntimeError, __ValueError as ValueError } from '#glue';
import { IndexPlan, Parameter, Tensor } from './tensor.js';

// The minifier renames the classes; consoles show this name.
for (const [name, type] of Object.entries({ Tensor, Parameter, IndexPlan, ValueError, RuntimeError, IndexError })) {
  Object.defineProperty(type, 'name', { value: name });
}

export { IndexError, IndexPlan, Parameter, RuntimeError, Tensor, ValueError };
export { backend, __memory as memory, elementwise_mul, gpu_device, set_device, sync, trace } from '#glue';
export { scatter_mul } from './tensor.js';
export { initSync } from './startup.js';
