import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The names of the data files that this build has read: their notices are on the site. @type {Set<string>} */
export const datasets = new Set();

/** The path of a data file of vega-datasets. The package exports code only, so its data is found from where the code is. @param {string} name */
export function datasetPath(name) {
  datasets.add(name);
  const library = createRequire(import.meta.url).resolve('vega-datasets'); // build/index.js
  return join(dirname(library), '../data', name);
}

/**
 * A Vite plugin that serves a file which is made at build time, and emits it into the build.
 * @param {{ file: string, type: string, make: () => Promise<string | Uint8Array> }} data `file` is its path in the site and `type` its
 *   media type; `make` makes the content, and is called once, when it is first needed
 */
export function dataFile({ file, type, make }) {
  let made;
  const content = () => (made ??= make());
  return {
    name: `scatterwise:${file}`,
    configureServer(server) {
      server.middlewares.use(`/${file}`, async (_request, response, next) => {
        try {
          response.setHeader('content-type', type);
          response.end(await content());
        } catch (error) {
          next(error);
        }
      });
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: file, source: await content() });
    },
  };
}
