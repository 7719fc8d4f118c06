const SVG = 'http://www.w3.org/2000/svg';
/** The length of a head and the radius of a corner, in pixels. */
const [TIP, ROUND] = [8, 6];

/**
 * Draws, over the tensors of a lab, what the shown step does: from its source and from its index entry to the place
 * written. It shows what the player says in words, so it is hidden from screen readers. Where no step is shown, there are no arrows.
 * @param {Element} host the lab, drawn
 */
export function drawArrows(host) {
  const svg = host.querySelector('.arrows');
  if (!svg) return;
  svg.replaceChildren();
  const to = host.querySelector('[data-role="result"] td.now');
  if (!to) return;
  const box = svg.getBoundingClientRect();
  const sources = { index: '[data-role="index"] td.now', src: ':is([data-role="src"] td.now, [data-role="self"] td.read)' };
  for (const [role, selector] of Object.entries(sources)) {
    const from = host.querySelector(selector);
    if (from) svg.append(...arrow(role, route(role, placeOf(from, box), placeOf(to, box))));
  }
}

/** Where a cell is, and `table` where its table is, in pixels from the corner of `box`. */
function placeOf(cell, box) {
  const within = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left: left - box.left, top: top - box.top, right: right - box.left, bottom: bottom - box.top };
  };
  return { ...within(cell), table: within(cell.closest('table')) };
}

/**
 * The corners of a way from one cell to another that crosses no number: along the edges of cells, and between the tables. An index goes above
 * tables that are side by side and comes from the left, a source below them and from the right.
 * @param {'index' | 'src'} role
 */
function route(role, from, to) {
  const isBeside = from.table.top < to.table.bottom && to.table.top < from.table.bottom;
  const isUp = isBeside ? role === 'index' : from.table.top > to.table.top;
  const tables = isBeside ? [from.table, to.table] : [from.table];
  const lane = isUp ? Math.min(...tables.map(({ top }) => top)) - 3 : Math.max(...tables.map(({ bottom }) => bottom)) + 7;
  const [edge, inward] = role === 'index' ? [to.left, 1] : [to.right, -1];
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  return [
    [from.right, middle(from)],
    [from.right, lane],
    [edge, lane],
    [edge, middle(to)],
    [edge + inward * TIP, middle(to)],
  ];
}

/** A line through these corners, which are rounded, and a head at its end. */
function arrow(role, corners) {
  const [start, ...rest] = corners;
  const end = corners.at(-1);
  const parts = rest.slice(0, -1).map((corner, at) => `L${textOf(towards(corner, corners[at], ROUND))} Q${textOf(corner)} ${textOf(towards(corner, rest[at + 1], ROUND))}`);
  const line = svgElement('path', { class: `arrow-line ${role}`, d: `M${textOf(start)} ${parts.join(' ')} L${textOf(end)}`, pathLength: 1 });
  const head = svgElement('path', {
    class: `arrow-head ${role}`,
    d: `M-${TIP},-4.5 L0,0 L-${TIP},4.5 Z`,
    transform: `translate(${textOf(end)}) rotate(${end[0] < corners.at(-2)[0] ? 180 : 0})`,
  });
  return [line, head];
}

/** A point in the path of an SVG. */
const textOf = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

/** The point that is `by` pixels from one point in the direction of another, or half of the way if that is less. */
function towards(from, to, by) {
  const distance = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const part = Math.min(by / distance, 1 / 2);
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}

/** An element of an SVG. */
function svgElement(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
