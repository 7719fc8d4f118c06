import type { Adapter } from '../index.js';

/** The exports of an entry of scatterwise, such as `import * as library from 'scatterwise'`. */
export interface Library {
  Tensor: Function;
  open_scope(): { dispose(): void };
}
export function scatterwise(library: Library, device?: string, version?: string): Adapter;
