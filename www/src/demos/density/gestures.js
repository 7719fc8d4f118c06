import { select } from 'd3-selection';
import { zoom, zoomIdentity, zoomTransform } from 'd3-zoom';
import { byId } from '../../shared/dom.js';

/**
 * Lets a visitor pan and zoom by pointer, wheel, keys and buttons.
 * @param {SVGElement} surface lies over the picture, and its view box has the picture's size: so a drag follows the pointer at every width
 * @param {(transform: { k: number, x: number, y: number }) => void} onMove gets the whole transform after each change: what was at a
 *   place of the picture is now at k · place + (x, y), in units of the view box
 */
export function startGestures(surface, onMove) {
  const map = select(surface);
  const behaviour = zoom()
    .scaleExtent([0.5, 40])
    // The wheel scrolls the page until the map has been clicked.
    .filter((event) => !event.button && (event.type !== 'wheel' || event.ctrlKey || document.activeElement === surface))
    .on('zoom', ({ transform }) => onMove(transform));
  map.call(behaviour);
  // D3 moves by units of before zooming, so these are divided by the zoom: a key always moves the picture as far.
  const pan = (x, y) => () => map.call(behaviour.translateBy, x / zoomTransform(surface).k, y / zoomTransform(surface).k);
  const zoomBy = (factor) => () => map.call(behaviour.scaleBy, factor);
  const actions = {
    ArrowLeft: pan(40, 0),
    ArrowRight: pan(-40, 0),
    ArrowUp: pan(0, 40),
    ArrowDown: pan(0, -40),
    '+': zoomBy(1.5),
    '=': zoomBy(1.5), // the key of '+' without Shift, on many keyboards
    '-': zoomBy(1 / 1.5),
    0: () => map.call(behaviour.transform, zoomIdentity),
  };
  map.on('keydown', (event) => {
    if (!actions[event.key] || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    actions[event.key]();
  });
  for (const [id, key] of [['density-in', '+'], ['density-out', '-'], ['density-home', '0']]) {
    byId(id).addEventListener('click', () => actions[key]());
  }
}
