import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { datasets } from './data-plugin.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Packages whose files are on the site without being modules of the bundle: fonts, the search, the API reference. */
const FILES_OF = ['@fontsource-variable/jetbrains-mono', '@fontsource-variable/newsreader', 'pagefind', 'typedoc'];
/** Where Vite's `build.license` puts the notices of the modules in the bundle. */
export const OF_MODULES = 'licenses.md';

/**
 * A Vite plugin that emits `licenses.txt`: the notices of all that others made and this site contains. Vite itself lists the npm packages
 * whose modules are in the bundle, cargo-about the crates in the library (tools/notices).
 */
export function notices() {
  return {
    name: 'scatterwise-notices',
    apply: 'build',
    generateBundle: {
      order: 'post', // behind Vite's own list
      handler(_options, bundle) {
        const modules = String(bundle[OF_MODULES].source);
        delete bundle[OF_MODULES];
        const crates = readFileSync(`${root}/tools/notices/LICENSE-THIRD-PARTY`, 'utf8').replaceAll('This package', 'The library').replaceAll('this package', 'the library');
        this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: [modules, ...FILES_OF.map(noticeOf), ofData(), crates].join('\n') });
      },
    },
  };
}

/** The notice of a package, in the form of Vite's list. @param {string} name */
function noticeOf(name) {
  const folder = `${root}/node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = [`${folder}/LICENSE/LICENSE`, `${folder}/LICENSE`].find(existsSync);
  return `## ${name} - ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

/** What vega-datasets says of the data sets that the build reads. */
function ofData() {
  const { resources } = JSON.parse(readFileSync(`${root}/node_modules/vega-datasets/datapackage.json`, 'utf8'));
  const of = (name) => resources.find(({ path }) => path === name);
  const words = ({ title, path }) => [title, path].filter(Boolean).join(', ');
  const line = ({ path, sources, licenses }) => `${path}: ${sources.map(words).join('; ')}. ${licenses.map(words).join('; ')}`;
  return `## Data sets, by vega-datasets\n\n${[...datasets].map((name) => line(of(name))).join('\n')}\n`;
}
