import { byId } from '../../shared/dom.js';
import { charts } from './charts.js';

/**
 * The brush of a histogram: a visitor draws a range with the pointer, or sets both ends by the sliders below, which keys move.
 * @param {string} name of the histogram
 * @param {(bins: [number, number]) => void} onChange gets the first bin and the one behind the last
 * @param {(bin: number) => string} describe where a bin begins, for screen readers
 * @returns {(bins: [number, number]) => void} sets the brush, without a call of `onChange`
 */
export function startBrush(name, onChange, describe) {
  const { bins } = charts[name];
  const field = byId(`linked-${name}`);
  const range = field.querySelector('.brush-range');
  const [from, to] = ['from', 'to'].map((end) => byId(`linked-${name}-${end}`));
  for (const slider of [from, to]) slider.max = String(bins);

  const show = ([first, last]) => {
    [from.value, to.value] = [String(first), String(last)];
    for (const slider of [from, to]) slider.setAttribute('aria-valuetext', describe(slider.valueAsNumber));
    Object.assign(range.style, { left: `${(100 * first) / bins}%`, width: `${(100 * (last - first)) / bins}%` });
    range.hidden = first === 0 && last === bins;
  };
  const change = (selection) => {
    show(selection);
    onChange(selection);
  };
  // An end that passes the other one pushes it along: a brush has one bin at least.
  from.addEventListener('input', () => {
    const first = Math.min(from.valueAsNumber, bins - 1);
    change([first, Math.max(to.valueAsNumber, first + 1)]);
  });
  to.addEventListener('input', () => {
    const last = Math.max(to.valueAsNumber, 1);
    change([Math.min(from.valueAsNumber, last - 1), last]);
  });

  let start = null; // the bin in which a drag began
  const binAt = ({ clientX }) => {
    const { left, width } = field.getBoundingClientRect();
    return Math.min(bins - 1, Math.max(0, Math.floor(((clientX - left) / width) * bins)));
  };
  field.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    field.setPointerCapture(event.pointerId);
    start = binAt(event);
  });
  field.addEventListener('pointermove', (event) => {
    if (start === null) return;
    const bin = binAt(event);
    if (bin !== start) change([Math.min(start, bin), Math.max(start, bin) + 1]);
  });
  field.addEventListener('pointerup', (event) => {
    if (start !== null && binAt(event) === start) change([0, bins]); // a click takes the brush away
    start = null;
  });
  field.addEventListener('pointercancel', () => (start = null));
  show([0, bins]);
  return show;
}
