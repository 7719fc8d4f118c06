// The work of the page, in a thread of its own: the page stays alive whatever a GPU does, and the library is loaded when it is needed.

import { init } from 'scatterwise';
import { verify } from 'scatterwise/verify';
import { timeWays } from './times.js';

/** Most of this is spent on compiling shaders, on a slow machine. */
const SECONDS = 12;

const parts = {
  async verify(on_progress) {
    await init({ device: 'cpu' }); // verify() starts the GPU beside it
    return verify({ seconds: SECONDS, on_progress });
  },
  times: timeWays,
};

let stopped = false;

self.onmessage = async ({ data: { part } }) => {
  stopped = part === 'stop';
  if (stopped) return;
  const progress = (done, of, times) => {
    self.postMessage({ progress: { done, of, times } });
    return !stopped;
  };
  try {
    self.postMessage({ result: await parts[part](progress) });
  } catch (error) {
    self.postMessage({ failure: error.message });
  }
};
