import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const own = here('../src/benchmark/peers/');
const bench = here('../../benches/browser/');
const packages = {
  'tfjs-wasm': '@tensorflow/tfjs-core',
  'tfjs-cpu': '@tensorflow/tfjs-core',
  onnx: 'onnxruntime-web',
  jax: '@jax-js/jax',
};

/** Those that the benchmark of this repository compares with, at its versions: installed by `npm ci --prefix benches/browser`. */
const versionOf = (name) => JSON.parse(readFileSync(`${bench}node_modules/${packages[name]}/package.json`, 'utf8')).version;
const installed = () => Object.values(packages).every((name) => existsSync(`${bench}node_modules/${name}/package.json`));

/**
 * A Vite plugin for the libraries that the benchmark page compares with on demand: `virtual:peers` is the list of them, empty
 * where they are not installed, and `data/peers.json` says of each its version and how many bytes a visitor loads.
 */
export function peers() {
  return {
    name: 'scatterwise-peers',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'virtual:peers') return installed() ? `${own}index.js` : '\0peers';
      // Their packages belong to the benchmark, not to the site.
      if (importer?.startsWith(own) && !/^[./]/.test(source)) return this.resolve(source, `${bench}page/harness.js`, { skipSelf: true });
      return null;
    },
    load: (id) => (id === '\0peers' ? 'export const peers = {};' : null),
    configureServer(server) {
      server.middlewares.use('/data/peers.json', (_request, response) => response.end(JSON.stringify(facts(() => null))));
    },
    generateBundle(_options, bundle) {
      if (!installed()) this.warn('built without the libraries to compare with: npm ci --prefix benches/browser installs them');
      const bytes = (name) => [...reach(bundle, [entryOf(bundle, name)], false)].reduce((sum, file) => sum + sizeOf(bundle[file]), 0);
      this.emitFile({ type: 'asset', fileName: 'data/peers.json', source: JSON.stringify(facts(bytes)) });
    },
  };
}

const facts = (bytes) =>
  Object.fromEntries(installed() ? Object.keys(packages).map((name) => [name, { version: versionOf(name), bytes: bytes(name) }]) : []);

/** The files of a build that only these libraries need: they are loaded only when a visitor asks for a library. */
export function onDemand(bundle) {
  const entries = Object.keys(packages).map((name) => entryOf(bundle, name)).filter(Boolean);
  const theirs = reach(bundle, entries, true);
  const pages = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.html')).map(({ source }) => String(source));
  const others = Object.keys(bundle).filter((file) => !theirs.has(file) || pages.some((page) => page.includes(file)));
  const needed = reach(bundle, others, true, new Set(entries));
  return new Set([...theirs].filter((file) => !needed.has(file)));
}

const entryOf = (bundle, name) => Object.keys(bundle).find((file) => bundle[file].facadeModuleId === `${own}${name}.js`);
const sizeOf = (file) => Buffer.byteLength(file.code ?? file.source);

/** The files that these load: with what they import when they run, if `later`; those in `stop` and what only they load left out. */
function reach(bundle, files, later, stop = new Set()) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file) || stop.has(file) || !bundle[file]) return;
    found.add(file);
    const { imports = [], dynamicImports = [], viteMetadata } = bundle[file];
    const assets = [...(viteMetadata?.importedAssets ?? []), ...(viteMetadata?.importedCss ?? [])];
    for (const next of [...imports, ...assets, ...(later ? dynamicImports : [])]) visit(next);
  };
  files.forEach(visit);
  return found;
}
