import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A file of vega-datasets. The package exports code only; the data lies beside it. @param {string} name */
export function datasetPath(name) {
  const library = createRequire(import.meta.url).resolve('vega-datasets'); // build/index.js
  return join(dirname(library), '../data', name);
}

/**
 * A Vite plugin that serves a file which is made at build time, and emits it into the build.
 * @param {{ file: string, type: string, make: () => Promise<string | Uint8Array> }} data
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
