// The library in one file, with what the site's page needs that times the ways to scatter. It is no part of the package.

import * as rust from '#glue';
import { call } from '../engine/engine.js';

export * from './inline.js';

/**
 * Has every scatter on WebGPU go the way of this number wherever that applies; for any other number the library chooses again. Returns how
 * many scatters have gone that way so far.
 */
export const force_way = (way) => call('backend', () => rust.gpu_force_way(way));
