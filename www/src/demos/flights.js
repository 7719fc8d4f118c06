import init, * as scatterwise from 'scatterwise';
import { chosen, onChoice, ready } from '../shared/devices.js';
import { HistogramPanel } from './histogram/panel.js';

/** The demos run in the page itself, on one device; where both are chosen, on WebGPU, and compare with the CPU themselves. */
async function useDevice() {
  const device = chosen() === 'cpu' ? 'cpu' : 'webgpu';
  await init({ device: 'cpu' });
  if (scatterwise.backend().device !== device) await scatterwise.set_device(device);
  return device;
}

/** Starts the flights when they come near the screen. @param {HTMLElement} element */
export function startFlights(element) {
  const observer = new IntersectionObserver(async ([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    observer.disconnect();
    await ready;
    const panel = new HistogramPanel();
    const show = () => useDevice().then((device) => panel.show(device));
    onChoice(show);
    show();
  });
  observer.observe(element);
}
