// The package's entry for Node, whose fetch() does not read files. Servers are bundled too (Next.js, esbuild), and what `import.meta.url`
// is then leads to no file: a copy of the binary is imported. Browsers have no such way out, since bundlers refuse an import() in
// what has to be one file, such as a worker of Vite 5 to 7.

import { readFile } from 'node:fs/promises';
import { defaultWasm } from '#binary';
import { initFrom } from '../start/startup.js';

export * from './exports.js';

/** A promise of the bytes of a file; undefined for any other URL, which fetch() reads. */
const read = (url) => (url.protocol === 'file:' ? readFile(url) : undefined);
export const init = initFrom(defaultWasm, read, () => import('#fallback'));
export default init;
