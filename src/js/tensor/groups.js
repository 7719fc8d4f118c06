// Softmax and logsumexp over groups of entries, and the product of a sparse matrix and a dense one. types.d.ts describes them.

import { runFunction } from './own.js';

export function scatter_softmax(src, index, dim, options) {
  return runFunction('scatter_softmax', src, index, dim, options)[0];
}

export function scatter_logsumexp(src, index, dim, options) {
  return runFunction('scatter_logsumexp', src, index, dim, options)[0];
}

export function spmm(rows, columns, values, dense, options) {
  return runFunction('spmm', rows, columns, values, dense, options)[0];
}
