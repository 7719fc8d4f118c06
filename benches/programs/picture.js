// A picture whose channels are equalised, each by its own histogram, and the histogram of its colours, 32 by 32 by 32.

import { random } from './random.js';

export const title = 'Picture equalisation and its colours';
export const sizes = { small: { width: 64, height: 48 }, large: { width: 4000, height: 3000 } };
export const bounds = {};

/** A picture of little contrast. */
export function make({ width, height }, seed) {
  const next = random(seed);
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let k = 0; k < width * height; k++) {
    const [x, y] = [k % width, Math.floor(k / width)];
    pixels[4 * k] = 96 + 40 * Math.sin(x / 20) + 10 * next();
    pixels[4 * k + 1] = 120 + 30 * Math.sin(y / 9) + 10 * next();
    pixels[4 * k + 2] = 60 + 20 * Math.sin((x + y) / 15) + 30 * next();
    pixels[4 * k + 3] = 255;
  }
  return { data: pixels, width, height };
}

export async function library({ bincount, histogramdd, open_scope, Tensor }, image) {
  const s = open_scope();
  const { width, height } = image;
  const pixels = Tensor.from_image(image).reshape([width * height, 4]);
  const counts = await bincount(pixels, { dim: 0, length: 256, dtype: 'int32' }).data(); // a row for each channel
  const curves = new Uint8Array(1024); // a column for each channel
  for (let channel = 0, k = 0; channel < 4; channel++) {
    for (let level = 0, below = 0; level < 256; level++, k++) {
      below += counts[k];
      curves[4 * level + channel] = channel === 3 ? level : Math.round((255 * below) / (width * height));
    }
  }
  const equal = new Tensor(curves, { shape: [256, 4] }).gather(0, pixels).reshape([height, width, 4]);
  const range = [0, 256];
  const cube = histogramdd(pixels, { bins: [32, 32, 32, 1], range: [range, range, range, range], dtype: 'int32' }).hist;
  const results = { picture: (await equal.to_image()).data, cube: await cube.data() };
  s.dispose();
  return results;
}

export function plain({ data, width, height }) {
  const counts = new Int32Array(1024);
  const cube = new Int32Array(32 ** 3);
  for (let k = 0; k < data.length; k += 4) {
    counts[data[k]]++;
    counts[256 + data[k + 1]]++;
    counts[512 + data[k + 2]]++;
    cube[((data[k] >> 3) << 10) | ((data[k + 1] >> 3) << 5) | (data[k + 2] >> 3)]++;
  }
  const curves = new Uint8Array(768);
  for (let channel = 0, k = 0; channel < 3; channel++) {
    for (let level = 0, below = 0; level < 256; level++, k++) curves[k] = Math.round((255 * (below += counts[k])) / (width * height));
  }
  const picture = new Uint8ClampedArray(data.length);
  for (let k = 0; k < data.length; k += 4) {
    picture[k] = curves[data[k]];
    picture[k + 1] = curves[256 + data[k + 1]];
    picture[k + 2] = curves[512 + data[k + 2]];
    picture[k + 3] = data[k + 3];
  }
  return { picture, cube };
}
