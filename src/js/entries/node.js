// The package's entry for Node, whose fetch() does not read files. In a bundled server (Next.js, esbuild), `import.meta.url` leads to no
// file, so this imports a copy of the binary. The entry for browsers cannot: bundlers refuse an import() in code that must be one file,
// such as a worker of Vite 5 to 7.

import { readFile } from 'node:fs/promises';
import { defaultWasm } from '#binary';
import { initFrom } from '../start/startup.js';

export * from './exports.js';

/** A promise of the bytes of a file; undefined for any other URL, which fetch() reads. */
const read = (url) => (url.protocol === 'file:' ? readFile(url) : undefined);
export const init = initFrom(defaultWasm, read, () => import('#fallback'));
export default init;
