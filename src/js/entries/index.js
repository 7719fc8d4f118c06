// The package's entry for browsers, workers, bundlers and Deno.

import { defaultWasm } from '#binary';
import { initFrom } from '../start/startup.js';

export * from './exports.js';

export const init = initFrom(defaultWasm);
export default init;
