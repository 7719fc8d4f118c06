import { html } from 'lit-html';
import { palette } from '../demos/histogram/colormap.js';
import { gridView } from '../lab/views/grid.js';
import { formatNumber, t } from '../shared/messages.js';
import { coordinates, formatShape, formatValue } from '../shared/picture.js';
import { theme } from '../shared/theme.js';

/** Ways to look at a tensor. @typedef {'grid' | 'heat' | 'plot' | 'image' | 'text'} Look */

const [SMALL, MOST_CELLS, MOST_LINES] = [200, 600, 400];

/** The looks that a tensor can have, the best one first. @returns {Look[]} */
export function looksOf({ shape, values, dtype }) {
  const rank = shape.length;
  const isImage = rank === 3 && (shape[2] === 3 || shape[2] === 4) && shape[0] > 4 && shape[1] > 4;
  const looks = [
    isImage && 'image',
    values.length <= MOST_CELLS && 'grid',
    rank === 1 && values.length > 1 && dtype !== 'bool' && 'plot',
    rank >= 2 && values.length > 1 && 'heat',
    'text',
  ].filter(Boolean);
  const best = isImage ? 'image' : values.length <= SMALL ? 'grid' : rank === 1 ? 'plot' : 'heat';
  return [...new Set([looks.includes(best) ? best : looks[0], ...looks])];
}

/** @param {Look} look @param {import('./describe.js').Shown} tensor */
export function lookView(look, tensor) {
  return html`<div class="look">${looks[look](tensor)}</div>`;
}

const looks = {
  grid: cellsView,
  heat: canvasView(paintHeat),
  image: canvasView(paintImage),
  plot: plotView,
  text: textView,
};

function cellsView({ shape, dtype, values, name }) {
  const plain = dtype === 'bool' ? Array.from(values, Boolean) : values;
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

/** What a picture shows, in words. */
function summaryOf({ shape, dtype, values }) {
  const { low, high, mean } = rangeOf(values);
  const show = (value) => formatNumber(value, { maximumSignificantDigits: 4 });
  return `${formatShape(shape)} ${dtype} · ${t('playground.summary', { low: show(low), high: show(high), mean: show(mean) })}`;
}

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

/** The numbers that a scale can have. */
const finite = (values) => values.filter((value) => Number.isFinite(Number(value)));

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

/** The last two dimensions; of the others the first slice. Infinities have the colours of the ends, NaN that of the lowest. */
function paintHeat(canvas, { shape, values }) {
  const [rows, columns] = shape.slice(-2);
  // Of a long and narrow tensor the cells are no squares, so that its picture is no line.
  canvas.style.aspectRatio = String(Math.min(Math.max(columns / rows, 1 / 2), 8));
  canvas.style.objectFit = 'fill';
  const { low, high } = rangeOf(finite(values));
  const colours = palette(theme());
  paint(canvas, rows, columns, (at) => {
    const share = (Number(values[at]) - low) / (high - low || 1);
    const colour = Math.round(255 * Math.min(Math.max(share || 0, 0), 1)) * 4;
    return colours.subarray(colour, colour + 4);
  });
}

/** Whole numbers are 0 … 255, fractions 0 … 1. */
function paintImage(canvas, { shape: [rows, columns, channels], dtype, values }) {
  const scale = dtype.includes('float') && rangeOf(values).high <= 1 ? 255 : 1;
  const pixel = [0, 0, 0, 255];
  paint(canvas, rows, columns, (at) => {
    for (let channel = 0; channel < channels; channel += 1)
      pixel[channel] = Number(values[at * channels + channel]) * scale;
    return pixel;
  });
}

function paint(canvas, rows, columns, pixelAt) {
  Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns, rows);
  for (let at = 0; at < rows * columns; at += 1) image.data.set(pixelAt(at), at * 4);
  context.putImageData(image, 0, 0);
}

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
  const step = Math.max(1, Math.floor(values.length / WIDTH));
  let path = '';
  let command = 'M';
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
  const base = low < 0 && high > 0 ? y(0) : HEIGHT - EDGE;
  return html`<figure class="painted">
    <svg class="plot-line" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${summaryOf(tensor)}>
      <line x1="0" x2=${WIDTH} y1=${base} y2=${base} />
      <path d=${path} />
    </svg>
    <figcaption class="quiet">${summaryOf(tensor)}</figcaption>
  </figure>`;
}

function textView({ shape, dtype, values }) {
  const line = (value, at) =>
    `[${coordinates(at, shape).join(', ')}] ${formatValue(dtype === 'bool' ? Boolean(value) : value, dtype)}`;
  const lines = Array.from(values.slice(0, MOST_LINES), line);
  if (values.length > MOST_LINES) lines.push('…');
  return html`<p class="quiet">${formatShape(shape)} ${dtype}</p><pre class="values" tabindex="0">${lines.join('\n')}</pre>`;
}
