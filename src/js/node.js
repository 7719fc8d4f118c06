// The package's entry for Node, whose fetch() does not read files.

import { readFile } from 'node:fs/promises';
import { defaultWasm, prepare } from '#binary';
import { initFrom } from './startup.js';

export * from './exports.js';

export const init = initFrom((wasm = defaultWasm()) => {
  if (typeof wasm !== 'string' && !(wasm instanceof URL)) return wasm;
  const url = new URL(wasm);
  return url.protocol === 'file:' ? readFile(url) : url;
}, prepare);
export default init;
