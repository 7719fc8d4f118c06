// The type of an imported .wasm file of the package. Each tool makes something else of it; `init({ wasm })` takes all of these.

import type { InitOptions } from './index.js';

/** A URL or a WebAssembly.Module: what your bundler makes of the file. */
declare const wasm: NonNullable<InitOptions['wasm']>;
export default wasm;
