const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws, over the tensors of a lab, what the shown step does: from its source and from its index entry to the place
 * written. A picture of what the sentence of the player says, so it is hidden from readers of the page.
 * @param {Element} host
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

function middle(cell, box) {
  const { left, top, width, height } = cell.getBoundingClientRect();
  return { x: left - box.left + width / 2, y: top - box.top + height / 2, r: height / 2 };
}

function arrow(role, from, to) {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const lift = Math.min(70, distance / 3) * (role === 'index' ? -1 : 1) * (Math.abs(to.x - from.x) < 40 ? 0 : 1);
  const bend = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + lift };
  const start = towards(from, bend, from.r);
  const end = towards(to, bend, to.r + 4);
  const angle = (Math.atan2(end.y - bend.y, end.x - bend.x) * 180) / Math.PI;
  const line = shape('path', {
    class: `arrow-line ${role}`,
    d: `M${at(start)} Q${at(bend)} ${at(end)}`,
    pathLength: 1,
  });
  const head = shape('path', {
    class: `arrow-head ${role}`,
    d: 'M-8,-4.5 L0,0 L-8,4.5 Z',
    transform: `translate(${at(end)}) rotate(${angle.toFixed(1)})`,
  });
  return [line, head];
}

const at = ({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`;

function towards(from, to, by) {
  const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * by) / distance, y: from.y + ((to.y - from.y) * by) / distance };
}

function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
