import { h } from '../../shared/dom.js';
import { t } from '../../shared/messages.js';

/**
 * The picture as a table: the same flights in a coarse grid, y from high to low as in the picture.
 * @param {import('./bins.js').Grid} grid
 * @param {string} what what the cells hold, for the caption
 * @param {(bin: number) => string} text the text of the cell of a bin; bins are numbered row by row, from the lowest values on
 */
export function drawTable({ x, y, columns, rows }, what, text) {
  /** The heading of a row or column: from which value on its bins are. */
  const start = ({ low, high, format }, count, position) =>
    t('histogram.from', { value: format(low + (position * (high - low)) / count) });
  const across = [...Array(columns).keys()];
  const head = across.map((column) => h('th', { scope: 'col' }, start(x, columns, column)));
  const body = [...Array(rows).keys()]
    .reverse() // the highest values of y at the top
    .map((row) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, start(y, rows, row)),
        ...across.map((column) => h('td', {}, text(row * columns + column))),
      ),
    );
  return h(
    'table',
    {},
    h('caption', {}, t('histogram.caption', { what, x: x.label.toLowerCase(), y: y.label.toLowerCase() })),
    h('thead', {}, h('tr', {}, h('td', {}), ...head)),
    h('tbody', {}, ...body),
  );
}
