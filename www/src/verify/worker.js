// The work of the page, in a thread of its own: the page can always answer its visitor, whatever a GPU does, and the library is loaded when it is
// needed.

import { init } from 'scatterwise';
import { verify } from 'scatterwise/verify';

/** The function of each part. It gets a function that takes progress, and returns false once the work has to end. */
const parts = {
  async verify(on_progress, seconds) {
    await init({ device: 'cpu' }); // verify() starts the GPU beside it
    return verify({ seconds, on_progress });
  },
  async times(on_progress) {
    const { timeWays } = await import('./times.js'); // a build of the library of its own
    return timeWays(on_progress);
  },
};

let stopped = false;

/** Does a part, or with 'stop' has the one that is under way end. */
self.onmessage = async ({ data: { part, seconds } }) => {
  stopped = part === 'stop';
  if (stopped) return;
  const progress = (done, of, times) => {
    self.postMessage({ progress: { done, of, times } });
    return !stopped;
  };
  try {
    self.postMessage({ result: await parts[part](progress, seconds) });
  } catch (error) {
    self.postMessage({ failure: error.message });
  }
};
