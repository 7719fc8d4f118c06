// The library, off the main thread, on the device of the first question. One question at a time.
import init from 'scatterwise';
import { runExamples } from '../../../tests/web/examples.js';
import { callLibrary, traceLibrary } from './calls.js';
import { race } from './race.js';

let queue = Promise.resolve();

const answers = {
  call: ({ model, device }) => callLibrary(model, device),
  trace: ({ model }) => traceLibrary(model),
  race,
  block: ({ code }) => runExamples(`\`\`\`js\n${code}\n\`\`\``),
};

self.addEventListener('message', ({ data: { id, kind, ...question } }) => {
  queue = queue.then(async () => {
    try {
      await init({ device: question.device });
      self.postMessage({ id, value: await answers[kind](question) });
    } catch (error) {
      self.postMessage({ id, problem: error?.message ?? String(error) });
    }
  });
});
