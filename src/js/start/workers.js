// Workers of the Web, as `initThreads` takes them.

/** What `initThreads` needs of browsers, Deno and Bun. `make` makes a Worker. */
export const webThreads = (make) => ({
  newWorker: () => webWorker(make()),
  compile: async (url) => WebAssembly.compile(await (await fetch(url)).arrayBuffer()),
  processors: () => globalThis.navigator?.hardwareConcurrency ?? 1,
});

/** A worker as `{ begin, end }`. `begin` posts the message that starts it, and resolves when it is ready. */
function webWorker(worker) {
  // It may fail before `begin` is called.
  const failed = new Promise((_resolve, reject) => {
    worker.onerror = (event) => {
      event.preventDefault?.(); // the error is told by backend()
      reject(new Error(event.message || 'the script of a worker could not be loaded'));
    };
  });
  failed.catch(() => {});
  const answer = new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
  return {
    async begin(message) {
      worker.postMessage(message);
      const problem = await Promise.race([answer, failed]);
      if (problem !== null) throw new Error(problem);
    },
    end: () => worker.terminate(),
  };
}
