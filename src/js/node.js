// The package's entry for Node, whose fetch() does not read files.

import { readFile } from 'node:fs/promises';
import { defaultWasm } from '#binary';
import { initFrom } from './startup.js';

export * from './exports.js';

export const init = initFrom(defaultWasm, (url) => (url.protocol === 'file:' ? readFile(url) : undefined));
export default init;
