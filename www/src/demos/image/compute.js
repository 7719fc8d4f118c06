import { Tensor, elementwise_mul } from 'scatterwise';
import { modes } from './gains.js';

/** How many levels of brightness a histogram tells apart. */
export const LEVELS = 256;

/**
 * The picture times its gains, and how often each channel has each level. Values above white stay as they are, and count as white.
 * @param {import('./picture.js').Picture} picture
 * @param {keyof typeof modes} mode @param {number[]} levers three gains, as modes use them @param {'cpu' | 'webgpu'} device
 * @returns {Promise<{ values: Float32Array, counts: Int32Array }>} values by channel, row and column; counts by channel and level
 */
export async function develop(picture, mode, levers, device) {
  const { axis, shape, gains } = modes[mode];
  const made = [];
  /** Notes a tensor to be disposed of at the end. */
  const keep = (tensor) => (made.push(tensor), tensor);
  try {
    const x = keep(new Tensor(picture.values, { shape: [3, picture.height, picture.width], device }));
    const y = keep(new Tensor(gains(levers, picture), { shape: shape(picture), device }));
    const bright = keep(elementwise_mul(x, y, { axis }));
    const values = await bright.data();
    const levels = levelsOf(values);
    const counts = keep(Tensor.zeros([3 * LEVELS], { dtype: 'int32', device }));
    counts.scatter_add_(0, levels, 1);
    return { values, counts: await counts.data() };
  } finally {
    for (const each of made) each.dispose();
  }
}

/** The place in the counts of each value: channel · LEVELS + level. */
function levelsOf(values) {
  const pixels = values.length / 3;
  return Int32Array.from(values, (value, at) => Math.floor(at / pixels) * LEVELS + Math.min(LEVELS - 1, Math.max(0, Math.floor(value))));
}
