// Training steps of an embedding bag, by tfjs: the words that are no padding are found once, then gathered and scattered.

import { tf } from './tf.js';

export const library = '@tensorflow/tfjs-backend-wasm';

export async function peer(data) {
  const { bags, channels } = data;
  const [text, owner] = [tf.tensor(data.text), tf.tensor(data.owner)];
  const mask = text.greaterEqual(0);
  const filled = await tf.whereAsync(mask);
  const [words, bag] = [text, owner].map((list) => tf.gatherND(list, filled).expandDims(1));
  const count = tf.tidy(() => tf.bincount(bag.flatten(), [], bags).toFloat().maximum(1).expandDims(1));
  const wanted = tf.tensor(data.wanted, [bags, channels]);
  let table = tf.tensor(data.table, [data.words, channels]);
  const forward = () => tf.scatterND(bag, tf.gatherND(table, words), [bags, channels]).div(count);
  for (let step = 0; step < data.steps; step++) {
    const before = table;
    table = tf.tidy(() => table.sub(tf.scatterND(words, tf.gatherND(forward().sub(wanted).div(count).mul(0.1), bag), table.shape)));
    before.dispose();
  }
  const out = tf.tidy(forward);
  const results = { table: await table.data(), out: await out.data() };
  tf.dispose([text, owner, mask, filled, words, bag, count, wanted, table, out]);
  return results;
}
