import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { onDemand } from './peers-plugin.js';

/** Whether a file is not worth keeping: the build of the library that only times, the search, which is large, pages behind the guides, and what is for hosts. */
const isLeftOut = (name) => /^(assets\/times-|pagefind\/|(performance|decision|architecture)-|_headers$)/.test(name);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * A Vite plugin that emits `offline.js`, the service worker of `src/offline`, with the list of the files to keep: those of the build,
 * apart from what is only loaded on demand: the libraries of the benchmark page, and what `isLeftOut` names. It is written by hand and not by Workbox: one list
 * and two rules are all that this site needs, and Workbox would bring some 200 packages.
 */
export function offline() {
  return {
    name: 'scatterwise-offline',
    apply: 'build',
    generateBundle: {
      order: 'post', // when all files of the bundle are there
      async handler(_options, bundle) {
        const inPublic = await readdir(here('../public'), { recursive: true, withFileTypes: true }); // copied by Vite, and not in the bundle
        const publicFiles = inPublic.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`.slice(here('../public/').length));
        const unasked = onDemand(bundle);
        const files = [...Object.keys(bundle), ...publicFiles].filter((name) => !name.endsWith('.map') && !unasked.has(name) && !isLeftOut(name)).sort();
        const hash = createHash('sha256');
        for (const name of files) hash.update(name).update(bundle[name]?.code ?? bundle[name]?.source ?? (await readFile(here(`../public/${name}`))));
        const text = await readFile(here('../src/offline/worker.js'), 'utf8');
        const source = text.replace('%VERSION%', hash.digest('hex').slice(0, 12)).replace("['%FILES%']", JSON.stringify(['./', ...files]));
        this.emitFile({ type: 'asset', fileName: 'offline.js', source });
      },
    },
  };
}
