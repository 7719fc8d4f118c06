import { Tensor } from 'scatterwise';

/**
 * What is measured. `make` yields the operands as typed arrays; `tensors` takes them to a device; `run` is the call, in
 * place or to a new tensor that it returns; `loop` is the same by hand, into `out`.
 * @typedef {{ make(size: number): Record<string, Int32Array | Float32Array>, run(t: Record<string, Tensor>): Tensor,
 *   loop(a: Record<string, any>): void, out: string, fresh: boolean }} Workload
 */

/** Numbers that look random and are the same each time. */
function generator(seed) {
  let state = seed;
  return () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
}

const indices = (count, slots, seed) => {
  const next = generator(seed);
  return Int32Array.from({ length: count }, () => Math.floor(next() * slots));
};
const numbers = (count, seed) => {
  const next = generator(seed);
  return Float32Array.from({ length: count }, () => next() - 0.5);
};

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
  },
  crowd: {
    make: (size) => ({ table: new Float32Array(16), index: indices(size, 16, 2), src: numbers(size, 3) }),
    run: ({ table, index, src }) => table.scatter_add_(0, index, src),
    loop: addLoop,
    out: 'table',
    fresh: false,
  },
  spread: {
    make: (size) => ({ table: new Float32Array(size), index: indices(size, size, 4), src: numbers(size, 5) }),
    run: ({ table, index, src }) => table.scatter_add_(0, index, src),
    loop: addLoop,
    out: 'table',
    fresh: false,
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
  },
  multiply: {
    make: (size) => ({ x: numbers(size, 8), y: numbers(size, 9), result: new Float32Array(size) }),
    run: ({ x, y }) => x.mul(y),
    loop({ x, y, result }) {
      for (let at = 0; at < x.length; at += 1) result[at] = x[at] * y[at];
    },
    out: 'result',
    fresh: true,
  },
};

/** Operands on a device; dispose of them all. */
export const upload = (arrays, device) =>
  Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, new Tensor(array, { device })]));
