// Training steps of an embedding bag: a bag is the mean of its words' rows, padded with -1, and learns to be a row that is wanted.

import { floats, integers, random } from './random.js';

export const title = 'Embedding bag, training steps';
export const sizes = { small: { words: 200, bags: 64, length: 6, channels: 7, steps: 3 }, large: { words: 50_000, bags: 8192, length: 32, channels: 64, steps: 3 } };
export const bounds = { table: { absolute: 1e-5 }, out: { absolute: 1e-5 } };

/** Bags of 0 to `length` words. */
export function make({ words, bags, length, channels, steps }, seed) {
  const next = random(seed);
  const text = new Int32Array(bags * length).fill(-1);
  for (let bag = 0; bag < bags; bag++) {
    const filled = Math.floor(next() * (length + 1));
    for (let k = 0; k < filled; k++) text[bag * length + k] = words * next();
  }
  const owner = integers(bags * length, (k) => k / length);
  const values = (count) => floats(count, () => 2 * next() - 1);
  return { text, owner, table: values(words * channels), wanted: values(bags * channels), words, bags, channels, steps };
}

export async function library({ open_scope, scope, spmm, Tensor, vjp }, data) {
  const s = open_scope();
  const [text, owner] = [new Tensor(data.text), new Tensor(data.owner)];
  const table = new Tensor(data.table, { shape: [data.words, data.channels] });
  const wanted = new Tensor(data.wanted, { shape: [data.bags, data.channels] });
  const how = { size: data.bags, reduce: 'mean', ignore_index: -1 };
  const forward = () => spmm(owner, text, undefined, table, how);
  for (let step = 0; step < data.steps; step++) {
    scope(() => {
      const slope = forward().sub_(wanted); // of half the squared distance
      table.sub_(vjp('spmm', slope, owner, text, undefined, table, how).dense.mul_(0.1));
    });
  }
  const results = { table: await table.data(), out: await forward().data() };
  s.dispose();
  return results;
}

export function plain({ text, owner, table: initial, wanted, bags, channels, steps }) {
  const table = initial.slice();
  const count = new Int32Array(bags);
  for (let k = 0; k < text.length; k++) if (text[k] >= 0) count[owner[k]]++;
  const out = new Float32Array(bags * channels);
  const forward = () => {
    out.fill(0);
    for (let k = 0; k < text.length; k++) {
      if (text[k] < 0) continue;
      for (let c = 0, i = owner[k] * channels, j = text[k] * channels; c < channels; c++) out[i + c] += table[j + c];
    }
    for (let bag = 0, i = 0; bag < bags; bag++) for (let c = 0; c < channels; c++, i++) out[i] /= Math.max(count[bag], 1);
  };
  for (let step = 0; step < steps; step++) {
    forward();
    for (let i = 0; i < out.length; i++) out[i] -= wanted[i];
    for (let k = 0; k < text.length; k++) {
      if (text[k] < 0) continue;
      const rate = 0.1 / count[owner[k]];
      for (let c = 0, i = owner[k] * channels, j = text[k] * channels; c < channels; c++) table[j + c] -= rate * out[i + c];
    }
  }
  forward();
  return { table, out };
}
