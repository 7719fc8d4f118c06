// Workers of Node, as `initThreads` takes them.

import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A promise of the bytes of a file; undefined for any other URL, which fetch() reads. */
const read = (url) => (url.protocol === 'file:' ? readFile(url) : undefined);

/** What `initThreads` needs of Node. `script` is the URL of the workers' script. Flags of the program, such as --input-type, are not for it. */
export const nodeThreads = (script) => ({
  read,
  newWorker: () => nodeWorker(new Worker(script, { execArgv: [] })),
  compile: async (url) => WebAssembly.compile(await (read(url) ?? (await fetch(url)).arrayBuffer())),
  processors: availableParallelism,
});

/** A worker as `{ begin, end }`: see workers.js. The program may end while the worker waits. */
function nodeWorker(worker) {
  worker.unref();
  return {
    begin: (message) =>
      new Promise((resolve, reject) => {
        worker.ref(); // until it answers
        worker.once('message', (answer) => (worker.unref(), answer === null ? resolve() : reject(new Error(answer))));
        worker.once('error', reject);
        worker.postMessage(message);
      }),
    end: () => worker.terminate(),
  };
}
