import { chosen, onChoice, ready } from '../shared/devices.js';
import { t } from '../shared/messages.js';

let last = Promise.resolve();

/**
 * Runs a task when all that were given before have ended, and resolves to its result. The demos share a device, and no task is to be
 * part of the time that another one measures.
 */
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
    const { init, backend, set_device } = await import('scatterwise'); // not with the page: it is most of its weight
    await init({ device: 'cpu' }); // starts the library, if it does not run yet, without looking for a GPU
    if (backend().device !== device) await set_device(device);
    return device;
  });

/**
 * Loads a demo when its element first comes near the screen, and shows it on the chosen device. Away from the screen the demo rests; if
 * another device is chosen meanwhile, it is shown on that one when it is near again. What fails is said in the element's `.status`, or
 * where there is none in its live region.
 * @param {HTMLElement} element
 * @param {() => Promise<new () => { show(device: 'cpu' | 'webgpu'): unknown, rest?(): void, wake?(): void }>} load
 */
export function startNear(element, load) {
  let demo; // undefined until it is loaded
  let near = false; // the element is near the screen
  let started = false; // loading has begun
  let current = false; // the demo is shown on the chosen device, or is about to be

  const say = (error) => {
    const line = element.querySelector('.status') ?? element.querySelector('[aria-live]');
    line.textContent = t('demo.stopped', { why: error.message });
  };
  /** Shows the demo, if it is loaded and near, on the chosen device. */
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
  /** The element came near: loads the demo, or wakes it. */
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
    if (!near) demo.rest?.(); // it went away while it was loaded
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
