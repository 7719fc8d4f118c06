import { byId } from '../shared/dom.js';
import { assetAddress } from '../shared/address.js';
import { formatNumber, t } from '../shared/messages.js';
import { onTheme, theme } from '../shared/theme.js';

/**
 * Brings the map at the top of the home page to life. Until its first frame comes, and where no worker can draw, the figure shows a
 * picture of that frame. The points rest while the map is away from the screen, and for visitors who want no motion.
 */
export function startFlights() {
  const canvas = byId('flights').querySelector('canvas');
  if (!canvas.transferControlToOffscreen) return;
  const worker = new Worker(new URL('./flights.worker.js', import.meta.url), { type: 'module' });
  let isWanted = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  let isNear = true;
  const tell = (more = {}, moved = []) => worker.postMessage({ isMoving: isWanted && isNear, theme: theme(), ...more }, moved);

  const button = byId('flights-move');
  const name = () => (button.textContent = t(isWanted ? 'flights.pause' : 'flights.move'));
  button.addEventListener('click', () => {
    isWanted = !isWanted;
    name();
    tell();
  });
  new IntersectionObserver((entries) => {
    isNear = entries.at(-1).isIntersecting;
    tell();
  }).observe(canvas);
  onTheme(() => tell());
  worker.addEventListener('message', ({ data: { counting: ms } }) => {
    byId('flights').classList.add('live');
    button.hidden = false;
    name();
    if (ms !== null) byId('flights-took').textContent = t('flights.took', { ms: formatNumber(ms, { maximumSignificantDigits: 2 }) });
  });
  // Without the library or the data the picture stays.
  worker.addEventListener('error', () => worker.terminate());
  const offscreen = canvas.transferControlToOffscreen();
  tell({ canvas: offscreen, address: assetAddress('data/routes.json').href }, [offscreen]);
}
