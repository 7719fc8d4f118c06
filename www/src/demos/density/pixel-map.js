import { countPoints } from './counter.js';
import { crowded, shadesOf } from './paint.js';

/**
 * The map by way of JavaScript: it finds the bins, the device counts them, and the counts come back to be painted.
 * @typedef {{ count: number, time: number, view: { k: number, x: number, y: number },
 *   theme: string }} Frame the first `count` points at `time` in routes flown; scale and shift from the map to the grid
 */
export class PixelMap {
  #canvas;
  #grid;
  #device;
  #index = new Int32Array(0);
  #counts;
  #shades;
  #most = 0;
  #fresh = false; // the scale is that of this view
  #theme;

  /** @param {HTMLCanvasElement} canvas @param {{ columns: number, rows: number }} grid */
  constructor(canvas, grid, device) {
    [this.#canvas, this.#grid, this.#device] = [canvas, grid, device];
    [canvas.width, canvas.height] = [grid.columns, grid.rows];
    this.#counts = new Int32Array(grid.columns * grid.rows + 1);
  }

  /** The view has changed: the next frame takes its scale of colours anew. */
  rescale() {
    this.#fresh = false;
  }

  /** @param {import('./points.js').Points} points @param {Frame} frame @returns {Promise<number[]>} ms to bin, to count, to paint */
  async draw(points, { count, time, view, theme }) {
    const times = [performance.now()];
    const fresh = this.#fresh;
    this.#fresh = true;
    points.reach(count);
    if (this.#index.length !== count) this.#index = new Int32Array(count);
    points.bin(this.#index, count, time, this.#grid, view);
    times.push(performance.now());
    await countPoints(this.#index, this.#counts, this.#device);
    times.push(performance.now());
    if (!fresh) this.#most = crowded(this.#counts);
    if (!fresh || this.#theme !== theme) {
      this.#shades = shadesOf(this.#most, (this.#theme = theme));
    }
    this.#paint();
    times.push(performance.now());
    return times.slice(1).map((end, at) => end - times[at]);
  }

  #paint() {
    const { columns, rows } = this.#grid;
    const context = this.#canvas.getContext('2d');
    const image = context.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    const last = this.#shades.length - 1;
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = this.#shades[Math.min(this.#counts[at], last)];
    context.putImageData(image, 0, 0);
  }

  /** How many points of the newest frame are outside. */
  read = async () => ({ outside: this.#counts.at(-1), rescaled: false });

  /** The bins of the newest frame's points, and its counts. */
  index = async () => this.#index.slice();
  counts = async () => this.#counts.slice();
  dispose() {}
}
