/** How long a call may still take after Stop, in ms: a GPU cannot be interrupted, and some compile for seconds. */
const PATIENCE = 15_000;

/** The worker, from the first press of the button until it fails or is stopped. @type {Worker | undefined} */
let worker;
/** Stops the running part, if there is one. */
let giveUp = () => {};

/**
 * Has the worker do a part of the work, one at a time. Resolves to its result, or to null if it had to be stopped.
 * @param {{ part: 'verify' | 'times', seconds?: number }} work
 * @param {(progress: { done: number, of: number, times?: object }) => void} onProgress hears how many calls or sizes are done, and of times the
 *   ones that there are so far
 */
export function run(work, onProgress) {
  worker ??= new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    /** The next part gets another worker. */
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
    worker.postMessage(work);
  });
}

/** Has the work end after the call that is under way; breaks it off where that takes long. */
export function stop() {
  worker?.postMessage({ part: 'stop' });
  const mine = giveUp; // another one once the part has ended
  setTimeout(() => mine === giveUp && mine(), PATIENCE);
}
