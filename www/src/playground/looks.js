import { html } from 'lit-html';
import { palette } from '../demos/histogram/colormap.js';
import { gridView } from '../lab/views/grid.js';
import { formatNumber, t } from '../shared/messages.js';
import { coordinates, formatShape, formatValue } from '../shared/picture.js';
import { theme } from '../shared/theme.js';

/** Ways to look at a tensor. @typedef {'grid' | 'heat' | 'bars' | 'plot' | 'image' | 'text'} Look */

/** Up to how many values the grid comes first, for a vector too, there is a grid, there are bars, and text is written. */
const [SMALL, SHORT, MOST_CELLS, MOST_BARS, MOST_LINES] = [200, 16, 600, 320, 400];

/** The looks that a tensor can have, the best one first. @param {import('./describe.js').Shown} tensor @returns {Look[]} */
export function looksOf({ shape, values, dtype }) {
  const rank = shape.length;
  const isImage = rank === 3 && (shape[2] === 3 || shape[2] === 4) && shape[0] > 4 && shape[1] > 4; // too few pixels are no picture
  const isCount = rank === 1 && values.length > 1 && values.length <= MOST_BARS && /^u?int/.test(dtype) && values.every((value) => value >= 0);
  const looks = [
    isImage && 'image',
    values.length <= MOST_CELLS && 'grid',
    isCount && 'bars',
    rank === 1 && values.length > 1 && dtype !== 'bool' && 'plot',
    rank >= 2 && values.length > 1 && 'heat',
    'text',
  ].filter(Boolean);
  const isSmall = values.length <= (rank === 1 ? SHORT : SMALL); // a long row would be cut off
  const best = isImage ? 'image' : isSmall ? 'grid' : rank === 1 ? (isCount ? 'bars' : 'plot') : 'heat';
  return [...new Set([looks.includes(best) ? best : looks[0], ...looks])];
}

/** A tensor in one of its looks. @param {Look} look @param {import('./describe.js').Shown} tensor */
export function lookView(look, tensor) {
  return html`<div class="look">${looks[look](tensor)}</div>`;
}

/** What draws each look. */
const looks = {
  grid: cellsView,
  heat: canvasView(paintHeat),
  image: canvasView(paintImage),
  bars: barsView,
  plot: plotView,
  text: textView,
};

/** The numbers in tables: up to rank 3 all of them, above that the first slice. */
function cellsView({ shape, dtype, values, name }) {
  const plain = dtype === 'bool' ? Array.from(values, Boolean) : values; // they come as 0 and 1
  const view = { axes: [shape.length - 2, shape.length - 1], at: [] };
  return gridView({
    role: 'value',
    label: name || t('playground.tensor'),
    shape,
    dtype,
    values: plain,
    marks: () => null,
    view,
  });
}

/** What a picture shows, in words: shape, dtype, range and mean. */
function summaryOf({ shape, dtype, values }) {
  const { low, high, mean } = rangeOf(values);
  const show = (value) => formatNumber(value, { maximumSignificantDigits: 4 });
  return `${formatShape(shape)} ${dtype} · ${t('playground.summary', { low: show(low), high: show(high), mean: show(mean) })}`;
}

/** The smallest, the largest and the mean of some values. Of none they are Infinity, −Infinity and NaN. */
function rangeOf(values) {
  let [low, high, sum] = [Infinity, -Infinity, 0];
  for (const each of values) {
    const value = Number(each);
    sum += value;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high, mean: sum / values.length };
}

/** The values that a scale can have: without infinities and NaN. */
const finite = (values) => values.filter((value) => Number.isFinite(Number(value)));

/** A view of a tensor as a canvas with a summary. @param {(canvas: HTMLCanvasElement, tensor: object) => void} paint */
function canvasView(paint) {
  return (tensor) => {
    const summary = summaryOf(tensor);
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', summary);
    paint(canvas, tensor);
    return html`<figure class="painted">${canvas}<figcaption class="quiet">${summary}</figcaption></figure>`;
  };
}

/** The last two dimensions as colours; of the others the first slice. Infinities have the colours of the ends, NaN that of the lowest value. */
function paintHeat(canvas, { shape, values }) {
  const [rows, columns] = shape.slice(-2);
  // A cell is a square, but not in a very long or high tensor, whose picture would be a line.
  canvas.style.aspectRatio = String(Math.min(Math.max(columns / rows, 1 / 2), 8));
  canvas.style.objectFit = 'fill';
  const scaled = finite(values);
  const { low, high } = scaled.length > 0 ? rangeOf(scaled) : { low: 0, high: 0 };
  const colours = palette(theme());
  paintPixels(canvas, rows, columns, (at) => {
    const share = (Number(values[at]) - low) / (high - low || 1);
    const colour = Math.round(255 * Math.min(Math.max(share || 0, 0), 1)) * 4; // where it is in the palette, which has four bytes for each
    return colours.subarray(colour, colour + 4);
  });
}

