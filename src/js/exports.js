// What every entry exports beside `init`, which depends on where the .wasm comes from.

import { __IndexError as IndexError, __RuntimeError as RuntimeError, __ValueError as ValueError } from '#glue';
import { Tensor } from './tensor.js';

// The minifier renames the classes; consoles show this name.
for (const [name, type] of Object.entries({ Tensor, ValueError, RuntimeError, IndexError })) {
  Object.defineProperty(type, 'name', { value: name });
}

export { IndexError, RuntimeError, Tensor, ValueError };
export { backend, __memory as memory, set_device, sync } from '#glue';
export { initSync } from './startup.js';
