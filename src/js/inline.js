// The package's entry in one file: the binary is inside, and nothing is fetched.

import { unpack } from './packed.js';
import { initFrom } from './startup.js';

export * from './exports.js';

export const init = initFrom(unpack);
export default init;
