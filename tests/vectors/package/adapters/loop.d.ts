import type { Adapter } from '../index.js';

export const loop: Adapter;
