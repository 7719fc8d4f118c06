// The package's entry in one file: the binary is inside, and nothing is fetched.

import { unpack } from '../start/packed.js';
import { initFrom } from '../start/startup.js';

export * from './exports.js';

export const init = initFrom(unpack);
export default init;
