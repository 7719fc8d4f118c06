// The class IndexPlan: an index that is checked once and used for many calls. types.d.ts describes each public method.
//
// Errors begin with `op`, the name of the method. `form` is ALONG, SLICES or TUPLES: how the index addresses.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { addressable, integer, refuseOptions, shapeText, sizes } from '../arguments/arguments.js';
import { indexOperand, isNone, madeFrom, readOperand } from '../arguments/operands.js';
import { readIndexOptionsAlone } from '../arguments/readers.js';
import { CALL, call, dims, fail, made, setDims, word } from '../engine/engine.js';
import { failure } from '../engine/errors.js';
import { disposeOf, handle, hold, isDisposed, key, kindOf, PLAN, Resource } from '../engine/handles.js';
import { resolved } from '../engine/task.js';
import { ALONG, RANK, SLICES, TUPLES, UPDATES } from '../engine/wire.js';
import { tensorOf } from './tensor.js';

/** As the constructor's first argument: the second one is the handle of the plan. */
const FROM_HANDLE = {};

/** The class gets its name from the property, which a minifier does not rename: see errors.js. */
export const { IndexPlan } = {
  IndexPlan: class extends Resource {
    /** For this module alone: `new IndexPlan(FROM_HANDLE, handle)`. Callers make plans by the static methods. */
    constructor(given, newHandle) {
      if (given !== FROM_HANDLE) throw failure(TypeError, 'invalid-argument', 'IndexPlan', 'a plan is made by IndexPlan.along(shape, dim, index) or IndexPlan.nd(shape, indices)');
      super(key, PLAN);
      hold(this, PLAN, newHandle);
    }

    static along(shape, dim, index, options) {
      return alongDim('IndexPlan.along', ALONG, shape, dim, index, options);
    }

    static select(shape, dim, index, options) {
      return alongDim('IndexPlan.select', SLICES, shape, dim, index, options);
    }

    static nd(shape, indices, options) {
      const op = 'IndexPlan.nd';
      const wanted = addressable(op, sizes(op, shape));
      const noDim = 0; // tuples address all of their dimensions
      const place = { form: TUPLES, dim: noDim, index: readOperand(op, 'indices', indices) };
      return planOf(prepare(op, wanted, 'indices', place, readIndexOptionsAlone(op, options, place)));
    }

    get shape() {
      return factsOf('IndexPlan.shape', this).shape;
    }

    get updates() {
      return factsOf('IndexPlan.updates', this).updates;
    }

    get has_duplicates() {
      const op = 'IndexPlan.has_duplicates';
      const answer = call(op, () => rust.plan_duplicates(handle(op, 'this', this, PLAN)) || fail(op));
      return answer === 2; // 1 for no
    }

    get counts() {
      const op = 'IndexPlan.counts';
      return tensorOf(call(op, () => made(op, rust.plan_counts(handle(op, 'this', this, PLAN)))));
    }

    ready(options) {
      const op = 'IndexPlan.ready';
      refuseOptions(op, options);
      const self = handle(op, 'this', this, PLAN);
      if (call(op, () => rust.plan_is_ready(self))) return resolved();
      return gpu.planReady(op, self).then(() => undefined);
    }

    dispose(options) {
      const op = 'IndexPlan.dispose';
      refuseOptions(op, options);
      disposeOf(op, this, PLAN);
    }

    get [Symbol.toStringTag]() {
      return 'IndexPlan';
    }

    toString() {
      return textOf(this);
    }

    toJSON() {
      return factsOf('IndexPlan.toJSON', this);
    }

    [Symbol.for('nodejs.util.inspect.custom')]() {
      return textOf(this);
    }
  },
};

const planOf = (newHandle) => new IndexPlan(FROM_HANDLE, newHandle);

if (Symbol.dispose) IndexPlan.prototype[Symbol.dispose] = IndexPlan.prototype.dispose;

function alongDim(op, form, shape, dim, index, options) {
  const wanted = addressable(op, sizes(op, shape));
  const place = { form, dim: integer(op, 'dim', dim), index: readOperand(op, 'index', index) };
  // A plain `[]` says nothing of its other dimensions: it names no slices.
  if (isNone(place.index) && wanted.length > 1) place.form = SLICES;
  return planOf(prepare(op, wanted, 'index', place, readIndexOptionsAlone(op, options, place)));
}

/**
 * The handle of a new plan for tensors of a shape. `argument` is the name of the index in errors, and `reading` says how the plan reads it, as
 * `readIndexOptions` returned it. All were checked, so the call runs no code of the caller.
 */
function prepare(op, shape, argument, { form, dim, index }, reading) {
  return call(op, () => {
    const handleOfIndex = indexOperand(op, argument, index, reading);
    setDims(shape);
    const plan = rust.plan(CALL[op], form, shape.length, dim, handleOfIndex, reading.mode);
    return madeFrom(op, plan, index);
  });
}

/** The text of a plan in Node's console and the browser's developer tools. */
function textOf(plan) {
  if (kindOf(plan) !== PLAN) return '[IndexPlan]'; // the prototype, or a Proxy
  if (isDisposed(plan)) return 'IndexPlan(disposed)';
  const { shape, updates } = factsOf('IndexPlan.toString', plan);
  return `IndexPlan(shape=${shapeText(shape)}, updates=${updates})`;
}

/** The shape of the plan's tensors, and the number of its updates. */
function factsOf(op, plan) {
  return call(op, () => {
    rust.describe_plan(handle(op, 'this', plan, PLAN));
    return { shape: dims(word(RANK)), updates: word(UPDATES) };
  });
}
