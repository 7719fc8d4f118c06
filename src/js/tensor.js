// The rest of the class: what Rust cannot express.

import { IndexPlan, Tensor, __scatter_mul } from '#glue';
import { from_npy, to_npy } from './npy.js';

const { prototype } = Tensor;

// Rust cannot return the object that a method was called on.
for (const name of Object.getOwnPropertyNames(prototype)) {
  if (!/^[a-z]\w*_$/.test(name)) continue;
  const method = prototype[name];
  prototype[name] = function (dim, index, src, options) {
    method.call(this, dim, index, src, options);
    return this;
  };
}

// Disposal keeps the object, so that a later use is a clear error and not a null pointer.
if (Symbol.dispose) {
  for (const disposable of [prototype, IndexPlan.prototype]) disposable[Symbol.dispose] = disposable.dispose;
}

Tensor.from_npy = from_npy;
prototype.to_npy = to_npy;

prototype[Symbol.for('nodejs.util.inspect.custom')] = prototype.toString;

class Parameter extends Tensor {}

function scatter_mul(input_x, indices, updates) {
  __scatter_mul(input_x, indices, updates);
  return input_x;
}

export { IndexPlan, Parameter, Tensor, scatter_mul };
