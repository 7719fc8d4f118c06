// The class IndexPlan: an index that is checked once and used for many calls.

import * as rust from '#glue';
import * as gpu from '#gpu';
import { addressable, integer, shapeText, sizes } from './arguments.js';
import { CALL, call, dims, fail, lastError, made, setDims, word } from './engine.js';
import { failure } from './errors.js';
import { disposeOf, handle, hold, isDisposed, key, kindOf, PLAN, Resource } from './handles.js';
import { operandHandle, readOperand, withOriginal } from './operands.js';
import { readPlanMode } from './readers.js';
import { adopt as adoptTensor } from './tensor.js';
import { ALONG, INDEX, RANK, SLICES, TUPLES, UPDATES } from './wire.js';

const ADOPT = {};

/** A property names the class: see errors.js. */
export const { IndexPlan } = {
  IndexPlan: class extends Resource {
    constructor(given, made) {
      if (given !== ADOPT) throw failure(TypeError, 'invalid-argument', 'IndexPlan', 'a plan is made by IndexPlan.along(shape, dim, index) or IndexPlan.nd(shape, indices)');
      super(key, PLAN);
      hold(this, PLAN, made);
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
      const given = readOperand(op, 'indices', indices);
      return adopt(make(op, TUPLES, wanted, 0, 'indices', given, readPlanMode(op, options)));
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
      return answer === 2;
    }

    get counts() {
      const op = 'IndexPlan.counts';
      return adoptTensor(call(op, () => made(op, rust.plan_counts(handle(op, 'this', this, PLAN)))));
    }

    ready() {
      const op = 'IndexPlan.ready';
      const self = handle(op, 'this', this, PLAN);
      if (call(op, () => rust.plan_is_ready(self))) return Promise.resolve();
      return gpu.planReady(op, self).then(() => undefined);
    }

    dispose() {
      disposeOf('IndexPlan.dispose', this, PLAN);
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

const adopt = (made) => new IndexPlan(ADOPT, made);

if (Symbol.dispose) IndexPlan.prototype[Symbol.dispose] = IndexPlan.prototype.dispose;

function alongDim(op, form, shape, dim, index, options) {
  const wanted = addressable(op, sizes(op, shape));
  const along = integer(op, 'dim', dim);
  const given = readOperand(op, 'index', index);
  return adopt(make(op, form, wanted, along, 'index', given, readPlanMode(op, options)));
}

function make(op, form, shape, dim, argument, index, mode) {
  return call(op, () => {
    const given = operandHandle(op, argument, index, INDEX);
    setDims(shape);
    const plan = rust.plan(CALL[op], form, shape.length, dim, given, mode);
    if (plan === 0) throw withOriginal(lastError(op), index);
    return made(op, plan);
  });
}

/** What Node's console shows, and the developer tools'. */
function textOf(plan) {
  if (kindOf(plan) !== PLAN) return '[IndexPlan]';
  if (isDisposed(plan)) return 'IndexPlan(disposed)';
  const { shape, updates } = factsOf('IndexPlan.toString', plan);
  return `IndexPlan(shape=${shapeText(shape)}, updates=${updates})`;
}

function factsOf(op, plan) {
  return call(op, () => {
    rust.describe_plan(handle(op, 'this', plan, PLAN));
    return { shape: dims(word(RANK)), updates: word(UPDATES) };
  });
}
