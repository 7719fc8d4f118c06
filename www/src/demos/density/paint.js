import { palette } from '../histogram/colormap.js';

/**
 * The colour of each count up to `most`, as RGBA words: none is clear, others run from pale to deep with the logarithm of
 * the count. Both ways to draw take their colours from here.
 */
export function shadesOf(most, theme) {
  const colours = new Uint32Array(palette(theme).buffer);
  const shades = new Uint32Array(most + 1);
  const deepest = colours.length - 1;
  for (let count = 1; count <= most; count += 1) shades[count] = colours[Math.round((deepest * Math.log1p(count)) / Math.log1p(most))];
  return shades;
}

/** A count that few places exceed, so that one crowded place does not wash out the rest. */
export function crowded(counts) {
  const sample = [];
  for (let at = 0; at < counts.length; at += 7) if (counts[at] > 0) sample.push(counts[at]);
  sample.sort((a, b) => a - b);
  return Math.max(4, sample[Math.floor(sample.length * 0.997)] ?? 0);
}
