// Workers of the Web, as `initThreads` takes them.

/** What `initThreads` needs of browsers, Deno and Bun. `make` makes a Worker. */
export const webThreads = (make) => ({
  newWorker: () => webWorker(make()),
  compile: async (url) => WebAssembly.compile(await (await fetch(url)).arrayBuffer()),
  processors: () => globalThis.navigator?.hardwareConcurrency ?? 1,
});

/** A worker as `{ begin, end }`. `begin` posts the message that starts it, and resolves when it is ready. */
const webWorker = (worker) => ({
  begin: (message) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data === null ? resolve() : reject(new Error(data)));
      worker.onerror = (event) => reject(new Error(event.message || 'the script of a worker could not be loaded'));
      worker.postMessage(message);
    }),
  end: () => worker.terminate(),
});
