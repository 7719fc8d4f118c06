import init, { backend, set_device } from 'scatterwise';
import { chosen, onChoice, ready } from '../shared/devices.js';
import { t } from '../shared/messages.js';

let last = Promise.resolve();

/** One task after the other: the demos share a device, and the time that one shows is not to be another's. */
export function inTurn(task) {
  const mine = last.then(task);
  last = mine.catch(() => {});
  return mine;
}

/**
 * The demos run in the page itself, on one device; where both are chosen, on WebGPU, and compare with the CPU themselves.
 * The newest choice has the last word.
 * @returns {Promise<'cpu' | 'webgpu'>} the device that is set
 */
export const useDevice = () =>
  inTurn(async () => {
    const device = chosen() === 'cpu' ? 'cpu' : 'webgpu';
    await init({ device: 'cpu' });
    if (backend().device !== device) await set_device(device);
    return device;
  });

/**
 * Loads a demo when its element first comes near the screen, and shows it on the chosen device. `element` holds one of role status, or a
 * live region, which says what fails. Away from the screen it rests. A
 * device that is chosen meanwhile is set, and the demo shown on it, when the element is near again.
 * @param {HTMLElement} element
 * @param {() => Promise<new () => { show(device: 'cpu' | 'webgpu'): unknown, rest?(): void, wake?(): void }>} load
 */
export function startNear(element, load) {
  let demo;
  let near = false;
  let started = false;
  let current = false; // the demo knows of the device

  const say = (error) => {
    const line = element.querySelector('.status') ?? element.querySelector('[aria-live]');
    line.textContent = t('demo.stopped', { why: error.message });
  };
  const show = async () => {
    if (!demo || !near || current) return;
    current = true;
    try {
      await demo.show(await useDevice());
    } catch (error) {
      current = false; // tried again when it is near the next time
      throw error;
    }
  };
  const come = async () => {
    if (started) return demo?.wake?.();
    started = true;
    try {
      // `ready`: it is known which devices there are, and which one was chosen on an earlier visit.
      const [Demo] = await Promise.all([load(), ready]);
      demo = new Demo();
    } catch (error) {
      started = false; // tried again when it is near the next time
      throw error;
    }
    if (!near) demo.rest?.();
  };
  onChoice(() => {
    current = false;
    show().catch(say);
  });
  new IntersectionObserver(
    (entries) => {
      near = entries.at(-1).isIntersecting;
      if (near) come().then(show).catch(say);
      else demo?.rest?.();
    },
    { rootMargin: '25% 0px' },
  ).observe(element);
}
