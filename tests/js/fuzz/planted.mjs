// Faults put into the package on purpose: what the fuzzer is worth is which of them it finds. `node tests/js/fuzz/planted.mjs` shows it for
// all, or for the one that is named.

import { fileURLToPath } from 'node:url';
import { setPatience } from './outcome.js';
import { fuzz } from './run.js';

/** Replaces a method of a class by `make(original)`. */
function change({ prototype }, name, make) {
  Object.defineProperty(prototype, name, { value: make(prototype[name]), writable: true, configurable: true });
}
/** Changes a method so that, where it throws, it gives what `then(self, error, args)` returns, or throws what that throws. */
const whenRefused = (Class, name, then) =>
  change(Class, name, (original) =>
    function (...args) {
      try {
        return original.apply(this, args);
      } catch (error) {
        return then(this, error, args);
      }
    });
const rethrow = (error) => {
  throw error;
};

/**
 * The faults, by name. `plant(lib, stage)` puts one into a fresh copy of the package. The fuzzer's `part` has to find it within `calls`
 * calls (30,000 where it says nothing): in a call whose name `on` matches, where there is one, with a problem that `says` matches.
 */
export const plants = {
  'writes before it refuses': {
    part: 'adversarial',
    on: /Tensor\.prototype\.scatter_ /,
    says: /self changed/,
    plant(lib) {
      const { mul_ } = lib.Tensor.prototype;
      whenRefused(lib.Tensor, 'scatter_', (self, error) => {
        if (error.code === 'invalid-argument') mul_.call(self, 2);
        return rethrow(error);
      });
    },
  },
  'leaks a tensor on an error': {
    part: 'adversarial',
    on: /Tensor\.prototype\.gather /,
    says: /memory\(\)\.tensors was \d+ and is/,
    plant(lib) {
      const lost = [];
      whenRefused(lib.Tensor, 'gather', (self, error) => {
        lost.push(new lib.Tensor([1]));
        return rethrow(error);
      });
    },
  },
  'a raw error': {
    part: 'adversarial',
    on: /Tensor\.prototype\.reshape /,
    says: /raw error: TypeError/,
    plant(lib) {
      change(lib.Tensor, 'reshape', (original) => function (shape) {
        return original.call(this, [...shape]);
      });
    },
  },
  'self is locked after an exception': {
    part: 'adversarial',
    on: /Tensor\.prototype\.scatter_add_ /,
    says: /self cannot be written to any more/,
    plant(lib) {
      const locked = new WeakSet();
      whenRefused(lib.Tensor, 'scatter_add_', (self, error) => {
        locked.add(self);
        return rethrow(error);
      });
      change(lib.Tensor, 'mul_', (original) => function (...args) {
        if (locked.has(this)) throw Object.assign(new lib.RuntimeError('in use'), { code: 'locked', op: 'Tensor.mul_' });
        return original.apply(this, args);
      });
    },
  },
  'an error writes to another tensor': {
    part: 'adversarial',
    on: /Tensor\.prototype\.mul /,
    says: /another tensor \(\d+\) changed/,
    plant(lib, { canaries }) {
      const { mul_ } = lib.Tensor.prototype;
      whenRefused(lib.Tensor, 'mul', (self, error) => {
        for (const { tensor } of canaries) mul_.call(tensor, 3);
        return rethrow(error);
      });
    },
  },
  'a promise that never settles': {
    part: 'adversarial',
    on: /Tensor\.prototype\.equals /,
    says: /never settles/,
    plant(lib) {
      whenRefused(lib.Tensor, 'equals', () => new Promise(() => {}));
    },
  },
  'a trap': {
    part: 'adversarial',
    on: /Tensor\.prototype\.astype /,
    says: /a trap/,
    plant(lib) {
      whenRefused(lib.Tensor, 'astype', () => rethrow(new WebAssembly.RuntimeError('unreachable')));
    },
  },
  'an exception at the fourth look gets lost': {
    part: 'adversarial',
    on: /Tensor\.prototype\.gather /,
    says: /raw error: TypeError: lost/,
    calls: 100_000, // one look of one argument among all
    plant(lib) {
      change(lib.Tensor, 'gather', (original) => function (dim, index, ...more) {
        let looks = 0;
        try {
          for (; looks < 4; looks++) void index?.length;
        } catch (error) {
          throw looks === 3 ? new TypeError('lost') : error;
        }
        return original.call(this, dim, index, ...more);
      });
    },
  },
  'duplicates are added up before they are rounded': {
    part: 'oracle',
    says: /gave element/,
    plant(lib) {
      change(lib.Tensor, 'scatter_add', (original) => function (...args) {
        if (this.dtype !== 'float32') return original.apply(this, args);
        const wide = this.astype('float64');
        const widened = args.map((arg) => (arg instanceof lib.Tensor && arg.dtype === 'float32' ? arg.astype('float64') : arg));
        try {
          const sum = original.apply(wide, widened);
          const out = sum.astype('float32');
          sum.dispose();
          return out;
        } finally {
          wide.dispose();
          for (const [k, each] of widened.entries()) if (each !== args[k]) each.dispose();
        }
      });
    },
  },
  'a descending sort turns an ascending one round': {
    part: 'oracle',
    says: /gave element/,
    plant(lib) {
      change(lib.Tensor, 'argsort', (original) => function (dim, { descending = false } = {}) {
        const ascending = original.call(this, dim);
        if (!descending || this.shape.length !== 1) return ascending;
        const turned = ascending.index_select(0, Array.from({ length: this.shape[0] }, (_, k) => this.shape[0] - 1 - k));
        ascending.dispose();
        return turned;
      });
    },
  },
  'a mask is forgotten': {
    part: 'oracle',
    on: /binned_statistic/,
    says: /gave element/,
    plant(lib) {
      const { binned_statistic } = lib;
      lib.binned_statistic = (sample, values, statistic, { mask, ...others }) => binned_statistic(sample, values, statistic, others);
    },
  },
  'a bad index is taken': {
    part: 'oracle',
    says: /was not refused; it has to be index-out-of-range/,
    plant(lib) {
      whenRefused(lib.Tensor, 'gather', (self, error) => (error.code === 'index-out-of-range' ? self.clone() : rethrow(error)));
    },
  },
  'an error that names the wrong place': {
    part: 'oracle',
    says: /position is/,
    plant(lib) {
      whenRefused(lib.Tensor, 'scatter', (self, error) => {
        if (error.position) error.position = error.position.map((each) => each + 1);
        return rethrow(error);
      });
    },
  },
  'a clone is kept for ever': {
    part: 'lifetime',
    says: /after \d+ collections/,
    plant(lib) {
      const kept = [];
      change(lib.Tensor, 'clone', (original) => function () {
        const copy = original.call(this);
        if (kept.length < 10) kept.push(original.call(this));
        return copy;
      });
    },
  },
  'the inner of two calls is undone': {
    part: 'reentry',
    says: /self is/,
    plant(lib) {
      change(lib.Tensor, 'scatter_', (original) => function (dim, index, src, options) {
        const before = this.data_sync();
        const { reduce } = options ?? {};
        if (reduce && String(this.data_sync()) !== String(before)) this.scatter_(0, before.map((_, k) => k), before);
        return original.call(this, dim, index, src, reduce && { reduce });
      });
    },
  },
  'a flag that a full stack leaves set': {
    part: 'overflow',
    calls: 150_000, // all methods share them
    says: /raw error: Error: busy|next call fails/,
    plant(lib) {
      let busy = false;
      change(lib.Tensor, 'mul', (original) => function (other) {
        if (busy) throw new Error('busy');
        busy = true;
        const product = original.call(this, other);
        busy = false;
        return product;
      });
    },
  },
  'a file that was cut off is filled up': {
    part: 'npy',
    says: /has to be refused/,
    plant(lib) {
      const { from_npy } = lib.Tensor;
      lib.Tensor.from_npy = (bytes, options) => {
        try {
          return from_npy.call(lib.Tensor, bytes, options);
        } catch (error) {
          if (!/too early|too short|truncated|ends/.test(error.message) || bytes.length < 64) throw error;
          const longer = new Uint8Array(bytes.length + 4096);
          longer.set(bytes);
          return from_npy.call(lib.Tensor, longer, options);
        }
      };
    },
  },
  'memory that is full is a raw error': {
    part: 'memory',
    says: /is not typed out-of-memory/,
    plant(lib) {
      const { full } = lib.Tensor;
      lib.Tensor.full = (...args) => {
        try {
          return full.apply(lib.Tensor, args);
        } catch {
          throw new RangeError('Array buffer allocation failed');
        }
      };
    },
  },
};