/**
 * A picture of three or four channels. The values go from 0 to 255, but those of a bool tensor, and of a floating-point tensor without one
 * above 1, from 0 to 1.
 */
function paintImage(canvas, { shape: [rows, columns, channels], dtype, values }) {
  const scale = dtype === 'bool' || (dtype.includes('float') && rangeOf(values).high <= 1) ? 255 : 1;
  const pixel = [0, 0, 0, 255];
  paintPixels(canvas, rows, columns, (at) => {
    for (let channel = 0; channel < channels; channel += 1)
      pixel[channel] = Number(values[at * channels + channel]) * scale;
    return pixel;
  });
}

/**
 * Makes the canvas `columns` pixels wide and `rows` high, and paints all of them. `pixelAt(offset)` gives red, green, blue and opacity of the pixel
 * with that row-major number. They are rounded, and cut to 0 … 255. It may give the same array each time.
 */
function paintPixels(canvas, rows, columns, pixelAt) {
  Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns, rows);
  for (let at = 0; at < rows * columns; at += 1) image.data.set(pixelAt(at), at * 4);
  context.putImageData(image, 0, 0);
}

/** Of a plot, in units of its view box; EDGE is the margin on each side. */
const [WIDTH, HEIGHT, EDGE] = [640, 200, 6];

/**
 * A line through the values of a vector; of many values the smallest and largest of each column of the picture. It is broken where
 * all values of a column are infinite or NaN.
 */
function plotView(tensor) {
  const { values } = tensor;
  const { low, high } = rangeOf(finite(values));
  const x = (at) => EDGE + ((WIDTH - 2 * EDGE) * at) / Math.max(1, values.length - 1);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low || 1);
  const step = Math.max(1, Math.floor(values.length / WIDTH)); // values of a column
  let path = '';
  let command = 'M'; // after a gap: move there, do not draw a line
  for (let at = 0; at < values.length; at += step) {
    const part = finite(values.slice(at, at + step));
    const ends = rangeOf(part);
    // Both also where they are equal: a value between two gaps is then a dot.
    for (const value of part.length > 0 ? [ends.low, ends.high] : []) {
      path += `${command}${x(at).toFixed(1)},${y(value).toFixed(1)}`;
      command = 'L';
    }
    if (part.length === 0) command = 'M';
  }
  const base = low < 0 && high > 0 ? y(0) : HEIGHT - EDGE; // the axis: at 0, if 0 is in the picture
  return html`<figure class="painted">
    <svg class="plot-line" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${summaryOf(tensor)}>
      <line x1="0" x2=${WIDTH} y1=${base} y2=${base} />
      <path d=${path} />
    </svg>
    <figcaption class="quiet">${summaryOf(tensor)}</figcaption>
  </figure>`;
}

/** A bar for each count, from 0 on. */
function barsView(tensor) {
  const { values } = tensor;
  const most = rangeOf(values).high || 1;
  const width = (WIDTH - 2 * EDGE) / values.length;
  const base = HEIGHT - EDGE;
  const bar = (value, at) => {
    const [left, top] = [EDGE + at * width, base - ((HEIGHT - 2 * EDGE) * Number(value)) / most];
    return `M${left.toFixed(2)},${base}V${top.toFixed(1)}h${(width * 0.85).toFixed(2)}V${base}Z`;
  };
  return html`<figure class="painted">
    <svg class="plot-line bars" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${summaryOf(tensor)}>
      <path d=${Array.from(values, bar).join('')} />
      <line x1="0" x2=${WIDTH} y1=${base} y2=${base} />
    </svg>
    <figcaption class="quiet">${summaryOf(tensor)}</figcaption>
  </figure>`;
}

/** A line for each value, with its position. */
function textView({ shape, dtype, values }) {
  const line = (value, at) =>
    `[${coordinates(at, shape).join(', ')}] ${formatValue(dtype === 'bool' ? Boolean(value) : value, dtype)}`;
  const lines = Array.from(values.slice(0, MOST_LINES), line);
  if (values.length > MOST_LINES) lines.push('…');
  return html`<p class="quiet">${formatShape(shape)} ${dtype}</p><pre class="values" tabindex="0">${lines.join('\n')}</pre>`;
}
