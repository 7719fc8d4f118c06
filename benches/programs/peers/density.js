// Bilinear density, by tfjs. Its scatter takes no index outside: a border of two cells gets the points beyond the grid.

import { tf } from './tf.js';

export const library = '@tensorflow/tfjs-backend-wasm';

export async function peer(data) {
  const { side } = data;
  const wide = side + 4;
  const [density, picture] = tf.tidy(() => {
    const points = tf.tensor(data.points, [data.weights.length, 2]);
    const weights = tf.tensor(data.weights);
    const corner = tf.floor(points);
    const cell = tf.clipByValue(corner, -2, side).add(2).toInt();
    const parts = points.sub(corner).transpose().unstack().map((part) => [tf.sub(1, part), part]);
    let density = tf.zeros([wide, wide]);
    for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      const at = cell.add(tf.tensor([i, j], [2], 'int32'));
      density = density.add(tf.scatterND(at, parts[0][i].mul(parts[1][j]).mul(weights), [wide, wide]));
    }
    density = density.slice([2, 2], [side, side]);
    const level = density.div(density.max()).sqrt().mul(255).toInt();
    return [density, tf.gatherND(tf.tensor(data.palette, [256, 4], 'int32'), level.expandDims(2))];
  });
  const results = { density: await density.data(), picture: new Uint8ClampedArray(await picture.data()) };
  tf.dispose([density, picture]);
  return results;
}
