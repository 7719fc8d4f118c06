import { h } from '../../shared/dom.js';
import { t } from '../../shared/messages.js';
import { palette } from './colormap.js';

/** @typedef {import('./bins.js').Grid} Grid */
/** @typedef {import('./scale.js').Scale} Scale */
/** @typedef {{ grid: Grid, values: ArrayLike<number>, scale: Scale }} Drawing `values` has one for each bin, row by row; a bin whose value is NaN stays empty */

const HINT = t('histogram.hint');

const percent = (fraction) => `${(100 * fraction).toFixed(3)}%`;

/** A heat map with axes, legend, and a cursor for pointer and arrow keys. */
export class Plot {
  #canvas = h('canvas', { role: 'img', 'aria-label': HINT });
  #cursor = h('div', { class: 'cursor', hidden: true });
  #zero = h('div', { class: 'zero', hidden: true });
  #field = h(
    'div',
    { class: 'field', tabindex: '0', role: 'group', 'aria-label': HINT },
    this.#canvas,
    this.#zero,
    this.#cursor,
  );
  #xTicks = h('div', { class: 'ticks x', 'aria-hidden': 'true' });
  #yTicks = h('div', { class: 'ticks y', 'aria-hidden': 'true' });
  #xLabel = h('p', { class: 'axis x' });
  #yLabel = h('p', { class: 'axis y' });
  #ramp = h('canvas', { 'aria-hidden': 'true', height: 1, width: 256 });
  #rampTicks = h('div', { class: 'ticks x', 'aria-hidden': 'true' });
  #legend = h('p', { class: 'axis' });
  #drawing = null; // the last drawing
  #place = null; // column and row of the cursor
  #describe;

  /** @param {(column: number, row: number) => void} describe called with the bin under the cursor */
  constructor(describe) {
    this.#describe = describe;
    this.#field.addEventListener('pointermove', (event) => this.#follow(event));
    this.#field.addEventListener('pointerdown', (event) => this.#follow(event));
    this.#field.addEventListener('pointerleave', () => (this.#cursor.hidden = true));
    this.#field.addEventListener('keydown', (event) => this.#step(event));
    this.element = h(
      'div',
      { class: 'plot' },
      this.#yLabel,
      this.#yTicks,
      this.#field,
      this.#xTicks,
      this.#xLabel,
      h('div', { class: 'legend' }, this.#legend, this.#ramp, this.#rampTicks),
    );
  }

  /**
   * Redraws, and removes the cursor.
   * @param {Drawing} drawing @param {string} summary the picture in one sentence @param {'light' | 'dark'} theme
   */
  draw(drawing, summary, theme) {
    const { grid, values, scale } = drawing;
    this.#drawing = drawing;
    this.#canvas.setAttribute('aria-label', summary);
    const colours = palette(theme);
    paintBins(this.#canvas, grid, values, scale, colours);
    paintRamp(this.#ramp, colours);
    this.#xLabel.textContent = `${grid.x.label} →`;
    this.#yLabel.textContent = `↑ ${grid.y.label}`;
    this.#legend.textContent = scale.title;
    /** The ticks of a variable, each at its part of the axis. */
    const ticksOf = ({ low, high, ticks, format }) =>
      ticks.map((tick) => ({ at: (tick - low) / (high - low), text: format(tick) }));
    placeTicks(this.#xTicks, ticksOf(grid.x), 'left');
    placeTicks(this.#yTicks, ticksOf(grid.y), 'bottom');
    placeTicks(this.#rampTicks, scale.ticks, 'left');
    this.#zero.hidden = grid.y.low >= 0; // a line at 0, where values lie on both sides of it
    this.#zero.style.bottom = percent(-grid.y.low / (grid.y.high - grid.y.low));
    this.#cursor.hidden = true;
    this.#place = null;
  }

  /** Moves the cursor to the bin under the pointer. */
  #follow(event) {
    if (!this.#drawing) return;
    const { columns, rows } = this.#drawing.grid;
    const box = this.#field.getBoundingClientRect();
    this.#moveTo(
      Math.floor(((event.clientX - box.left) / box.width) * columns),
      Math.floor(((box.bottom - event.clientY) / box.height) * rows),
    );
  }

  /** Moves the cursor by an arrow key. Where there was none since the drawing, it starts from the middle column, a third of the way up. */
  #step(event) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!move || !this.#drawing) return;
    event.preventDefault();
    const { columns, rows } = this.#drawing.grid;
    const [column, row] = this.#place ?? [Math.floor(columns / 2), Math.floor(rows / 3)];
    this.#moveTo(column + move[0], row + move[1]);
  }

  /** Moves the cursor to a bin, or to the nearest one in the grid, and has it described. */
  #moveTo(column, row) {
    const { columns, rows } = this.#drawing.grid;
    const clamp = (value, count) => Math.min(count - 1, Math.max(0, value));
    this.#place = [clamp(column, columns), clamp(row, rows)];
    const [x, y] = this.#place;
    Object.assign(this.#cursor.style, {
      left: percent(x / columns),
      bottom: percent(y / rows),
      width: percent(1 / columns),
      height: percent(1 / rows),
    });
    this.#cursor.hidden = false;
    this.#describe(x, y);
  }
}

/** One canvas pixel per bin; the style sheet stretches it without smoothing. Row 0 is at the bottom. */
function paintBins(canvas, { columns, rows }, values, { shade }, colours) {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns, rows);
  for (let bin = 0; bin < columns * rows; bin += 1) {
    if (Number.isNaN(values[bin])) continue; // an empty bin shows the page
    const colour = Math.round(shade(values[bin]) * 255) * 4; // where it is in `colours`, which has four bytes for each
    const pixel = (rows - 1 - Math.floor(bin / columns)) * columns + (bin % columns);
    image.data.set(colours.subarray(colour, colour + 4), pixel * 4);
  }
  context.putImageData(image, 0, 0);
}

/** The legend: all colours from left to right, a pixel each. */
function paintRamp(canvas, colours) {
  canvas.getContext('2d').putImageData(new ImageData(colours, 256, 1), 0, 0);
}

/** Puts ticks along an axis, each `at` from 0 to 1 of its length from `side`, which is 'left' or 'bottom'. */
function placeTicks(axis, ticks, side) {
  axis.replaceChildren(...ticks.map(({ at, text }) => h('span', { style: `${side}: ${percent(at)}` }, text)));
}
