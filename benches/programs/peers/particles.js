// Particles to a periodic grid and back, by tfjs. It has no index that wraps: the remainders of the corners are taken.

import { tf } from './tf.js';

export const library = '@tensorflow/tfjs-backend-wasm';

const corners = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]];

export async function peer(data) {
  const { side } = data;
  const shape = [data.place.length / 3, 3];
  const cube = [side, side, side];
  let [place, speed, density] = [tf.tensor(data.place, shape), tf.tensor(data.speed, shape), tf.zeros(cube)];
  const wrap = (cell) => cell.sub(cell.div(side).floor().mul(side));
  for (let step = 0; step < data.steps; step++) {
    const before = [place, speed, density];
    [place, speed, density] = tf.tidy(() => {
      const corner = tf.floor(place);
      const parts = place.sub(corner).transpose().unstack().map((part) => [tf.sub(1, part), part]);
      const cells = tf.concat(corners.map((step) => wrap(corner.add(step)))).toInt();
      const weights = tf.concat(corners.map(([i, j, l]) => parts[0][i].mul(parts[1][j]).mul(parts[2][l])));
      const density = tf.scatterND(cells, weights, cube);
      const forces = [0, 1, 2].map((dim) => {
        const [first, rest] = tf.split(density, [1, side - 1], dim);
        const [most, last] = tf.split(density, [side - 1, 1], dim);
        const slope = tf.concat([last, most], dim).sub(tf.concat([rest, first], dim));
        return tf.gatherND(slope, cells).mul(weights).reshape([8, -1]).sum(0);
      });
      const faster = speed.add(tf.stack(forces).transpose().mul(0.05));
      return [place.add(faster), faster, density];
    });
    tf.dispose(before);
  }
  const results = { density: await density.data(), place: await place.data(), speed: await speed.data() };
  tf.dispose([place, speed, density]);
  return results;
}
