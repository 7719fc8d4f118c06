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

// Disposal gives back everything at once: what only a finalizer gave back would add up in a loop that never waits. The
// object stands for a disposed one from then on, so that a later use is a clear error and not a null pointer.
function disposeOfAll({ prototype }, make) {
  const { dispose: release, free } = prototype;
  let disposed;
  prototype.dispose = function () {
    if (!disposed) release.call((disposed = make()));
    if (this.__wbg_ptr === disposed.__wbg_ptr) return;
    try {
      free.call(this);
    } catch {
      // Called from within a call of its own, by a getter among the arguments: freed when that call ends.
    }
    this.__wbg_ptr = disposed.__wbg_ptr;
  };
  delete prototype.free;
  if (Symbol.dispose) prototype[Symbol.dispose] = prototype.dispose;
}
disposeOfAll(Tensor, () => new Tensor([], { device: 'cpu' }));
disposeOfAll(IndexPlan, () => IndexPlan.along([1], 0, [0]));

Tensor.from_npy = from_npy;
prototype.to_npy = to_npy;

prototype[Symbol.for('nodejs.util.inspect.custom')] = prototype.toString;

class Parameter extends Tensor {}

function scatter_mul(input_x, indices, updates) {
  __scatter_mul(input_x, indices, updates);
  return input_x;
}

export { IndexPlan, Parameter, Tensor, scatter_mul };
