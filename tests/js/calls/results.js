// What the oracles of operators share: results, lines of a shape, order, sums.

import { ARRAYS, isFloat } from './elements.js';
import { combine, divided, elementOf, exactQuotient, ravel, sizeOf, unravel, valueOf } from './oracle.js';

/** A result with elements that are made from values. */
export const like = (dtype, shape, values) => ({ dtype, shape, data: ARRAYS[dtype].from(values, (value) => elementOf(dtype, value)) });
export const int64 = (shape, values) => integers('int64', shape, values);
/** Positions or counts, int64 or int32. */
export const integers = (dtype, shape, values) => ({ dtype, shape, data: dtype === 'int64' ? BigInt64Array.from(values, BigInt) : Int32Array.from(values) });

/** The flat places of each line of a shape along a dimension, in row-major order of the lines. A scalar has one line. */
export function linesOf(shape, dim = -1) {
  if (shape.length === 0) return [[0]];
  const d = dim < 0 ? dim + shape.length : dim;
  const others = shape.map((size, at) => (at === d ? 1 : size));
  return Array.from({ length: sizeOf(others) }, (_, k) => {
    const at = unravel(k, others);
    return Array.from({ length: shape[d] }, (_, i) => ravel(at.with(d, i), shape));
  });
}

export const isNaN = (x) => typeof x === 'number' && Number.isNaN(x);
/** Whether a number comes before another one: NaN is last, and 0 equals −0. JavaScript compares bigints with numbers exactly. */
export const isBefore = (a, b) => (isNaN(a) || isNaN(b) ? !isNaN(a) && isNaN(b) : a < b);

/** Terms combined in order, each step rounded, as a value; from `start`, or from the first term. A mean is divided by the caller. */
export function combined(dtype, reduce, terms, start) {
  const [first, ...rest] = start === undefined ? terms : [start, ...terms];
  return rest.reduce((sum, term) => stored(dtype, combine[reduce](dtype, sum, term)), first);
}
/** A value rounded or wrapped by a store. */
export const stored = (dtype, value) => valueOf(dtype, ARRAYS[dtype].of(elementOf(dtype, value))[0]);

/** The sum of terms, which starts from `start`; exact, or in order. `count` is that of a mean, 1 of a sum. */
export function summed(dtype, terms, start, isExact, count = 1) {
  if (isExact && isFloat(dtype)) return exactQuotient(dtype, [start, ...terms], count);
  const sum = combined(dtype, 'sum', terms, start);
  return count === 1 ? sum : divided(dtype, sum, count);
}
