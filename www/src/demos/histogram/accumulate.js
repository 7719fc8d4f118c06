import { Tensor, sync } from 'scatterwise';
import { sameBits } from '../../shared/bits.js';

const LONG_ENOUGH = 30; // ms: browsers round their clocks to up to 1 ms
const MOST_REPEATS = 128;

/**
 * @typedef {{ index: Int32Array, hours?: Float32Array, bins: number, device: 'cpu' | 'webgpu' }} Work
 * @typedef {{ counts: Int32Array, sums?: Float32Array }} Totals
 */

/**
 * Counts the entries of `index` per bin and, with `hours`, sums those up per bin: one or two `scatter_add_`.
 * The sums are float32 of values that are not whole, so to the last bit they depend on the order of the additions.
 * @param {Work} work
 * @returns {Promise<Totals>}
 */
export const accumulate = (work) => upload(work, (where, amounts) => scatter(where, amounts, work.bins, 1));

/**
 * The same, with the time that it takes once everything is on the device and warm: the mean of `repeats` in a row, as
 * many as the clock needs.
 * @param {Work} work
 * @returns {Promise<Totals & { ms: number, repeats: number }>}
 */
export const measure = (work) =>
  upload(work, async (where, amounts) => {
    await scatter(where, amounts, work.bins, 1); // the first run compiles
    for (let repeats = 1; ; repeats *= 2) {
      const { elapsed, ...totals } = await scatter(where, amounts, work.bins, repeats);
      if (elapsed >= LONG_ENOUGH || repeats >= MOST_REPEATS) return { ...totals, ms: elapsed / repeats, repeats };
    }
  });

async function upload({ index, hours, device }, use) {
  const where = new Tensor(index, { device });
  const amounts = hours && new Tensor(hours, { device });
  try {
    return await use(where, amounts);
  } finally {
    where.dispose();
    amounts?.dispose();
  }
}

async function scatter(where, amounts, bins, repeats) {
  const { device } = where;
  const targets = Array.from({ length: repeats }, () => ({
    counts: Tensor.zeros([bins], { dtype: 'int32', device }),
    sums: amounts && Tensor.zeros([bins], { dtype: 'float32', device }),
  }));
  try {
    await sync();
    const started = performance.now();
    for (const { counts, sums } of targets) {
      counts.scatter_add_(0, where, 1);
      sums?.scatter_add_(0, where, amounts);
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

/** Whether two results agree in every bit. */
export const sameResult = (a, b) => sameBits(a.counts, b.counts) && (!a.sums || sameBits(a.sums, b.sums));
