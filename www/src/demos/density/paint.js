import { palette } from '../histogram/colormap.js';

/** Turns counts into a picture: empty places are paper, others run from pale to deep with the logarithm of the count. */
export class Painter {
  #context;
  #image;
  #colours;
  #table = new Uint32Array(0);

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas, { columns, rows }) {
    canvas.width = columns;
    canvas.height = rows;
    this.#context = canvas.getContext('2d', { alpha: true });
    this.#image = this.#context.createImageData(columns, rows);
  }

  setTheme(theme) {
    this.#colours = new Uint32Array(palette(theme).buffer);
  }

  /** @param {Int32Array} counts the last is of what lies outside @param {number} most the count that is deepest */
  draw(counts, most) {
    const pixels = new Uint32Array(this.#image.data.buffer);
    const table = this.#shades(most);
    const last = table.length - 1;
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = table[Math.min(counts[at], last)];
    this.#context.putImageData(this.#image, 0, 0);
  }

  /** The colour of each count. */
  #shades(most) {
    if (this.#table.length !== most + 1) this.#table = new Uint32Array(most + 1);
    const deepest = this.#colours.length - 1;
    for (let count = 1; count <= most; count += 1) {
      this.#table[count] = this.#colours[Math.round((deepest * Math.log1p(count)) / Math.log1p(most))];
    }
    return this.#table;
  }
}

/** A count that few places exceed, so that one crowded place does not wash out the rest. */
export function crowded(counts) {
  const sample = [];
  for (let at = 0; at < counts.length - 1; at += 7) if (counts[at] > 0) sample.push(counts[at]);
  sample.sort((a, b) => a - b);
  return Math.max(4, sample[Math.floor(sample.length * 0.997)] ?? 0);
}
