import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ID = 'virtual:sandbox';
const entry = fileURLToPath(new URL('../src/playground/worker.js', import.meta.url));

/**
 * A Vite plugin: `import source from 'virtual:sandbox'` gives the playground's worker, with the library in it, as one text. The
 * frame that runs it has an origin of its own and no network: it could load nothing by address. The binary is handed to it.
 * @param {string} library the package's index.js
 */
export function sandboxedWorker(library) {
  return {
    name: 'scatterwise-sandbox',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    async load(id) {
      if (id !== `\0${ID}`) return null;
      const { outputFiles, metafile } = await build({
        entryPoints: [entry],
        alias: { scatterwise: library },
        bundle: true,
        write: false,
        metafile: true,
        minify: true,
        format: 'iife',
        target: 'es2022',
        define: { 'import.meta.url': '"about:blank"' }, // the library looks for its binary from here only where none is handed to it
        logLevel: 'error',
      });
      // esbuild names its inputs from the working directory.
      for (const file of Object.keys(metafile.inputs)) this.addWatchFile(fileURLToPath(new URL(file, `file://${process.cwd()}/`)));
      return `export default ${JSON.stringify(outputFiles[0].text)};`;
    },
  };
}
