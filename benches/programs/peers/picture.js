// Picture equalisation and its colours, by tfjs. It has no bytes: each is an int32.

import { tf } from './tf.js';

export const library = '@tensorflow/tfjs-backend-wasm';

export async function peer({ data, width, height }) {
  const [picture, cube] = tf.tidy(() => {
    const channels = tf.tensor(new Int32Array(data), [width * height, 4]).transpose().unstack();
    const equal = channels.slice(0, 3).map((channel) => {
      const curve = tf.bincount(channel, [], 256).toFloat().div(width * height).cumsum().mul(255).round().toInt();
      return tf.gatherND(curve, channel.expandDims(1));
    });
    const [red, green, blue] = channels.map((channel) => channel.toFloat().div(8).floor());
    const colour = red.mul(1024).add(green.mul(32)).add(blue).toInt();
    return [tf.stack([...equal, channels[3]]).transpose(), tf.bincount(colour, [], 32 ** 3)];
  });
  const results = { picture: new Uint8ClampedArray(await picture.data()), cube: await cube.data() };
  tf.dispose([picture, cube]);
  return results;
}
