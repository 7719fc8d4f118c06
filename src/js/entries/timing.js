// The library in one file, for the site's page that times the strategies of scatters. It is no part of the package.

import * as rust from '#glue';
import { call } from '../engine/engine.js';

export * from './inline.js';

/**
 * Makes every scatter on WebGPU go the way of this number if that is possible; for any other number the library chooses again. Returns
 * how many scatters have gone that way so far.
 */
export const force_way = (way) => call('backend', () => rust.gpu_force_way(way));
