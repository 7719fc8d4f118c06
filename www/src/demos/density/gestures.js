import { select } from 'd3-selection';
import { zoom, zoomIdentity, zoomTransform } from 'd3-zoom';
import { byId } from '../../shared/dom.js';

/**
 * Pan and zoom by pointer, wheel, keys and buttons.
 * @param {SVGElement} surface lies over the map, and has the map's units: so a drag follows the pointer at every width
 * @param {(transform: { k: number, x: number, y: number }) => void} onMove
 */
export function startGestures(surface, onMove) {
  const map = select(surface);
  const behaviour = zoom()
    .scaleExtent([0.5, 40])
    // The wheel scrolls the page until the map has been clicked.
    .filter((event) => !event.button && (event.type !== 'wheel' || event.ctrlKey || document.activeElement === surface))
    .on('zoom', ({ transform }) => onMove(transform));
  map.call(behaviour);
  const by = (x, y) => () => map.call(behaviour.translateBy, x / zoomTransform(surface).k, y / zoomTransform(surface).k);
  const scale = (factor) => () => map.call(behaviour.scaleBy, factor);
  const act = {
    ArrowLeft: by(40, 0),
    ArrowRight: by(-40, 0),
    ArrowUp: by(0, 40),
    ArrowDown: by(0, -40),
    '+': scale(1.5),
    '=': scale(1.5),
    '-': scale(1 / 1.5),
    0: () => map.call(behaviour.transform, zoomIdentity),
  };
  map.on('keydown', (event) => {
    if (!act[event.key] || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    act[event.key]();
  });
  for (const [id, key] of [['density-in', '+'], ['density-out', '-'], ['density-home', '0']]) {
    byId(id).addEventListener('click', () => act[key]());
  }
}
