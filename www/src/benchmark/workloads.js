/**
 * The workloads. `make` yields the operands as typed arrays, for `size` index entries or, in a multiply, elements; `run` is the call
 * of the library, into the operand `out` or, with `fresh`, into a new tensor that it returns; `loop` is the same by hand, into `out`
 * always; `operator` describes the call to the adapters of other libraries. Loops check each index value before they use it.
 * @typedef {{ make(size: number): Record<string, Int32Array | Float32Array>, run(t: Record<string, any>): any,
 *   loop(a: Record<string, any>): void, out: string, fresh: boolean, operator: object }} Workload
 */

/** A generator of numbers in [0, 1), the same for each seed: linear congruential, with the constants of Numerical Recipes. */
function generator(seed) {
  let state = seed;
  return () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
}

/** So many index values, each in 0 … slots − 1. */
const indices = (count, slots, seed) => {
  const next = generator(seed);
  return Int32Array.from({ length: count }, () => Math.floor(next() * slots));
};
/** So many numbers from −0.5 to 0.5. */
const numbers = (count, seed) => {
  const next = generator(seed);
  return Float32Array.from({ length: count }, () => next() - 0.5);
};

/** `table[index] += src`, for each index entry in order. Throws at the first that is out of range, and has then added those before it. */
function addLoop({ table, index, src }) {
  for (let at = 0; at < index.length; at += 1) {
    const place = index[at];
    if (place < 0 || place >= table.length) throw new RangeError('index out of range');
    table[place] += src[at];
  }
}

/** @type {Record<string, Workload>} */
export const workloads = {
  count: {
    make: (size) => ({ table: new Int32Array(256), index: indices(size, 256, 1) }),
    run: ({ table, index }) => table.scatter_add_(0, index, 1),
    loop({ table, index }) {
      for (let at = 0; at < index.length; at += 1) {
        const place = index[at];
        if (place < 0 || place >= table.length) throw new RangeError('index out of range');
        table[place] += 1;
      }
    },
    out: 'table',
    fresh: false,
    operator: { op: 'scatter', dim: 0, reduce: 'add', scalar: 1 },
  },
  crowd: {
    make: (size) => ({ table: new Float32Array(16), index: indices(size, 16, 2), src: numbers(size, 3) }),
    run: ({ table, index, src }) => table.scatter_add_(0, index, src),
    loop: addLoop,
    out: 'table',
    fresh: false,
    operator: { op: 'scatter', dim: 0, reduce: 'add' },
  },
  spread: {
    make: (size) => ({ table: new Float32Array(size), index: indices(size, size, 4), src: numbers(size, 5) }),
    run: ({ table, index, src }) => table.scatter_add_(0, index, src),
    loop: addLoop,
    out: 'table',
    fresh: false,
    operator: { op: 'scatter', dim: 0, reduce: 'add' },
  },
  gather: {
    make: (size) => ({ table: numbers(size, 6), index: indices(size, size, 7), result: new Float32Array(size) }),
    run: ({ table, index }) => table.gather(0, index),
    loop({ table, index, result }) {
      for (let at = 0; at < index.length; at += 1) {
        const place = index[at];
        if (place < 0 || place >= table.length) throw new RangeError('index out of range');
        result[at] = table[place];
      }
    },
    out: 'result',
    fresh: true,
    operator: { op: 'gather', dim: 0 },
  },
  multiply: {
    make: (size) => ({ x: numbers(size, 8), y: numbers(size, 9), result: new Float32Array(size) }),
    run: ({ x, y }) => x.mul(y),
    loop({ x, y, result }) {
      for (let at = 0; at < x.length; at += 1) result[at] = x[at] * y[at];
    },
    out: 'result',
    fresh: true,
    operator: { op: 'pair', combine: 'multiply', axis: 0 },
  },
};
