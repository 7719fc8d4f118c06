// The package's entry for Node, whose fetch() does not read files. In a bundled server (Next.js, esbuild), `import.meta.url` leads to no
// file, so this imports a copy of the binary. The entry for browsers cannot: bundlers refuse an import() in code that must be one file,
// such as a worker of Vite 5 to 7.

import { defaultWasm } from '#binary';
import { read } from '../start/read.node.js';
import { beginStacksAtCaller } from '../start/stacks.node.js';
import { initFrom } from '../start/startup.js';
import * as all from './exports.js';

export * from './exports.js';

export const init = initFrom(defaultWasm, read, () => import('#fallback'));
export default init;

beginStacksAtCaller(all);
