import init, { backend, set_device } from 'scatterwise';
import { chosen, onChoice, ready } from '../shared/devices.js';

/** The demos run in the page itself, on one device; where both are chosen, on WebGPU, and compare with the CPU themselves. */
export async function useDevice() {
  const device = chosen() === 'cpu' ? 'cpu' : 'webgpu';
  await init({ device: 'cpu' });
  if (backend().device !== device) await set_device(device);
  return device;
}

/**
 * Starts a demo when it comes near the screen, and tells it of the device then and whenever another is chosen. Away from
 * the screen it rests.
 * @param {HTMLElement} element
 * @param {() => Promise<new () => { show(device: 'cpu' | 'webgpu'): void, rest?(): void, wake?(): void }>} load
 */
export function startNear(element, load) {
  let demo;
  let started = false;
  const show = () => useDevice().then((device) => demo.show(device));
  const observer = new IntersectionObserver(
    async ([{ isIntersecting }]) => {
      if (!isIntersecting) return demo?.rest?.();
      if (started) return demo?.wake?.();
      started = true;
      const [Demo] = await Promise.all([load(), ready]);
      demo = new Demo();
      onChoice(show);
      show();
    },
    { rootMargin: '25% 0px' },
  );
  observer.observe(element);
}
