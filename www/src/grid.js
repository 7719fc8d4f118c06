import { h } from './dom.js';
import { coordinates, formatShape, formatValue } from './picture.js';

/** @typedef {import('./picture.js').Picture} Picture */

const MOST_CELLS = 400;

/**
 * Draws a tensor as tables: one for rank 0 to 2, one per slice of the leading dimensions above that.
 * With `before` (same shape), cells whose value differs from it are marked as written; `bad` marks one position.
 * @param {Picture} picture
 * @param {{ label: string, before?: Picture, bad?: number[] }} options
 */
export function drawTensor(picture, { label, before, bad }) {
  const { shape, dtype, values } = picture;
  const facts = [shape.length === 0 ? 'scalar' : formatShape(shape), dtype].filter(Boolean).join(' ');
  const caption = h('figcaption', {}, h('b', {}, label), h('span', {}, facts));
  const figure = h('figure', { class: 'tensor' }, caption);
  if (values.length > MOST_CELLS || values.length === 0) {
    figure.append(
      h('p', { class: 'quiet' }, values.length === 0 ? 'empty' : `${values.length} values, too many to draw`),
    );
    return figure;
  }
  const cell = (offset) =>
    drawCell({ offset, picture, before, bad: bad && String(coordinates(offset, shape)) === String(bad) });
  const columns = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  for (let start = 0; start < values.length; start += rows * columns) {
    const slice = coordinates(start, shape).slice(0, -2);
    const name = slice.length ? `${label}[${slice.join(', ')}]` : label;
    figure.append(
      h(
        'div',
        { class: 'slice' },
        slice.length > 0 && h('p', { class: 'quiet' }, `[${slice.join(', ')}, :, :]`),
        drawSlice({
          name,
          rows: shape.length > 1 ? rows : 0,
          columns,
          cell: (row, column) => cell(start + row * columns + column),
        }),
      ),
    );
  }
  return figure;
}

/** One table; `rows` is 0 for a vector, which has no row numbers. */
function drawSlice({ name, rows, columns, cell }) {
  const numbers = [...Array(columns).keys()];
  const head = h('tr', {}, rows > 0 && h('td', {}), ...numbers.map((column) => h('th', { scope: 'col' }, column)));
  const body = [...Array(rows || 1).keys()].map((row) =>
    h('tr', {}, rows > 0 && h('th', { scope: 'row' }, row), ...numbers.map((column) => cell(row, column))),
  );
  return h('table', { 'aria-label': name }, h('thead', {}, head), h('tbody', {}, ...body));
}

function drawCell({ offset, picture, before, bad }) {
  const text = formatValue(picture.values[offset], picture.dtype);
  const old = before && formatValue(before.values[offset], before.dtype);
  if (bad) return h('td', { class: 'bad' }, text, h('span', { class: 'hidden' }, ' (the offending entry)'));
  if (before && old !== text)
    return h('td', { class: 'written', title: `was ${old}` }, text, h('span', { class: 'hidden' }, ` (was ${old})`));
  return h('td', {}, text);
}
