import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [ID, THREADS] = ['virtual:sandbox', 'virtual:sandbox-threads'];
const entry = fileURLToPath(new URL('../src/playground/worker.js', import.meta.url));

/**
 * A Vite plugin: `import source from 'virtual:sandbox'` gives the playground's worker, with the library in it, as one text. The
 * frame that runs it has an origin of its own and no network: it could load nothing by address. The binary is handed to it.
 * `virtual:sandbox-threads` has the same with `scatterwise/threads`, `{ source, worker, binaries }`: also the script of a thread, and the addresses of the
 * two binaries, by the names of their files. A package without threads has none of it.
 * @param {string} folder the package's
 */
export function sandboxedWorker(folder) {
  /** The worker's text with this file of the package; `base` is where the library believes that it lies. */
  async function bundled(context, file, base) {
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      alias: { scatterwise: `${folder}/${file}` },
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      define: { 'import.meta.url': JSON.stringify(base) },
      logLevel: 'error',
    });
    // esbuild names its inputs from the working directory.
    for (const file of Object.keys(metafile.inputs)) context.addWatchFile(fileURLToPath(new URL(file, `file://${process.cwd()}/`)));
    return outputFiles[0].text;
  }

  return {
    name: 'scatterwise-sandbox',
    resolveId: (id) => (id === ID || id === THREADS ? `\0${id}` : null),
    async load(id) {
      // The library looks for its binary from `base` only where none is handed to it.
      if (id === `\0${ID}`) return `export default ${JSON.stringify(await bundled(this, 'index.js', 'about:blank'))};`;
      if (id !== `\0${THREADS}`) return null;
      if (!existsSync(`${folder}/threads.js`)) return 'export default undefined;';
      const names = ['scatterwise_threads.wasm', 'scatterwise_kernels.wasm'];
      const imports = names.map((name, at) => `import url${at} from ${JSON.stringify(`${folder}/${name}?url`)};`);
      const source = await bundled(this, 'threads.js', 'https://sandbox.invalid/');
      const worker = await readFile(`${folder}/threads.worker.js`, 'utf8');
      const binaries = names.map((name, at) => `${JSON.stringify(name)}: url${at}`);
      return `${imports.join('\n')}\nexport default { source: ${JSON.stringify(source)}, worker: ${JSON.stringify(worker)}, binaries: { ${binaries.join(', ')} } };`;
    },
  };
}
