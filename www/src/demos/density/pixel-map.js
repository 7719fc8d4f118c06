import { Tensor, histogramdd } from 'scatterwise';
import { crowded, shadesOf } from './paint.js';

/**
 * The map by one `histogramdd` a frame: JavaScript moves the points, the library finds their bins and counts them, and the counts come
 * back to be painted.
 * @typedef {{ count: number, time: number, view: { k: number, x: number, y: number },
 *   theme: string }} Frame `count` points at `time` in routes flown; scale and shift from the map to the grid
 */
export class PixelMap {
  #context;
  #image;
  #grid;
  #device;
  #places = new Float32Array(0);
  #sample; // the tensor of them
  #moved = { count: 0, time: NaN };
  #view;
  #counts;
  #shades;
  #most = 0;
  #fresh = false; // the scale is that of this view
  #theme;

  /** @param {HTMLCanvasElement} canvas @param {{ columns: number, rows: number }} grid */
  constructor(canvas, grid, device) {
    [this.#grid, this.#device] = [grid, device];
    [canvas.width, canvas.height] = [grid.columns, grid.rows];
    this.#context = canvas.getContext('2d');
    this.#image = this.#context.createImageData(grid.columns, grid.rows);
    this.#counts = new Float64Array(grid.columns * grid.rows);
  }

  /** The view has changed: the next frame takes its scale of colours anew. */
  rescale() {
    this.#fresh = false;
  }

  /** @param {import('./points.js').Points} points @param {Frame} frame @returns {Promise<number[]>} ms to move, to count, to paint */
  async draw(points, { count, time, view, theme }) {
    const times = [performance.now()];
    const fresh = this.#fresh;
    this.#fresh = true;
    this.#move(points, count, time);
    times.push(performance.now());
    this.#view = view;
    this.#sample ??= new Tensor(this.#places, { shape: [count, 2], device: this.#device });
    await this.#count(this.#sample, this.#counts);
    times.push(performance.now());
    if (!fresh) this.#most = crowded(this.#counts);
    if (!fresh || this.#theme !== theme) {
      this.#shades = shadesOf(this.#most, (this.#theme = theme));
    }
    this.#paint();
    times.push(performance.now());
    return times.slice(1).map((end, at) => end - times[at]);
  }

  /** Where the points are depends on the time, not on the view. */
  #move(points, count, time) {
    if (this.#moved.count === count && this.#moved.time === time) return;
    this.#moved = { count, time };
    points.take(count);
    if (this.#places.length !== 2 * count) this.#places = new Float32Array(2 * count);
    points.move(this.#places, time);
    this.#sample?.dispose();
    this.#sample = undefined;
  }

  /** Counts the points in the part of the map that is on the screen. */
  async #count(sample, out) {
    const { columns, rows } = this.#grid;
    const { k, x, y } = this.#view;
    const range = [[-y / k, (rows - y) / k], [-x / k, (columns - x) / k]];
    const { hist, edges } = histogramdd(sample, { bins: [rows, columns], range });
    try {
      return await hist.data({ out });
    } finally {
      for (const tensor of [hist, ...edges]) tensor.dispose();
    }
  }

  #paint() {
    const pixels = new Uint32Array(this.#image.data.buffer);
    const [counts, shades] = [this.#counts, this.#shades];
    const last = shades.length - 1;
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = shades[Math.min(counts[at], last)];
    this.#context.putImageData(this.#image, 0, 0);
  }

  /** How many points of the newest frame are outside. */
  read = async () => ({ outside: this.#moved.count - this.#counts.reduce((sum, count) => sum + count, 0), rescaled: false });

  /** The counts of the newest frame, and those of the same points on the CPU. */
  counts = async () => this.#counts.slice();
  async recount() {
    const sample = await this.#sample.to('cpu');
    try {
      return await this.#count(sample, new Float64Array(this.#counts.length));
    } finally {
      sample.dispose();
    }
  }

  dispose() {
    this.#sample?.dispose();
  }
}
