// The library, off the main thread. One question at a time: client.js has a worker for each device, so the device stays the same.
import init from 'scatterwise';
import { runExamples } from '../../../tests/js/web/examples.js';
import { callLibrary, runCode, traceLibrary } from './calls.js';
import { race } from './race.js';
import { sums } from './sums.js';

let queue = Promise.resolve(); // ends when the newest question is answered

/** What answers each kind of question. */
const answers = {
  call: ({ model, device }) => callLibrary(model, device),
  value: ({ code }) => runCode(code),
  trace: ({ model }) => traceLibrary(model),
  race,
  sums,
  // The examples are found in Markdown, so the code becomes a block of it.
  // `pixels` is a name that the overview takes as given.
  block: ({ code }) => runExamples(`\`\`\`js\n${code}\n\`\`\``, { pixels: new Uint8Array([0, 255, 255]) }),
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
