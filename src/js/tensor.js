// The rest of the class: what Rust cannot express.

import { IndexPlan, Tensor, __scatter_mul } from '#glue';
import { from_npy, to_npy } from './npy.js';
import { register_classes } from './objects.js';
import { plain_options } from './values.js';

register_classes(Tensor, IndexPlan);
const { prototype } = Tensor;

const { mul_, scatter_, scatter_add_, __scatter_number: scatterNumber, __scatter_tensor: scatterTensor } = prototype;
delete prototype.__scatter_number;
delete prototype.__scatter_tensor;

// What src/js/plain.rs numbers.
const REPLACE = 0;
const ADD = 1;
const MULTIPLY = 2;
const ALONG = 3;
const TUPLES = 4;
const ROWS = 5;

const isTensor = (value) => value instanceof Tensor && value.__wbg_ptr > 0;

/** Whether a scatter can go the short way: only numbers cross, and nothing is allocated. */
const isPlain = (table, index, src) => isTensor(index) && (typeof src === 'number' || isTensor(src)) && isTensor(table);

/** Goes it. False where anything is not as it should be: nothing was done then, and the long way says what is wrong. */
function scatterPlainly(table, form, dim, index, src) {
  if (typeof src === 'number') return scatterNumber.call(table, form, dim, index, src);
  return scatterTensor.call(table, form, dim, index, src);
}

const scatterOptions = ['reduce'];
const formOf = ({ reduce }) => (reduce === undefined ? REPLACE : reduce === 'add' ? ADD : reduce === 'multiply' ? MULTIPLY : -1);

/** What the options ask for; -1 for what the long way has to look at. */
function reduceOf(options) {
  if (options === undefined) return REPLACE;
  return plain_options(options, scatterOptions, formOf) ?? -1;
}

// Rust cannot return the object that a method was called on.
prototype.scatter_ = function (dim, index, src, options) {
  if (Number.isInteger(dim) && isPlain(this, index, src)) {
    const form = reduceOf(options);
    // Reading the options may have disposed of an operand.
    if (form >= 0 && isPlain(this, index, src) && scatterPlainly(this, form, dim, index, src)) return this;
  }
  scatter_.call(this, dim, index, src, options);
  return this;
};
prototype.scatter_add_ = function (one, two, three) {
  const done =
    three === undefined
      ? isPlain(this, one, two) && scatterPlainly(this, TUPLES, 0, one, two)
      : Number.isInteger(one) && isPlain(this, two, three) && scatterPlainly(this, ALONG, one, two, three);
  if (!done) scatter_add_.call(this, one, two, three);
  return this;
};
prototype.mul_ = function (other) {
  mul_.call(this, other);
  return this;
};

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
  const done = isPlain(input_x, indices, updates) && scatterPlainly(input_x, ROWS, 0, indices, updates);
  if (!done) __scatter_mul(input_x, indices, updates);
  return input_x;
}

export { IndexPlan, Parameter, Tensor, scatter_mul };
