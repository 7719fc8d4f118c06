// What JavaScript holds of the library's: tensors and plans, each with the handle that Rust knows it by.

import { call, claim, free } from './engine.js';
import { describe, failure, RuntimeError, wrongKind } from './errors.js';

/** Kinds of resources. */
export const TENSOR = 'Tensor';
export const PLAN = 'IndexPlan';

/** The constructor of a resource takes a handle only beside this object, which code outside the package cannot get. */
export const key = {};

/** Frees what was collected without being disposed of. Made when the first resource is: an import must not need the platform's class. */
let collected;

/** The base of Tensor and IndexPlan. The handle is private: no copy of properties, Proxy or prototype has it. */
export class Resource {
  #kind;
  #handle;

  /** It holds nothing yet: reading the prototype of a subclass may run code of the caller's, so the handle is made after that. */
  constructor(given, kind) {
    if (given !== key) throw failure(TypeError, 'invalid-argument', 'Tensor', 'only Tensor and IndexPlan can be made');
    this.#kind = kind;
    this.#handle = 0;
    // Enumerable and of its own, so that a comparison of two objects by their properties finds two tensors different. And functions
    // cannot be cloned: structuredClone and postMessage fail and show this text, instead of making an empty object.
    this.id = () => 'a Tensor or IndexPlan of scatterwise cannot be cloned: send await tensor.data(), its shape and its dtype';
  }

  static handOut() {
    return {
      kindOf: (value) => (typeof value === 'object' && value !== null && #handle in value ? value.#kind : undefined),
      handleOf: (value) => value.#handle,
      hold: (value, kind, handle) => {
        // Where a class was given another parent, that may have returned any resource.
        if (value.#kind !== kind || value.#handle !== 0) throw failure(TypeError, 'invalid-argument', kind, 'its class extends another one than it did');
        value.#handle = handle;
        collected ??= new FinalizationRegistry(free);
        collected.register(value, handle, value);
        claim();
      },
      dispose: (value) => {
        const handle = value.#handle;
        value.#handle = 0;
        collected.unregister(value);
        free(handle);
      },
    };
  }
}

const { kindOf, handleOf, hold, dispose } = Resource.handOut();
delete Resource.handOut;

/** `hold` gives a new resource its handle. */
export { hold, kindOf };
export const isTensor = (value) => kindOf(value) === TENSOR;

/** The handle of an argument of that kind, or of `this`. */
export function handle(op, argument, value, kind = TENSOR) {
  if (kindOf(value) !== kind) throw stranger(op, argument, value, kind);
  const found = handleOf(value);
  if (found === 0) throw gone(op, argument, kind);
  return found;
}

/** Frees a resource now; doing so again does nothing. A Proxy or a copy of one has nothing to free. */
export function disposeOf(op, value, kind) {
  if (kindOf(value) !== kind) {
    if (isLike(value)) return;
    throw stranger(op, 'this', value, kind);
  }
  if (handleOf(value) === 0) return;
  call(op, () => dispose(value));
}

export const isDisposed = (value) => handleOf(value) === 0;

function gone(op, argument, kind) {
  const text =
    kind === PLAN
      ? `${argument === 'this' ? 'this plan' : 'plan'} was disposed of; make another with IndexPlan.along or IndexPlan.nd`
      : `${argument === 'this' ? 'this tensor' : argument} was disposed of; make a clone() before dispose() to keep its values`;
  return failure(RuntimeError, 'disposed', op, text, { argument: argument !== 'this' ? argument : kind === PLAN ? 'plan' : undefined });
}

/** The error for what is not a resource of that kind; `wanted` is what else would have done. */
export function stranger(op, argument, value, kind = TENSOR, wanted = kind === PLAN ? 'an IndexPlan' : 'a Tensor') {
  const what = foreign(value, kind);
  if (what !== undefined) return failure(TypeError, 'invalid-argument', op, `${argument} ${what}`, { argument, value: describe(value) });
  if (argument !== 'this') return wrongKind(op, argument, wanted, value);
  const name = op.split('.').at(-1);
  const owner = kind === PLAN ? 'plan' : 'tensor';
  const text = `it was called without its ${owner}: call ${owner}.${name}(…), or bind the method`;
  return failure(TypeError, 'invalid-argument', op, `${text} (this is ${describe(value)})`, { argument });
}

/** Whether it is a Proxy, a copy or a prototype of a resource. */
function isLike(value) {
  try {
    return kindOf(value) === undefined && value instanceof Resource;
  } catch {
    return false;
  }
}

/** What is wrong with something that looks like a resource; undefined for anything else. */
function foreign(value, kind) {
  const own = kindOf(value);
  if (own !== undefined && own !== kind) return `is ${own === PLAN ? 'an IndexPlan, where a Tensor is needed (a plan stands in the place of dim and index, or of indices)' : 'a Tensor, where an IndexPlan is needed'}`;
  try {
    if (isLike(value)) return `is not the ${kind} itself but a Proxy, a copy or a prototype of one: keep tensors outside of what wraps objects, or mark them raw`;
    if (typeof value === 'object' && value !== null && [TENSOR, PLAN].includes(value[Symbol.toStringTag])) {
      return `is a ${value[Symbol.toStringTag]} of another copy of scatterwise: it was imported twice, or by two of its entries; import it from one place`;
    }
  } catch {
    // An object that cannot be read is described by the error that follows.
  }
  return undefined;
}

