import { Tensor } from 'scatterwise';

/**
 * Counts the points in each bin: one `scatter_add` a frame.
 * @param {Int32Array} index the bin of each point @param {Int32Array} out receives the counts, one for each bin
 */
export async function countPoints(index, out, device) {
  const counts = Tensor.zeros([out.length], { dtype: 'int32', device });
  try {
    return await counts.scatter_add_(0, index, 1).data({ out });
  } finally {
    counts.dispose();
  }
}
