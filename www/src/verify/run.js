/** How long a call may still take after Stop, in ms: a GPU cannot be interrupted, and some compile for seconds. */
const PATIENCE = 15_000;

/** The worker, from the first press of the button on, unless it failed. @type {Worker | undefined} */
let worker;
let giveUp = () => {};

/**
 * Does a part of the work; null where it had to be broken off.
 * @param {'verify' | 'times'} part
 * @param {(progress: { done: number, of: number, times?: object }) => void} onProgress
 */
export function run(part, onProgress) {
  worker ??= new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    const forget = () => {
      worker?.terminate();
      worker = undefined;
      giveUp = () => {};
    };
    giveUp = () => {
      forget();
      resolve(null);
    };
    worker.onerror = ({ message }) => {
      forget();
      reject(new Error(message || 'the worker could not be started')); // a file that is missing has no message
    };
    worker.onmessage = ({ data: { progress, result, failure } }) => {
      if (progress) return onProgress(progress);
      giveUp = () => {};
      if (result) resolve(result);
      else reject(new Error(failure));
    };
    worker.postMessage({ part });
  });
}

/** Has the work end after the call that is under way; breaks it off where that takes long. */
export function stop() {
  worker?.postMessage({ part: 'stop' });
  const mine = giveUp;
  setTimeout(() => mine === giveUp && mine(), PATIENCE);
}
