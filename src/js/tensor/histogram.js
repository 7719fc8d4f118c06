// NumPy's counts and SciPy's statistics of bins: bincount, histogram, histogramdd, bin_codes and binned_statistic. types.d.ts describes them.

import { word } from '../engine/engine.js';
import { UPDATES } from '../engine/wire.js';
import { runFunction } from './own.js';

export function bincount(x, options) {
  return runFunction('bincount', x, options)[0];
}

export function histogram(x, options) {
  const [hist, edges] = runFunction('histogram', x, options);
  return { hist, edges };
}

export function histogramdd(sample, options) {
  const [hist, ...edges] = runFunction('histogramdd', sample, options);
  return { hist, edges };
}

export function bin_codes(sample, options) {
  const [codes, ...edges] = runFunction('bin_codes', sample, options);
  return { codes, edges, size: word(UPDATES) };
}

export function binned_statistic(sample, values, statistic, options) {
  const [result, ...edges] = runFunction('binned_statistic', sample, values, statistic, options);
  return { statistic: result, edges };
}
