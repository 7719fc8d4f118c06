import { IndexPlan, Tensor } from 'scatterwise/timing';

/** The ways to scatter on a GPU, in the order of `Strategy::ALL` in src/scatter/gpu/strategy.rs. */
export const WAYS = ['columns', 'winner', 'atomics', 'count-then-repeat', 'small', 'run-per-thread', 'row-per-group', 'distinct', 'keys', 'lists'];

/** A generator of whole numbers in [0, `below`), the same for each seed: linear congruential, with the constants of Numerical Recipes. */
function generator(seed) {
  let state = seed;
  return (below) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * below);
}

/** So many places, each below a bound. */
function places(count, below, seed) {
  const next = generator(seed);
  return Int32Array.from({ length: count }, () => next(below));
}

/** Every place from 0 to `count` − 1 once, in a mixed order. */
function permutation(count) {
  const all = Int32Array.from({ length: count }, (_, at) => at);
  const next = generator(5);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = next(at + 1);
    [all[at], all[other]] = [all[other], all[at]];
  }
  return all;
}

/** Numbers in [−1, 1) in a shape: multiples of 2^−19, which are exact in float32. */
function floats(shape) {
  const next = generator(3);
  const count = shape.reduce((size, each) => size * each, 1);
  return { data: Float32Array.from({ length: count }, () => next(1 << 20) / (1 << 19) - 1), shape };
}

/** Zeros in a shape. */
const zeros = (shape) => ({ data: new Float32Array(shape.reduce((size, each) => size * each, 1)), shape });

/**
 * Work at sizes x, from little to much ('rows': from few rows to many), and the ways that apply to it; `thresholds.js` says which threshold
 * it is about, if any. `make` gives the operands as arrays with shapes. `plan` makes an IndexPlan for a table of a shape, if the work is
 * done with one. `call` scatters into `table`, and is made many times.
 * @typedef {{ id: string, sizes: number[], ways: string[], make(x: number): Record<string, { data: Float32Array | Int32Array, shape: number[] }>,
 *   call(t: Record<string, any>): void, plan?(shape: number[], index: Int32Array): IndexPlan }} Ladder
 */

/** @type {Ladder[]} */
export const ladders = [
  {
    id: 'small', // x: entries times elements of a row
    sizes: [256, 1024, 4096, 16_384, 65_536],
    ways: ['small', 'run-per-thread', 'columns'],
    make: (x) => ({ table: zeros([256, x / 256]), index: { data: places(256, 256, 1), shape: [256, 1] }, src: floats([256, x / 256]) }),
    call: ({ table, index, src }) => table.scatter_add_(index, src),
  },
  {
    id: 'columns', // x: columns
    sizes: [256, 1024, 4096, 16_384, 65_536],
    ways: ['columns', 'run-per-thread'],
    make: (x) => ({ table: zeros([16, x]), index: { data: places(16 * x, 16, 2), shape: [16, x] }, src: floats([16, x]) }),
    call: ({ table, index, src }) => table.scatter_add_(0, index, src),
  },
  {
    id: 'rows', // x: entries for each row; there are always 65,536, so the fewer a row has, the more rows there are
    sizes: [1024, 256, 64, 16, 4],
    ways: ['run-per-thread', 'row-per-group', 'columns'],
    make: (x) => ({ table: zeros([65_536 / x]), index: { data: places(65_536, 65_536 / x, 3), shape: [65_536] }, src: floats([65_536]) }),
    call: ({ table, index, src }) => table.scatter_add_(0, index, src),
  },
  {
    id: 'repeat', // x: rows for each entry
    sizes: [1, 4, 16, 64],
    ways: ['count-then-repeat', 'run-per-thread', 'columns'],
    make: (x) => ({ table: zeros([8192 * x]), index: { data: places(8192, 8192 * x, 4), shape: [8192] } }),
    call: ({ table, index }) => table.scatter_add_(0, index, 0.1),
  },
  {
    id: 'replace', // x: entries, into as many rows
    sizes: [1024, 16_384, 262_144],
    ways: ['winner', 'run-per-thread', 'columns'],
    make: (x) => ({ table: zeros([x]), index: { data: places(x, x, 5), shape: [x] }, src: floats([x]) }),
    call: ({ table, index, src }) => table.scatter_(0, index, src),
  },
  {
    id: 'integers', // x: entries, into 256 rows
    sizes: [1024, 16_384, 262_144],
    ways: ['atomics', 'run-per-thread', 'row-per-group', 'columns'],
    make: (x) => ({
      table: { data: new Int32Array(256), shape: [256] },
      index: { data: places(x, 256, 6), shape: [x] },
      src: { data: places(x, 1000, 7), shape: [x] }, // values from 0 to 999: no places
    }),
    call: ({ table, index, src }) => table.scatter_add_(0, index, src),
  },
  {
    id: 'distinct', // x: entries, each into a row of its own
    sizes: [1024, 16_384, 262_144],
    ways: ['distinct', 'run-per-thread', 'columns'],
    make: (x) => ({ table: zeros([x]), index: { data: permutation(x), shape: [x] }, src: floats([x]) }),
    call: ({ table, plan, src }) => table.scatter_add_(plan, src),
    plan: (shape, index) => IndexPlan.along(shape, 0, index),
  },
];

/** The operands of a ladder at x as tensors on a device, with the plan if it has one. */
export function operands({ make, plan }, x, device) {
  const made = make(x);
  const own = Object.fromEntries(Object.entries(made).map(([name, { data, shape }]) => [name, new Tensor(data, { shape, device })]));
  if (plan) own.plan = plan(own.table.shape, made.index.data);
  return own;
}

/** Disposes of the tensors that `operands` made. */
export const dispose = (own) => Object.values(own).forEach((each) => each.dispose());
