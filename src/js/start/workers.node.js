// Workers of Node, as `initThreads` takes them.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { read } from './read.node.js';

/** What `initThreads` needs of Node. `script` is the URL of the workers' script. Flags of the program, such as --input-type, are not for it. */
export const nodeThreads = (script) => ({
  read,
  newWorker: () => nodeWorker(new Worker(script, { execArgv: [] })),
  compile: async (url) => WebAssembly.compile(await (read(url) ?? (await fetch(url)).arrayBuffer())),
  processors: availableParallelism,
});

/** A worker as `{ begin, end }`: see workers.js. The program may end while the worker waits. */
function nodeWorker(worker) {
  // `on`, not `once`: an error that nobody listens to ends the program.
  const failed = new Promise((_resolve, reject) => worker.on('error', reject));
  failed.catch(() => {});
  const answer = new Promise((resolve) => worker.once('message', resolve));
  worker.unref();
  return {
    async begin(message) {
      worker.ref(); // until it answers
      worker.postMessage(message);
      try {
        const problem = await Promise.race([answer, failed]);
        if (problem !== null) throw new Error(problem);
      } finally {
        worker.unref();
      }
    },
    end: () => worker.terminate(),
  };
}
