import { html, nothing } from 'lit-html';
import { coordinates, formatShape, formatValue, offsetOf } from '../../shared/picture.js';
import { formatNumber, t } from '../../shared/messages.js';
import { markField } from './fields.js';
import { gridKeys } from './grid-keys.js';

/**
 * What a tensor is drawn from. `values` are in row-major order, null where there is none yet; `marks` says of an offset in them how its cell
 * looks. Without `actions` nothing can be done with a cell.
 * @typedef {{ role: string, label: string, shape: number[], dtype: string, values: ArrayLike<number | bigint | boolean>,
 *   marks: (offset: number) => Mark | null, view: View, actions?: Actions, extra?: unknown }} Grid
 * @typedef {{ classes: string[], notes: string[], badge?: string }} Mark how a cell looks, and the same in words
 * @typedef {{ axes: [number, number], at: number[] }} View above rank 3, the axes of the rows and the columns that are drawn, and the
 *   coordinates of the slice on all others
 * `edit` takes what was typed into a cell, and returns false where it is no value; `open` shows where a value comes from; `nudge` pushes an
 * index by some places, by key, and `drag` by pointer. `editing` is the offset of the cell that is a field now; `along` is where a drag pushes an index: right or down.
 * @typedef {{ edit?(offset: number, text: string): boolean, open?(offset: number): void, nudge?(offset: number, by: number): void, drag?(offset: number, by: number): void,
 *   editing: number | null, setEditing(offset: number | null): void, along?(offset: number): 'x' | 'y' }} Actions
 */

const MOST_CELLS = 600; // of all tables of a tensor: more are not drawn

/** The numbers from 0 to `count` − 1. */
const span = (count) => Array.from({ length: count }, (_, at) => at);

/** A tensor as tables with headings: one, or one for each slice of a third dimension. @param {Grid} grid */
export function gridView(grid) {
  const { label, shape, dtype, values, extra } = grid;
  const slices = values.length === 0 ? [] : slicesOf(grid);
  const facts = [shape.length === 0 ? t('grid.scalar') : formatShape(shape), dtype].filter(Boolean).join(' ');
  return html`<figure class="tensor" data-role=${grid.role}>
    <figcaption><b>${label}</b> <span>${facts}</span> ${extra ?? nothing}</figcaption>
    ${
      values.length === 0
        ? html`<p class="quiet">${t('grid.empty')}</p>`
        : cellsOf(slices) > MOST_CELLS
          ? html`<p class="quiet">${t('grid.large', { count: formatNumber(cellsOf(slices)) })}</p>`
          : slices.map((slice) => sliceView(grid, slice))
    }
  </figure>`;
}

/** How many cells the tables have together. */
const cellsOf = (slices) => slices.reduce((sum, { rows, columns }) => sum + (rows || 1) * columns, 0);

/**
 * The tables to draw: for rank 3 every slice of the first dimension, above that the one that `view` names. A scalar or a vector is one with
 * 0 `rows`, which is drawn as a single line without a heading. `offset` is the offset in the values of a cell.
 * @param {Grid} grid @returns {{ name: string, rows: number, columns: number, offset(row: number, column: number): number }[]}
 */
function slicesOf({ shape, view }) {
  const rank = shape.length;
  if (rank < 2) return [{ name: '', rows: 0, columns: shape[0] ?? 1, offset: (_row, column) => column }];
  if (rank === 2)
    return [{ name: '', rows: shape[0], columns: shape[1], offset: (row, column) => row * shape[1] + column }];
  const [rowAxis, columnAxis] = rank === 3 ? [1, 2] : view.axes;
  // On the axes that are drawn the coordinates of `at` do not count.
  const offsetIn = (at) => (row, column) => offsetOf(at.with(rowAxis, row).with(columnAxis, column), shape);
  const nameOf = (at) =>
    `[${at.map((each, axis) => (axis === rowAxis || axis === columnAxis ? ':' : each)).join(', ')}]`;
  const positions = // one in each slice
    rank === 3
      ? span(shape[0]).map((first) => [first, 0, 0])
      : [shape.map((size, axis) => Math.max(0, Math.min(view.at[axis] ?? 0, size - 1)))]; // the shape may have become smaller
  return positions.map((at) => ({
    name: nameOf(at),
    rows: shape[rowAxis],
    columns: shape[columnAxis],
    offset: offsetIn(at),
  }));
}

