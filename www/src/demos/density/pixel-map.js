import { Tensor, histogramdd } from 'scatterwise';
import { deepestCount, shadesOf } from './paint.js';

/**
 * The map by one `histogramdd` a frame: JavaScript moves the points, the library finds their bins and counts them, and the counts come
 * back to be painted.
 * @typedef {{ count: number, time: number, view: { k: number, x: number, y: number },
 *   theme: string }} Frame `count` points at `time`, in routes flown; `view` leads from the map to the grid, as k · place + (x, y)
 */
export class PixelMap {
  #context;
  #image;
  #grid;
  #device;
  #places = new Float32Array(0); // y and x of each point on the map
  #sample; // the tensor of them; none after they have moved
  #moved = { count: 0, time: NaN }; // what `#places` are of
  #view; // of the newest frame
  #counts; // of the newest frame, row by row
  #shades; // the colour of each count
  #most = 0; // the count with the deepest colour
  #isScaleCurrent = false; // `#most` is that of this view
  #theme; // of `#shades`

  /** @param {HTMLCanvasElement} canvas @param {{ columns: number, rows: number }} grid */
  constructor(canvas, grid, device) {
    [this.#grid, this.#device] = [grid, device];
    [canvas.width, canvas.height] = [grid.columns, grid.rows];
    this.#context = canvas.getContext('2d');
    this.#image = this.#context.createImageData(grid.columns, grid.rows);
    this.#counts = new Float64Array(grid.columns * grid.rows);
  }

  /** The view has changed: the next frame computes its scale of colours again. */
  rescale() {
    this.#isScaleCurrent = false;
  }

  /**
   * Draws a frame.
   * @param {import('./points.js').Points} points @param {Frame} frame
   * @returns {Promise<number[]>} three numbers: ms to move the points, to count them, to paint the counts
   */
  async draw(points, { count, time, view, theme }) {
    const times = [performance.now()];
    const isScaleCurrent = this.#isScaleCurrent;
    this.#isScaleCurrent = true; // before anything is awaited: the view may change meanwhile
    this.#move(points, count, time);
    times.push(performance.now());
    this.#view = view;
    this.#sample ??= new Tensor(this.#places, { shape: [count, 2], device: this.#device });
    await this.#count(this.#sample, this.#counts);
    times.push(performance.now());
    if (!isScaleCurrent) this.#most = deepestCount(this.#counts);
    if (!isScaleCurrent || this.#theme !== theme) {
      this.#shades = shadesOf(this.#most, (this.#theme = theme));
    }
    this.#paint();
    times.push(performance.now());
    return times.slice(1).map((end, at) => end - times[at]);
  }

  /** Moves the points to where they are at this time. They are there already if only the view has changed. */
  #move(points, count, time) {
    if (this.#moved.count === count && this.#moved.time === time) return;
    this.#moved = { count, time };
    points.take(count);
    if (this.#places.length !== 2 * count) this.#places = new Float32Array(2 * count);
    points.move(this.#places, time);
    this.#sample?.dispose();
    this.#sample = undefined;
  }

  /** Counts the points in the part of the map that is on the screen, into `out`, row by row. */
  async #count(sample, out) {
    const { columns, rows } = this.#grid;
    const { k, x, y } = this.#view;
    // The edges of the grid on the map, for y and for x.
    const range = [[-y / k, (rows - y) / k], [-x / k, (columns - x) / k]];
    const { hist, edges } = histogramdd(sample, { bins: [rows, columns], range });
    try {
      return await hist.data({ out });
    } finally {
      for (const tensor of [hist, ...edges]) tensor.dispose();
    }
  }

  /** A pixel for each bin. */
  #paint() {
    const pixels = new Uint32Array(this.#image.data.buffer);
    const [counts, shades] = [this.#counts, this.#shades];
    const last = shades.length - 1;
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = shades[Math.min(counts[at], last)];
    this.#context.putImageData(this.#image, 0, 0);
  }

  /** How many points of the newest frame are outside of the map. The scale of colours stays: here `draw` finds it. */
  read = async () => ({ outside: this.#moved.count - this.#counts.reduce((sum, count) => sum + count, 0), rescaled: false });

  /** The counts of the newest frame. */
  counts = async () => this.#counts.slice();

  /** The counts of the same points, in the same view, made on the CPU. */
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
