// PageRank and the step of a graph layer, by tfjs: a product with the sparse matrix is a gather and a scatter.

import { tf } from './tf.js';

export const library = '@tensorflow/tfjs-backend-wasm';

export async function peer(data) {
  const { nodes, channels } = data;
  const shape = [nodes, channels];
  const [from, to] = [tf.tensor(data.from), tf.tensor(data.to)].map((ends) => ends.expandDims(1));
  const [forward, back] = [(x) => tf.scatterND(to, tf.gatherND(x, from), x.shape), (x) => tf.scatterND(from, tf.gatherND(x, to), x.shape)];
  const wanted = tf.tensor(data.wanted, shape);

  const rank = tf.tidy(() => {
    const degree = tf.bincount(from.flatten(), [], nodes).toFloat();
    const dangling = tf.equal(degree, 0).toFloat();
    const share = tf.sub(1, dangling).mul(0.85).div(degree.maximum(1));
    let rank = tf.fill([nodes], 1 / nodes);
    for (let round = 0; round < data.rounds; round++) {
      rank = tf.tidy(() => forward(rank.mul(share)).add(rank.mul(dangling).sum().mul(0.85 / nodes).add(0.15 / nodes)));
    }
    return rank;
  });

  const into = tf.tidy(() => tf.bincount(to.flatten(), [], nodes).toFloat().maximum(1).expandDims(1));
  let [features, weight, bias] = [tf.tensor(data.features, shape), tf.tensor(data.weight), tf.tensor(data.bias)];
  for (let step = 0; step < data.steps; step++) {
    const before = [features, weight, bias];
    [features, weight, bias] = tf.tidy(() => {
      const around = forward(features).div(into);
      const out = around.mul(weight).add(bias);
      const slope = tf.relu(out).sub(wanted).mul(out.greater(0).toFloat());
      return [
        features.sub(back(slope.mul(weight).div(into)).mul(0.1)), weight.sub(slope.mul(around).mean(0).mul(0.1)), bias.sub(slope.mean(0).mul(0.1)),
      ];
    });
    tf.dispose(before);
  }
  const results = {};
  for (const [name, tensor] of Object.entries({ rank, features, weight, bias })) results[name] = await tensor.data();
  tf.dispose([from, to, wanted, rank, into, features, weight, bias]);
  return results;
}
