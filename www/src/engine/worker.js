// The library, off the main thread. One question at a time: the device is a setting of the whole library.
import init, * as scatterwise from 'scatterwise';
import { runExamples } from '../../../tests/web/examples.js';
import { callLibrary, traceLibrary } from './calls.js';

let queue = Promise.resolve();

async function use(device) {
  await init({ device: 'cpu' });
  return scatterwise.backend().device === device ? scatterwise.backend() : scatterwise.set_device(device);
}

const answers = {
  async call({ model, device }) {
    await use(device);
    return callLibrary(model, device);
  },
  async trace({ model }) {
    await use('cpu');
    return traceLibrary(model);
  },
  async block({ code, device }) {
    await use(device);
    return runExamples(`\`\`\`js\n${code}\n\`\`\``);
  },
  info: ({ device }) => use(device),
};

self.addEventListener('message', ({ data: { id, kind, ...question } }) => {
  queue = queue.then(async () => {
    try {
      self.postMessage({ id, value: await answers[kind](question) });
    } catch (error) {
      self.postMessage({ id, problem: error?.message ?? String(error) });
    }
  });
});
