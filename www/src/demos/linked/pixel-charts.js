import { palette } from '../histogram/colormap.js';
import { GRID, HEIGHT, charts, names } from './charts.js';

/** Places in the palette: bars that the brush leaves out, and those that it keeps. Both devices paint with them. */
export const BARS = [72, 176];

/** Paints the map and the histograms on canvases, from values that are read. */
export class PixelCharts {
  #contexts;

  /** @param {Record<string, HTMLCanvasElement>} canvases by the names of the histograms; `map` is the map's */
  constructor(canvases) {
    this.#contexts = Object.fromEntries(Object.entries(canvases).map(([name, canvas]) => [name, canvas.getContext('2d')]));
  }

  /**
   * @param {import('./flights.js').Look} look
   * @param {{ brushes: import('./charts.js').Brushes, column: string, theme: 'light' | 'dark' }} how
   */
  async draw({ means, counts }, { brushes, column, theme }) {
    const shades = new Uint32Array(palette(theme).buffer);
    this.#paintMap(await means.data(), charts[column].colours, shades);
    for (const name of names) this.#paintBars(name, await counts[name].data(), brushes[name], shades);
  }

  /** A pixel for each cell; one without flights shows the page. */
  #paintMap(means, [low, high], shades) {
    const image = new ImageData(GRID.columns, GRID.rows);
    const pixels = new Uint32Array(image.data.buffer);
    for (let at = 0; at < pixels.length; at += 1) {
      if (!Number.isNaN(means[at])) pixels[at] = shades[Math.round(255 * Math.min(1, Math.max(0, (means[at] - low) / (high - low))))];
    }
    this.#contexts.map.putImageData(image, 0, 0);
  }

  /** A bar for each bin; the largest count is as high as the canvas. */
  #paintBars(name, counts, [from, to], shades) {
    const image = new ImageData(counts.length, HEIGHT);
    const pixels = new Uint32Array(image.data.buffer);
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    counts.forEach((count, bin) => {
      const top = HEIGHT - Math.ceil((HEIGHT * count) / most);
      const shade = shades[BARS[bin >= from && bin < to ? 1 : 0]];
      for (let y = top; y < HEIGHT; y += 1) pixels[y * counts.length + bin] = shade;
    });
    this.#contexts[name].putImageData(image, 0, 0);
  }

  dispose() {}
}