/** One table: a heading for each column and, but for a vector, for each row. */
function sliceView(grid, { name, rows, columns, offset }) {
  const head = span(columns).map((column) => html`<th scope="col">${column}</th>`);
  const line = (row) => html`<tr>
    ${rows > 0 ? html`<th scope="row">${row}</th>` : nothing}${span(columns).map((column) => cellView(grid, offset(row, column), row === 0 && column === 0))}
  </tr>`;
  return html`<div class="slice">
    ${name ? html`<p class="quiet">${name}</p>` : nothing}
    <table role="grid" aria-label=${`${grid.label}${name}`} @keydown=${gridKeys}>
      <thead><tr>${rows > 0 ? html`<td></td>` : nothing}${head}</tr></thead>
      <tbody>${span(rows || 1).map(line)}</tbody>
    </table>
  </div>`;
}

/**
 * One cell, or a field while it is edited. A click, or Enter, edits it, else opens it, else does nothing. The first cell of each table can be
 * reached by Tab; arrow keys lead to the others.
 */
function cellView(grid, offset, isFirst) {
  const { actions, values, dtype } = grid;
  const mark = grid.marks(offset);
  const text = values[offset] === null ? '·' : formatValue(values[offset], dtype); // a place that nothing was put in yet
  const classes = mark?.classes.join(' ') ?? '';
  if (actions?.editing === offset) return html`<td class=${`editing ${classes}`}>${inputView(grid, offset, text)}</td>`;
  const use = actions?.edit ? 'edit' : actions?.open ? 'open' : null;
  const start = () => (use === 'edit' ? actions.setEditing(offset) : actions?.open?.(offset));
  return html`<td
    class=${classes}
    data-offset=${offset}
    data-use=${use ?? nothing}
    data-badge=${mark?.badge ?? nothing}
    tabindex=${isFirst ? 0 : -1}
    aria-label=${nameOf(grid, offset, text, mark)}
    title=${mark?.notes.join(', ') || nothing}
    @click=${start}
    @start=${start}
    @nudge=${(event) => actions?.nudge?.(offset, event.detail)}
    @pointerdown=${actions?.drag ? (event) => drag(event, actions, offset) : nothing}
    >${text}</td
  >`;
}

/** A cell in words: which one it is, its value, and how it is marked: `index[0, 2]: 3, this step reads it`. */
function nameOf({ label, shape }, offset, text, mark) {
  const place = shape.length > 0 ? `[${coordinates(offset, shape).join(', ')}]` : '';
  return [`${label}${place}: ${text}`, ...(mark?.notes ?? [])].join(', ');
}

/** The field of a cell. Enter keeps its text, if that is a value; Escape does not; when the focus goes elsewhere it is kept if it is a value. */
function inputView({ actions, role, label }, offset, text) {
  /** Ends the editing and gives the focus back to the cell. A text that is no value stays in the field, which is marked. */
  const leave = (event, { isKept }) => {
    const cell = event.target.closest('td');
    const table = event.target.closest('table');
    if (isKept && !actions.edit(offset, event.target.value)) {
      markField(event.target, true);
      return;
    }
    event.target.dataset.left = 'true'; // removing the field fires blur; this mark keeps the blur handler from saving again
    actions.setEditing(null);
    (table.querySelector(`[data-offset="${offset}"]`) ?? cell).focus();
  };
  const keys = (event) => {
    event.stopPropagation(); // they are the field's, not the grid's
    if (event.key === 'Enter') leave(event, { isKept: true });
    else if (event.key === 'Escape') leave(event, { isKept: false });
  };
  return html`<input
    class="value"
    data-role=${role}
    aria-label=${t('grid.value', { label, offset })}
    .value=${text}
    inputmode="text"
    autocomplete="off"
    size=${Math.max(2, text.length)}
    @keydown=${keys}
    @blur=${(event) => {
      if ('left' in event.target.dataset) return;
      event.target.dataset.left = 'true';
      actions.edit(offset, event.target.value);
      actions.setEditing(null);
    }}
  />`;
}

/** Pushes an index along its axis while the pointer is dragged: by one place for each width of a cell, or height where the axis runs down. */
function drag(down, actions, offset) {
  if (down.button !== 0) return;
  const cell = down.currentTarget;
  const isDown = actions.along(offset) === 'y';
  const size = isDown ? cell.offsetHeight : cell.offsetWidth;
  const from = isDown ? down.clientY : down.clientX;
  let moved = 0;
  const move = (event) => {
    const by = Math.round(((isDown ? event.clientY : event.clientX) - from) / size);
    if (by === moved) return;
    moved = by;
    actions.drag(offset, by); // by all of the way: these `actions` start from the values that there were when the drag began
  };
  const stop = () => {
    cell.removeEventListener('pointermove', move);
    // A drag does not count as a click.
    if (moved !== 0)
      cell.addEventListener('click', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
  };
  cell.setPointerCapture(down.pointerId);
  cell.addEventListener('pointermove', move);
  cell.addEventListener('pointerup', stop, { once: true });
  cell.addEventListener('pointercancel', stop, { once: true });
}
