import { Tensor, sync } from 'scatterwise';
import { sameBits } from '../../shared/bits.js';

const LONG_ENOUGH = 30; // ms timed in one piece: browsers round their clocks to up to 1 ms
const MOST_REPEATS = 128;

/**
 * @typedef {{ index: Int32Array, hours?: Float32Array, bins: number, device: 'cpu' | 'webgpu' }} Work `index` has the bin of each flight,
 *   `hours` its delay, and `bins` is how many bins there are
 * @typedef {{ counts: Int32Array, sums?: Float32Array }} Totals
 */

/**
 * Counts the entries of `index` per bin and, with `hours`, sums those up per bin: one or two `scatter_add_`.
 * The sums are float32 of values that are not whole, so to the last bit they depend on the order of the additions.
 * @param {Work} work
 * @returns {Promise<Totals>}
 */
export const accumulate = (work) => withTensors(work, (index, amounts) => scatter(index, amounts, work.bins, { repeats: 1 }));

/**
 * The same, with the time that it takes once everything is on the device and warm: the mean of `repeats` in a row, as
 * many as the clock needs.
 * @param {Work} work
 * @returns {Promise<Totals & { ms: number, repeats: number }>}
 */
export const measure = (work) =>
  withTensors(work, async (index, amounts) => {
    await scatter(index, amounts, work.bins, { repeats: 1 }); // the first run compiles
    for (let repeats = 1; ; repeats *= 2) {
      const { elapsed, ...totals } = await scatter(index, amounts, work.bins, { repeats });
      if (elapsed >= LONG_ENOUGH || repeats >= MOST_REPEATS) return { ...totals, ms: elapsed / repeats, repeats };
    }
  });

/** What `use` resolves to when it is given the bins and the hours as tensors on the device, which are disposed of afterwards. */
async function withTensors({ index: bins, hours, device }, use) {
  const index = new Tensor(bins, { device });
  const amounts = hours && new Tensor(hours, { device });
  try {
    return await use(index, amounts);
  } finally {
    index.dispose();
    amounts?.dispose();
  }
}

/**
 * Counts, and sums up if there are `amounts`, `repeats` times in a row, each time into new tables. Returns the totals of one time, and in
 * `elapsed` the ms of all of them, without the making of the tables.
 */
async function scatter(index, amounts, bins, { repeats }) {
  const { device } = index;
  const targets = Array.from({ length: repeats }, () => ({
    counts: Tensor.zeros([bins], { dtype: 'int32', device }),
    sums: amounts && Tensor.zeros([bins], { dtype: 'float32', device }),
  }));
  try {
    await sync(); // the tables are there
    const started = performance.now();
    for (const { counts, sums } of targets) {
      counts.scatter_add_(0, index, 1);
      sums?.scatter_add_(0, index, amounts);
    }
    await sync();
    const elapsed = performance.now() - started;
    return { elapsed, counts: await targets[0].counts.data(), sums: await targets[0].sums?.data() };
  } finally {
    for (const { counts, sums } of targets) {
      counts.dispose();
      sums?.dispose();
    }
  }
}

/** Whether two totals agree in every bit. */
export const sameResult = (a, b) => sameBits(a.counts, b.counts) && (!a.sums || sameBits(a.sums, b.sums));
