// Reductions of neighbouring rows: segment_reduce, with segments by offsets or lengths. types.d.ts describes it.

import { runFunction } from './own.js';

export function segment_reduce(data, reduce, options) {
  const [values, indices] = runFunction('segment_reduce', data, reduce, options);
  return indices === undefined ? values : { values, indices };
}
