// The package's entry for browsers, workers, bundlers and Deno. tools/package.mjs bundles it with the glue.

import { defaultWasm, prepare } from '#binary';
import { initFrom } from './startup.js';

export * from './exports.js';

/** The glue fetches a URL itself, and compiles anything else. */
export const init = initFrom((wasm = defaultWasm()) => wasm, prepare);
export default init;
