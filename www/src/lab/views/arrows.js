const SVG = 'http://www.w3.org/2000/svg';

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
    if (from) svg.append(...arrow(role, middle(from, box), middle(to, box)));
  }
}

/** The middle of a cell in pixels from the corner of `box`, and half its height as `r`. */
function middle(cell, box) {
  const { left, top, width, height } = cell.getBoundingClientRect();
  return { x: left - box.left + width / 2, y: top - box.top + height / 2, r: height / 2 };
}

/**
 * A line and a head from the rim of one cell to that of another. It is bent, upwards from an index and downwards from a source, so that two
 * arrows to one cell are seen apart; below each other cells are joined by a straight one.
 * @param {'index' | 'src'} role @param {{ x: number, y: number, r: number }} from in pixels, as `to`
 */
function arrow(role, from, to) {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const isBelow = Math.abs(to.x - from.x) < 40; // about the width of a cell
  const lift = isBelow ? 0 : Math.min(70, distance / 3) * (role === 'index' ? -1 : 1);
  const bend = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + lift };
  const start = towards(from, bend, from.r);
  const end = towards(to, bend, to.r + 4); // a gap of 4 before the cell
  const angle = (Math.atan2(end.y - bend.y, end.x - bend.x) * 180) / Math.PI;
  const line = svgElement('path', {
    class: `arrow-line ${role}`,
    d: `M${at(start)} Q${at(bend)} ${at(end)}`,
    pathLength: 1,
  });
  const head = svgElement('path', {
    class: `arrow-head ${role}`,
    d: 'M-8,-4.5 L0,0 L-8,4.5 Z',
    transform: `translate(${at(end)}) rotate(${angle.toFixed(1)})`,
  });
  return [line, head];
}

/** A point in the path of an SVG. */
const at = ({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`;

/** The point that is `by` pixels from one point in the direction of another. */
function towards(from, to, by) {
  const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * by) / distance, y: from.y + ((to.y - from.y) * by) / distance };
}

/** An element of an SVG. */
function svgElement(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
