import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const adaptersFolder = here('../src/benchmark/peers/');
const benchFolder = here('../../benches/browser/');
/** The npm package whose version stands for each of the libraries, by the id that the library has on the page. */
const packages = {
  'tfjs-wasm': '@tensorflow/tfjs-core',
  'tfjs-cpu': '@tensorflow/tfjs-core',
  onnx: 'onnxruntime-web',
  jax: '@jax-js/jax',
};

/** The version of a library that is installed. `npm ci --prefix benches/browser` installs them, for the benchmark of this repository. */
const versionOf = (name) => JSON.parse(readFileSync(`${benchFolder}node_modules/${packages[name]}/package.json`, 'utf8')).version;
const areInstalled = () => Object.values(packages).every((name) => existsSync(`${benchFolder}node_modules/${name}/package.json`));

/**
 * A Vite plugin for the libraries that the benchmark page compares with on demand: `virtual:peers` is the list of them, empty
 * where they are not installed, and `data/peers.json` says of each its version and how many bytes a visitor loads.
 */
export function peers() {
  return {
    name: 'scatterwise-peers',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'virtual:peers') return areInstalled() ? `${adaptersFolder}index.js` : '\0peers';
      // What the adapters import is installed for the benchmark and not for the site: it is found as if a file there imported it.
      if (importer?.startsWith(adaptersFolder) && !/^[./]/.test(source)) return this.resolve(source, `${benchFolder}page/harness.js`, { skipSelf: true });
      return null;
    },
    load: (id) => (id === '\0peers' ? 'export const peers = {};' : null),
    configureServer(server) {
      // Without a build there are no sizes.
      server.middlewares.use('/data/peers.json', (_request, response) => response.end(JSON.stringify(factsOf(() => null))));
    },
    generateBundle(_options, bundle) {
      if (!areInstalled()) this.warn('built without the libraries to compare with: npm ci --prefix benches/browser installs them');
      const bytes = (name) => [...reach(bundle, [entryOf(bundle, name)])].reduce((sum, file) => sum + bytesOf(bundle[file]), 0);
      this.emitFile({ type: 'asset', fileName: 'data/peers.json', source: JSON.stringify(factsOf(bytes)) });
    },
  };
}

/** The content of `data/peers.json`, an object that is empty where the libraries are not installed. @param {(name: string) => number | null} bytes */
const factsOf = (bytes) =>
  Object.fromEntries(areInstalled() ? Object.keys(packages).map((name) => [name, { version: versionOf(name), bytes: bytes(name) }]) : []);

/** The names of the files of a build that only these libraries need, which no page loads unless its visitor asks for a library. @returns {Set<string>} */
export function onDemand(bundle) {
  const entries = Object.keys(packages).map((name) => entryOf(bundle, name)).filter(Boolean);
  const theirs = reach(bundle, entries, { isDynamicToo: true });
  const pageTexts = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.html')).map(({ source }) => String(source));
  const others = Object.keys(bundle).filter((file) => !theirs.has(file) || pageTexts.some((html) => html.includes(file)));
  // The benchmark page imports the entries on demand: files that only they reach are not needed.
  const needed = reach(bundle, others, { isDynamicToo: true, stop: new Set(entries) });
  return new Set([...theirs].filter((file) => !needed.has(file)));
}

/** The file of the adapter of a library; undefined where it is not in the build. */
const entryOf = (bundle, name) => Object.keys(bundle).find((file) => bundle[file].facadeModuleId === `${adaptersFolder}${name}.js`);
const bytesOf = (file) => Buffer.byteLength(file.code ?? file.source);

/**
 * The names of these files and of all that they load at once, directly or not: imports, style sheets and other assets. With
 * `isDynamicToo` also of what they load by `import()`. Files in `stop` are left out, with what only they load.
 * @returns {Set<string>}
 */
function reach(bundle, files, { isDynamicToo = false, stop = new Set() } = {}) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file) || stop.has(file) || !bundle[file]) return;
    found.add(file);
    const { imports = [], dynamicImports = [], viteMetadata } = bundle[file];
    const assets = [...(viteMetadata?.importedAssets ?? []), ...(viteMetadata?.importedCss ?? [])];
    for (const next of [...imports, ...assets, ...(isDynamicToo ? dynamicImports : [])]) visit(next);
  };
  files.forEach(visit);
  return found;
}
