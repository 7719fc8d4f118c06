/** Rows down and columns to the right. */
const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * The keys of a grid: arrows move the focus, Enter and F2 open a cell or edit it, as a digit does, and + and − push an index along its axis.
 * The cell hears of it by its own events: `start`, and `nudge` with 1 or −1 as `detail`.
 * @param {KeyboardEvent} event
 */
export function gridKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return; // those of the browser: zoom, back
  const cell = event.target.closest('td[data-offset]');
  if (!cell) return;
  const tell = (name, detail) => cell.dispatchEvent(new CustomEvent(name, { detail }));
  if (event.key in moves) {
    const [down, right] = moves[event.key];
    const row = cell.parentElement;
    const body = row.parentElement;
    // `rowIndex` also counts the row of headings, which is not in the body.
    const target = body.rows[row.rowIndex - 1 + down]?.cells[cell.cellIndex + right];
    if (target?.dataset.offset === undefined) return;
    event.preventDefault();
    target.focus();
  } else if (event.key === 'Enter' || event.key === 'F2') {
    event.preventDefault();
    tell('start');
  } else if (event.key === '+' || event.key === '-' || event.key === '=') {
    // '=' is the key of '+' without Shift, on many keyboards.
    event.preventDefault();
    tell('nudge', event.key === '-' ? -1 : 1);
  } else if (cell.dataset.use === 'edit' && /^[0-9]$/.test(event.key)) {
    tell('start');
  }
}
