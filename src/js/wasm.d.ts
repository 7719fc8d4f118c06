// The type of the package's .wasm files, where one is imported: by each tool something else, and all of it is for `init({ wasm })`.

import type { InitOptions } from './index.js';

/** A URL or a WebAssembly.Module: what your bundler makes of the file. */
declare const wasm: NonNullable<InitOptions['wasm']>;
export default wasm;
