import { palette } from '../histogram/colormap.js';

/**
 * The colour of each count from 0 to `most`, as words of red, green, blue and alpha: 0 is transparent, and the others take the colours
 * of the palette in order, by the logarithm of the count. Both maps take their colours from here.
 * @param {number} most @param {'light' | 'dark'} theme @returns {Uint32Array} `most` + 1 colours
 */
export function shadesOf(most, theme) {
  const colours = new Uint32Array(palette(theme).buffer);
  const shades = new Uint32Array(most + 1);
  const deepest = colours.length - 1;
  for (let count = 1; count <= most; count += 1) shades[count] = colours[Math.round((deepest * Math.log1p(count)) / Math.log1p(most))];
  return shades;
}

/**
 * The count for the deepest colour: one that 3 of 1,000 bins with points exceed, so that one crowded bin does not make all others pale.
 * It is found in a sample, every seventh bin, and is 4 at least.
 * @param {ArrayLike<number>} counts of the bins
 */
export function deepestCount(counts) {
  const sample = [];
  for (let at = 0; at < counts.length; at += 7) if (counts[at] > 0) sample.push(counts[at]);
  sample.sort((a, b) => a - b);
  return Math.max(4, sample[Math.floor(sample.length * 0.997)] ?? 0);
}
