import type { Adapter } from '../index.js';

/** The exports of @tensorflow/tfjs-core or @tensorflow/tfjs. */
export interface Library {
  version_core: string;
  tensor: Function;
  dispose: Function;
}
export function tfjs(tf: Library, backend: string, version?: string): Adapter;
