/** Which device labs and examples run on: the visitor's choice, the same on every page. @typedef {'cpu' | 'webgpu' | 'both'} Choice */

/** @type {Choice[]} */
export const choices = ['cpu', 'webgpu', 'both'];

const listeners = new Set();
let obstacle = null; // why WebGPU cannot be chosen; null also while it is not known yet

/** Why WebGPU cannot be chosen here, as a key of the messages; null when it can. */
async function findObstacle() {
  if (!isSecureContext) return 'device.insecure';
  if (!navigator.gpu) return 'device.no-webgpu';
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  return adapter ? null : 'device.no-adapter';
}

/** What was chosen on an earlier visit; anything that the storage holds, or null. */
function remembered() {
  try {
    return localStorage.getItem('device');
  } catch {
    return null; // a browser that stores nothing for this page
  }
}

let choice = 'cpu';

/** Resolves to why there is no WebGPU, as a key of the messages, or null. An adapter is asked for, but no GPU device is started. */
export const ready = findObstacle().then((found) => {
  obstacle = found;
  const before = remembered();
  if (!obstacle && choices.includes(before)) choice = before;
  return obstacle;
});

/** The choice as it is now; 'cpu' until `ready` has resolved. @returns {Choice} */
export const chosen = () => choice;

/** The devices that a choice means. @param {Choice} which @returns {('cpu' | 'webgpu')[]} */
export const devicesOf = (which) => (which === 'both' ? ['cpu', 'webgpu'] : [which]);

/** Makes a choice, remembers it, and tells all listeners. @param {Choice} next */
export function choose(next) {
  choice = next;
  try {
    localStorage.setItem('device', next);
  } catch {
    // The choice lasts until the page closes.
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` after each choice. */
export const onChoice = (listener) => listeners.add(listener);