/**
 * Runs one part of the fuzzer on a copy with the fault of that name. Resolves to the finding, or undefined without one.
 */
export async function find(name, { load, platform, seed = 1 }) {
  const { part, on = /./, says, plant, calls = 30_000 } = plants[name];
  const planted = (lib, stage) => {
    const copy = { ...lib }; // a module's exports cannot be changed; what the fuzzer calls is this object
    plant(copy, stage);
    return copy;
  };
  const isFound = ({ call, problem }) => on.test(call) && says.test(problem);
  const { faults } = await fuzz({ load, seed, calls, chosen: [part], platform, plant: planted, stop: isFound });
  return faults.find(isFound);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = process.argv[2] ? [process.argv[2]] : Object.keys(plants);
  const { catchAll, load, platform } = await import('./package.mjs');
  catchAll();
  setPatience(500);
  let missed = 0;
  for (const name of chosen) {
    const first = await find(name, { load, platform });
    if (!first) missed += 1;
    console.log(`${first ? 'found ' : 'MISSED'} ${name}${first ? `\n       ${first.call}: ${first.problem}`.slice(0, 300) : ''}`);
  }
  console.log(`${chosen.length - missed} of ${chosen.length} planted faults found`);
  process.exitCode = missed > 0 ? 1 : 0;
}
